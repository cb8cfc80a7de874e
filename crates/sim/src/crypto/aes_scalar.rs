//! The scalar AES instructions of Zknd and Zkne, for RV64 (`aes64*`) and RV32 (`aes32*`).

use super::aes::{self, Block, INV_SBOX, SBOX};

/// The state whose columns 0–1 are `rs1` and whose columns 2–3 are `rs2`.
fn state(rs1: u64, rs2: u64) -> Block {
    (u128::from(rs2) << 64 | u128::from(rs1)).to_le_bytes()
}

/// Columns 0 and 1 of a state.
fn low_half(state: Block) -> u64 {
    u128::from_le_bytes(state) as u64
}

/// `aes64es`: columns 0–1 after a final round of encryption, without the key.
pub fn aes64es(rs1: u64, rs2: u64) -> u64 {
    low_half(aes::shift_rows(aes::sub_bytes(state(rs1, rs2))))
}

/// `aes64esm`: columns 0–1 after a middle round of encryption, without the key.
pub fn aes64esm(rs1: u64, rs2: u64) -> u64 {
    map_columns(aes64es(rs1, rs2), aes::mix_column)
}

/// `aes64ds`: columns 0–1 after a final round of decryption, without the key.
pub fn aes64ds(rs1: u64, rs2: u64) -> u64 {
    low_half(aes::inv_sub_bytes(aes::inv_shift_rows(state(rs1, rs2))))
}

/// `aes64dsm`: columns 0–1 after a middle round of the equivalent inverse cipher, without the key.
pub fn aes64dsm(rs1: u64, rs2: u64) -> u64 {
    aes64im(aes64ds(rs1, rs2))
}

/// `aes64im`: InvMixColumns of two columns.
pub fn aes64im(rs1: u64) -> u64 {
    map_columns(rs1, aes::inv_mix_column)
}

fn map_columns(columns: u64, f: fn(u32) -> u32) -> u64 {
    u64::from(f((columns >> 32) as u32)) << 32 | u64::from(f(columns as u32))
}

/// `aes64ks1i`: SubWord of the upper word of `rs1`, in both halves of the result.
///
/// `rnum` 0..=9 also rotates and adds the round constant; 10 does neither. `None` for the reserved
/// values 11..=15.
pub fn aes64ks1i(rs1: u64, rnum: u32) -> Option<u64> {
    let last = (rs1 >> 32) as u32;
    let word = match rnum {
        0..=9 => aes::sub_word(aes::rot_word(last)) ^ aes::round_constant(rnum),
        10 => aes::sub_word(last),
        _ => return None,
    };
    Some(u64::from(word) << 32 | u64::from(word))
}

/// `aes64ks2`: two words of the next round key, from `rs1` (the result of `aes64ks1i`, or the two
/// words before them) and `rs2`, two words of the earlier key.
pub fn aes64ks2(rs1: u64, rs2: u64) -> u64 {
    let word0 = (rs1 >> 32) ^ (rs2 & 0xffff_ffff);
    let word1 = word0 ^ (rs2 >> 32);
    word1 << 32 | word0
}

/// Byte `bs` (0..=3) of `rs2` through `table`, mixed by `mix`, moved back to position `bs` and
/// XORed into `rs1`.
fn aes32(rs1: u32, rs2: u32, bs: u32, table: &[u8; 256], mix: fn(u32) -> u32) -> u32 {
    let byte = (rs2 >> (8 * bs)) as u8;
    rs1 ^ mix(u32::from(table[byte as usize])).rotate_left(8 * bs)
}

/// `aes32esi`: one byte of a final round of encryption.
pub fn aes32esi(rs1: u32, rs2: u32, bs: u32) -> u32 {
    aes32(rs1, rs2, bs, &SBOX, |word| word)
}

/// `aes32esmi`: one byte of a middle round of encryption.
pub fn aes32esmi(rs1: u32, rs2: u32, bs: u32) -> u32 {
    aes32(rs1, rs2, bs, &SBOX, aes::mix_column)
}

/// `aes32dsi`: one byte of a final round of decryption.
pub fn aes32dsi(rs1: u32, rs2: u32, bs: u32) -> u32 {
    aes32(rs1, rs2, bs, &INV_SBOX, |word| word)
}

/// `aes32dsmi`: one byte of a middle round of the equivalent inverse cipher.
pub fn aes32dsmi(rs1: u32, rs2: u32, bs: u32) -> u32 {
    aes32(rs1, rs2, bs, &INV_SBOX, aes::inv_mix_column)
}
