//! Steps of ciphers and hashes on words with taint. If a step has only XORs and S-boxes, its taint does not depend on values.

use crate::words::{Word, substituted};
use capvec_sim::crypto::keccak::ROUND_CONSTANTS;
use capvec_sim::crypto::sm3;
use std::array::from_fn;
use std::ops::Range;

/// `vsm3me.vv` on the tainted bits of the message words (GB/T 32905-2016, section 5.3.2).
pub fn sm3_expand(vs1: [u32; 8], vs2: [u32; 8]) -> [u32; 8] {
    let mut w = [0u32; 24];
    for k in 0..8 {
        (w[k], w[k + 8]) = (vs1[k].swap_bytes(), vs2[k].swap_bytes());
    }
    for j in 16..24 {
        let x = w[j - 16] | w[j - 9] | w[j - 3].rotate_left(15);
        let p1 = x | x.rotate_left(15) | x.rotate_left(23);
        w[j] = p1 | w[j - 13].rotate_left(7) | w[j - 6];
    }
    from_fn(|k| w[k + 16].swap_bytes())
}

/// `vsm3c.vi` (GB/T 32905-2016, section 5.3.3).
pub fn sm3_compress(state: [Word<32>; 8], message: [Word<32>; 8], uimm: u32) -> [Word<32>; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state.map(Word::swap_bytes);
    let w = message.map(Word::swap_bytes);
    for k in 0..2 {
        let j = 2 * uimm + k as u32;
        let (ff, gg) = match j {
            0..16 => (a ^ b ^ c, e ^ f ^ g),
            _ => (a & b | a & c | b & c, e & f | !e & g),
        };
        let a12 = a.rotate_left(12);
        let constant = Word::public(sm3::constant(j).rotate_left(j % 32).into());
        let ss1 = a12.add(e).add(constant).rotate_left(7);
        let tt1 = ff.add(d).add(ss1 ^ a12).add(w[k] ^ w[k + 4]);
        let tt2 = gg.add(h).add(ss1).add(w[k]);
        (d, c, b, a) = (c, b.rotate_left(9), a, tt1);
        let p0 = tt2 ^ tt2.rotate_left(9) ^ tt2.rotate_left(17);
        (h, g, f, e) = (g, f.rotate_left(19), e, p0);
    }
    [a, b, c, d, e, f, g, h].map(Word::swap_bytes)
}

/// Four rounds of SM4 or of its key schedule on tainted bits; `linear`: the rotations of the linear transform
/// (GB/T 32907-2016, sections 6.2.1 and 7.3).
pub fn sm4_rounds(mut x: [u32; 4], keys: [u32; 4], linear: &[u32]) -> [u32; 4] {
    for key in keys {
        let b = substituted(x[1] | x[2] | x[3] | key);
        let next = linear.iter().fold(x[0], |t, n| t | b.rotate_left(*n));
        x = [x[1], x[2], x[3], next];
    }
    x
}

/// The rotations of the cipher's linear transform.
pub const SM4: &[u32] = &[0, 2, 10, 18, 24];
/// The rotations of the key schedule's.
pub const SM4_KEY: &[u32] = &[0, 13, 23];

/// A step of an AES key schedule on tainted bits (FIPS 197, section 5.2): `last`: the word that goes through the S-box;
/// `rotated`: whether its bytes are rotated first.
pub fn aes_schedule(key: [u32; 4], last: u32, rotated: bool) -> [u32; 4] {
    let substituted = substituted(if rotated { last.rotate_right(8) } else { last });
    let mut sum = substituted;
    key.map(|word| {
        sum |= word;
        sum
    })
}

/// The 25 lanes of a state of Keccak.
pub type Keccak = [Word<64>; 25];

/// Rounds of Keccak-p\[1600\] (FIPS 202, section 3.2).
pub fn keccak(state: Keccak, rounds: Range<usize>) -> Keccak {
    let constants = ROUND_CONSTANTS.get(rounds).unwrap_or_default();
    constants.iter().fold(state, |a, constant| keccak_round(a, Word::public(*constant)))
}

fn keccak_round(a: Keccak, constant: Word<64>) -> Keccak {
    let column: [Word<64>; 5] = from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let theta: Keccak =
        from_fn(|i| a[i] ^ column[(i + 4) % 5] ^ column[(i + 1) % 5].rotate_left(1));
    let mut moved = theta;
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        let lane = theta[x + 5 * y];
        (x, y) = (y, (2 * x + 3 * y) % 5);
        moved[x + 5 * y] = lane.rotate_left((t + 1) * (t + 2) / 2 % 64);
    }
    let mut chi: Keccak = from_fn(|i| {
        let (x, row) = (i % 5, i - i % 5);
        moved[i] ^ !moved[row + (x + 1) % 5] & moved[row + (x + 2) % 5]
    });
    chi[0] = chi[0] ^ constant;
    chi
}

#[cfg(test)]
mod tests {
    use super::{Word, keccak, sm3_compress};
    use crate::value::Value;
    use capvec_sim::crypto;
    use std::array::from_fn;

    fn numbers<const N: usize, const W: u32>(words: [Word<W>; N]) -> [u64; N] {
        words.map(|w| w.0.bits)
    }

    /// The values that are computed along with the masks are those that the instructions compute.
    #[test]
    fn steps_on_words_with_taint_compute_the_same_numbers() {
        let number = |k: usize| (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let half = |k: usize| number(k) as u32;
        let word = |k: usize| Word(Value { bits: half(k).into(), taint: 0xff << k });
        for uimm in [0, 7, 8, 31] {
            let (state, message) = (from_fn(half), from_fn(|k| half(k + 8)));
            let expected = crypto::sm3::compress2(state, message, uimm);
            let found = sm3_compress(from_fn(word), from_fn(|k| word(k + 8)), uimm);
            assert_eq!(numbers(found), expected.map(u64::from));
        }
        let lane = |k: usize| Word(Value { bits: number(k), taint: 1 << k });
        for rounds in [0..0, 0..3, 12..24] {
            let expected = crypto::keccak::permute(from_fn(number), rounds.clone());
            assert_eq!(numbers(keccak(from_fn(lane), rounds)), expected);
        }
    }
}
