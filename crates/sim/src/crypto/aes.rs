//! AES rounds and key schedule (FIPS 197), as the vector instructions of Zvkned compose them.
//!
//! A state is 16 bytes in FIPS order: byte `r + 4c` is row `r`, column `c`. That is also the byte
//! order of an element group, and word `c` of a key is column `c` read little-endian.

use super::gf256;
use std::array::from_fn;

/// The AES field polynomial x^8 + x^4 + x^3 + x + 1 (FIPS 197 section 4.2).
const POLY: u16 = 0x11b;

/// The cipher's state or a round key.
pub type Block = [u8; 16];

/// The S-box, FIPS 197 section 5.1.1.
pub static SBOX: [u8; 256] = forward_sbox();
/// The inverse S-box, FIPS 197 section 5.3.2.
pub static INV_SBOX: [u8; 256] = inverse_sbox();

const fn forward_sbox() -> [u8; 256] {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        let b = gf256::inverse(x as u8, POLY);
        // Equation (5.1): b_i ^ b_(i+4) ^ b_(i+5) ^ b_(i+6) ^ b_(i+7) ^ c_i, indices modulo 8.
        table[x] =
            b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4) ^ 0x63;
        x += 1;
    }
    table
}

const fn inverse_sbox() -> [u8; 256] {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        table[SBOX[x] as usize] = x as u8;
        x += 1;
    }
    table
}

/// SubBytes.
pub fn sub_bytes(state: Block) -> Block {
    state.map(|byte| SBOX[byte as usize])
}

/// InvSubBytes.
pub fn inv_sub_bytes(state: Block) -> Block {
    state.map(|byte| INV_SBOX[byte as usize])
}

/// ShiftRows: row `r` moves left by `r` columns.
pub fn shift_rows(state: Block) -> Block {
    from_fn(|i| state[(i + 4 * (i % 4)) % 16])
}

/// InvShiftRows: row `r` moves right by `r` columns.
pub fn inv_shift_rows(state: Block) -> Block {
    from_fn(|i| state[(i + 12 * (i % 4)) % 16])
}

/// The four bytes of a word each multiplied by x.
fn times_x(word: u32) -> u32 {
    let carries = word >> 7 & 0x0101_0101;
    (word << 1 & 0xfefe_fefe) ^ (carries * u32::from(POLY & 0xff))
}

/// MixColumns of one column: row `r` becomes 2·s\[r\] ^ 3·s\[r+1\] ^ s\[r+2\] ^ s\[r+3\].
pub fn mix_column(column: u32) -> u32 {
    let next = column.rotate_right(8);
    times_x(column ^ next) ^ next ^ column.rotate_right(16) ^ column.rotate_right(24)
}

/// InvMixColumns of one column, the matrix (14, 11, 13, 9).
///
/// That matrix is the product of (2, 3, 1, 1) and (5, 0, 4, 0).
pub fn inv_mix_column(column: u32) -> u32 {
    mix_column(column ^ times_x(times_x(column ^ column.rotate_right(16))))
}

fn map_columns(state: Block, f: fn(u32) -> u32) -> Block {
    from_words(words(state).map(f))
}

/// MixColumns.
pub fn mix_columns(state: Block) -> Block {
    map_columns(state, mix_column)
}

/// InvMixColumns.
pub fn inv_mix_columns(state: Block) -> Block {
    map_columns(state, inv_mix_column)
}

/// AddRoundKey; with a plain block also the whole of `vaesz`.
pub fn add_round_key(state: Block, key: Block) -> Block {
    from_fn(|i| state[i] ^ key[i])
}

/// `vaesem`: a middle round of encryption.
pub fn encrypt_middle(state: Block, key: Block) -> Block {
    add_round_key(mix_columns(shift_rows(sub_bytes(state))), key)
}

/// `vaesef`: the final round of encryption.
pub fn encrypt_final(state: Block, key: Block) -> Block {
    add_round_key(shift_rows(sub_bytes(state)), key)
}

/// `vaesdm`: a middle round of decryption, the key added before InvMixColumns.
pub fn decrypt_middle(state: Block, key: Block) -> Block {
    inv_mix_columns(decrypt_final(state, key))
}

/// `vaesdf`: the final round of decryption.
pub fn decrypt_final(state: Block, key: Block) -> Block {
    add_round_key(inv_sub_bytes(inv_shift_rows(state)), key)
}

/// A block as four little-endian words, word 0 first.
pub fn words(block: Block) -> [u32; 4] {
    from_fn(|i| u32::from_le_bytes(from_fn(|j| block[4 * i + j])))
}

/// The block of four little-endian words.
pub fn from_words(words: [u32; 4]) -> Block {
    from_fn(|i| words[i / 4].to_le_bytes()[i % 4])
}

/// SubWord: the S-box on each byte of a word.
pub fn sub_word(word: u32) -> u32 {
    u32::from_le_bytes(word.to_le_bytes().map(|byte| SBOX[byte as usize]))
}

/// RotWord: bytes a0 a1 a2 a3 become a1 a2 a3 a0, with a0 least significant.
pub fn rot_word(word: u32) -> u32 {
    word.rotate_right(8)
}

/// The round constant x^`index`, that is Rcon\[index + 1\] of FIPS 197.
pub fn round_constant(index: u32) -> u32 {
    (0..index).fold(1, |power, _| times_x(power))
}

/// The words of `previous`, each XORed with all earlier ones and with `start`.
fn chain(previous: [u32; 4], start: u32) -> [u32; 4] {
    let mut word = start;
    previous.map(|earlier| {
        word ^= earlier;
        word
    })
}

/// `vaeskf1.vi`: the AES-128 round key after `current`.
///
/// `uimm` is the round number 1..=10 of the new key. Bit 4 is ignored, and the values 0 and
/// 11..=15 have their bit 3 inverted.
pub fn key_forward_128(current: Block, uimm: u32) -> Block {
    let low = uimm & 15;
    let round = if (1..=10).contains(&low) { low } else { low ^ 8 };
    let key = words(current);
    let start = sub_word(rot_word(key[3])) ^ round_constant(round - 1);
    from_words(chain(key, start))
}

/// `vaeskf2.vi`: the AES-256 round key after `previous` (vd) and `current` (vs2).
///
/// `uimm` is the round number 2..=14 of the new key. Bit 4 is ignored, and the values 0, 1 and 15
/// have their bit 3 inverted.
pub fn key_forward_256(previous: Block, current: Block, uimm: u32) -> Block {
    let low = uimm & 15;
    let round = if (2..=14).contains(&low) { low } else { low ^ 8 };
    let last = words(current)[3];
    let start = if round % 2 == 1 {
        sub_word(last)
    } else {
        sub_word(rot_word(last)) ^ round_constant(round / 2 - 1)
    };
    from_words(chain(words(previous), start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix products of FIPS 197 sections 5.1.3 and 5.3.3, from the field alone.
    fn by_matrix(column: u32, row0: [u8; 4]) -> u32 {
        let s = column.to_le_bytes();
        u32::from_le_bytes(from_fn(|r| {
            (0..4).fold(0, |sum, c| sum ^ gf256::mul(row0[(c + 4 - r) % 4], s[c], POLY))
        }))
    }

    #[test]
    fn mix_column_is_the_matrix_product() {
        // Linear, so the 32 unit vectors decide it.
        for bit in 0..32 {
            let column = 1 << bit;
            assert_eq!(mix_column(column), by_matrix(column, [2, 3, 1, 1]));
            assert_eq!(inv_mix_column(column), by_matrix(column, [14, 11, 13, 9]));
        }
    }

    #[test]
    fn sbox_has_the_published_values() {
        // FIPS 197 table 4, first row and last entry.
        assert_eq!(SBOX[..8], [0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5]);
        assert_eq!((SBOX[0x53], SBOX[0xff]), (0xed, 0x16));
    }

    #[test]
    fn round_constants_are_those_of_fips_197_table_5() {
        let table: Vec<u32> = (0..10).map(round_constant).collect();
        assert_eq!(table, [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36]);
    }

    #[test]
    fn out_of_range_round_numbers_map_by_inverting_bit_3() {
        let (a, b) = (from_fn(|i| i as u8), from_fn(|i| 0xa5 ^ i as u8));
        for (given, used) in [(0, 8), (11, 3), (12, 4), (15, 7), (16 + 5, 5), (16, 8)] {
            assert_eq!(key_forward_128(a, given), key_forward_128(a, used));
        }
        for (given, used) in [(0, 8), (1, 9), (15, 7), (16 + 14, 14), (31, 7)] {
            assert_eq!(key_forward_256(a, b, given), key_forward_256(a, b, used));
        }
    }
}
