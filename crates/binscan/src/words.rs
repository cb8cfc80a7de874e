//! Hashes and ChaCha20, recognised by the constants of their definitions: when a compiler unrolls the rounds, there is
//! no table, but the constants are immediates spread over the code.

use crate::constants::Constant;
use crate::elf::{File, Machine};
use crate::immediates;
use crate::instruction_family::Family;
use std::collections::{BTreeSet, VecDeque};
use std::sync::LazyLock;

/// An algorithm and its constants.
struct Algorithm {
    what: &'static str,
    family: Family,
    words: Vec<u32>,
    /// The number of different constants that must be near each other.
    threshold: usize,
    /// The distance in bytes within which they count as near.
    within: u64,
}

/// FIPS 180-4, 4.2.3. The constants of SHA-256 (4.2.2) are the upper halves of the first 64.
#[rustfmt::skip]
const SHA512: [u64; 80] = [
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
];
/// FIPS 180-4, 4.2.1.
const SHA1: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];
/// GB/T 32905, 4.1, initial value.
const SM3: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];
/// RFC 8439, 2.3: "expand 32-byte k". Salsa20 has it too.
const CHACHA: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// RFC 1321, 3.4: the sines of 1 to 64.
fn md5() -> impl Iterator<Item = u32> {
    (1..=64).map(|i| (f64::from(i).sin().abs() * 4_294_967_296.0) as u32)
}

/// Indices in [`ALGORITHMS`].
const SHA_256: usize = 0;
const SHA_512: usize = 1;

static ALGORITHMS: LazyLock<Vec<Algorithm>> = LazyLock::new(|| {
    let one = |what, family, words: Vec<u32>, threshold, within| Algorithm {
        what,
        family,
        words,
        threshold,
        within,
    };
    let sha256 = SHA512.iter().take(64).map(|k| (k >> 32) as u32).collect();
    let sha512 = SHA512.iter().map(|k| *k as u32).collect();
    // 64 or 80 unrolled steps take a few kilobytes; half of their constants do not occur together by chance.
    vec![
        one("SHA-256 constants", Family::Sha2, sha256, 32, 16 << 10),
        one("SHA-512 constants", Family::Sha2, sha512, 40, 32 << 10),
        one("SHA-1 constants", Family::Sha1, SHA1.to_vec(), 4, 16 << 10),
        one("MD5 constants", Family::General, md5().collect(), 32, 16 << 10),
        one("SM3 initial value", Family::Sm3, SM3.to_vec(), 8, 4 << 10),
        one("ChaCha20 or Salsa20 constants", Family::General, CHACHA.to_vec(), 4, 1 << 10),
    ]
});

/// An occurrence of an algorithm's constant.
#[derive(Clone, Copy)]
pub struct Seen {
    /// Offset in the file.
    pub at: usize,
    algorithm: usize,
    word: usize,
}

/// A fast lookup of values among the constants of all algorithms.
pub struct Known {
    /// A filter by the lower 16 bits, which rejects most values.
    lower_halves: Vec<bool>,
    all: Vec<(u32, usize, usize)>,
}

pub static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let of = |(a, algorithm): (usize, &Algorithm)| {
        algorithm.words.iter().enumerate().map(|(w, v)| (*v, a, w)).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = ALGORITHMS.iter().enumerate().flat_map(of).collect();
    all.sort_unstable();
    let mut lower_halves = vec![false; 1 << 16];
    all.iter().map(|(v, ..)| *v as usize & 0xffff).for_each(|v| lower_halves[v] = true);
    Known { lower_halves, all }
});

impl Known {
    /// Records a value, if it is one of the constants.
    pub fn note(&self, at: usize, value: u32, seen: &mut Vec<Seen>) {
        if !self.lower_halves.get(value as usize & 0xffff).copied().unwrap_or(false) {
            return;
        }
        let from = self.all.partition_point(|(v, ..)| *v < value);
        let own = self.all.iter().skip(from).take_while(|(v, ..)| *v == value);
        seen.extend(own.map(|&(_, algorithm, word)| Seen { at, algorithm, word }));
    }
}

/// The constants in a file's bytes, at any offset: tables, and immediates of x86.
fn in_bytes(bytes: &[u8]) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (at, four) in bytes.windows(4).enumerate() {
        KNOWN.note(at, four.try_into().map_or(0, u32::from_le_bytes), &mut seen);
    }
    seen
}

/// The offset at which enough different constants of an algorithm are near each other.
fn dense_window(seen: &[Seen], which: usize, algorithm: &Algorithm) -> Option<usize> {
    let mut near: VecDeque<Seen> = VecDeque::new();
    let mut times = vec![0usize; algorithm.words.len()];
    let mut different = 0;
    for s in seen.iter().filter(|s| s.algorithm == which) {
        near.push_back(*s);
        let n = times.get_mut(s.word)?;
        different += usize::from(*n == 0);
        *n += 1;
        while let Some(first) = near.front()
            && s.at as u64 - first.at as u64 > algorithm.within
        {
            let n = times.get_mut(first.word)?;
            *n -= 1;
            different -= usize::from(*n == 0);
            near.pop_front();
        }
        if different >= algorithm.threshold {
            return near.front().map(|s| s.at);
        }
    }
    None
}

/// The distance in bytes within which code builds both halves of a 64-bit value.
const PAIR_DISTANCE: usize = 16;

/// Removes SHA-256 constants that are the upper half of a SHA-512 constant: its lower half is nearby.
fn without_upper_halves(seen: Vec<Seen>) -> Vec<Seen> {
    let lower: BTreeSet<(usize, usize)> =
        seen.iter().filter(|s| s.algorithm == SHA_512).map(|s| (s.word, s.at)).collect();
    let half = |s: &Seen| {
        let near = (s.word, s.at.saturating_sub(PAIR_DISTANCE))..=(s.word, s.at + PAIR_DISTANCE);
        s.algorithm == SHA_256 && lower.range(near).next().is_some()
    };
    seen.iter().copied().filter(|s| !half(s)).collect()
}

fn of(seen: Vec<Seen>) -> Vec<Constant> {
    let seen = without_upper_halves(seen);
    let all = ALGORITHMS.iter().enumerate();
    let found = all.filter_map(|(i, a)| {
        let offset = dense_window(&seen, i, a)?;
        Some(Constant { what: a.what, family: a.family, offset })
    });
    found.collect()
}

/// Finds algorithms by their constants in data and code.
pub fn find(file: &File) -> Vec<Constant> {
    let mut found = of(in_bytes(file.bytes));
    let sweep = match file.machine {
        Machine::Riscv64 => immediates::riscv,
        Machine::Aarch64 => immediates::arm,
        // Immediates of x86 are contiguous bytes of the file.
        Machine::X86_64 | Machine::Other => return found,
    };
    let mut seen = Vec::new();
    for code in &file.code {
        sweep(code.bytes, &mut |at, value| KNOWN.note(code.offset + at, value, &mut seen));
    }
    for own in of(seen) {
        if !found.iter().any(|f| f.what == own.what) {
            found.push(own);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    /// Fractional parts of the cube roots of the first 80 primes (FIPS 180-4, 4.2.3), computed with integers only.
    #[test]
    fn words_of_sha_2_are_cube_roots_of_primes() {
        let is_prime = |n: &u32| (2..*n).all(|d| !n.is_multiple_of(d));
        for (p, k) in (2..).filter(is_prime).zip(SHA512) {
            let root = (BigUint::from(p) << 192u32).cbrt();
            assert_eq!(root & BigUint::from(u64::MAX), BigUint::from(k), "of {p}");
        }
    }

    /// RFC 1321, appendix A.3.
    #[test]
    fn words_of_md5_are_sines() {
        let all: Vec<u32> = md5().collect();
        assert_eq!(
            (all[0], all[1], all[62], all[63]),
            (0xd76a_a478, 0xe8c7_b756, 0x2ad7_d2bb, 0xeb86_d391)
        );
    }

    fn names(bytes: &[u8]) -> Vec<&'static str> {
        of(in_bytes(bytes)).iter().map(|c| c.what).collect()
    }

    #[test]
    fn the_table_of_sha_512_is_not_taken_for_that_of_sha_256() {
        let little: Vec<u8> = SHA512.iter().flat_map(|k| k.to_le_bytes()).collect();
        assert_eq!(names(&little), ["SHA-512 constants"]);
        let own: Vec<u8> =
            SHA512.iter().take(64).flat_map(|k| ((k >> 32) as u32).to_le_bytes()).collect();
        assert_eq!(names(&own), ["SHA-256 constants"]);
        assert_eq!(names(&[little, own].concat()), ["SHA-256 constants", "SHA-512 constants"]);
    }

    /// Immediates in unrolled x86 code: with other bytes between them, at any offset.
    #[test]
    fn immediates_among_code() {
        let code = |words: &[u32], gap: usize| {
            let one = |w: &u32| [&vec![0x90; gap][..], &w.to_le_bytes()].concat();
            words.iter().flat_map(one).collect::<Vec<u8>>()
        };
        let md5: Vec<u32> = md5().collect();
        assert_eq!(names(&code(&md5, 57)), ["MD5 constants"]);
        assert_eq!(names(&code(&SHA1, 1001)), ["SHA-1 constants"]);
        assert_eq!(names(&code(&SM3, 3)), ["SM3 initial value"]);
        assert_eq!(names(b"xexpand 32-byte ky"), ["ChaCha20 or Salsa20 constants"]);
        // MD4 and RIPEMD-160 share some constants of SHA-1, and a few constants of MD5 are not enough.
        assert!(names(&code(&SHA1[..3], 10)).is_empty());
        assert!(names(&code(&md5[..31], 10)).is_empty());
        // Constants far from each other do not count.
        assert!(names(&code(&SHA1, 20_000)).is_empty());
    }
}
