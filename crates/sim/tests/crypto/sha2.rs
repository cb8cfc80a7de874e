use capvec_sim::crypto::sha2::{Word, compress2, message_schedule, sig0, sig1, sum0, sum1};
use capvec_sim::crypto::sha512_rv32 as rv32;
use capvec_sim::testing::Rng;
use sha2::block_api::{compress256, compress512};

/// The first `count` prime numbers.
fn primes(count: usize) -> Vec<u128> {
    (2u128..).filter(|n| (2..*n).all(|d| n % d != 0)).take(count).collect()
}

/// The first 64 bits of the fractional part of the cube root of `n` (FIPS 180-4 section 4.2):
/// the largest r with r³ ≤ n·2^192, found bit by bit in 256-bit arithmetic by comparing r²·r in
/// two halves.
fn cube_root_fraction(n: u128) -> u64 {
    let exceeds = |r: u128| {
        // r < 2^67, so r² < 2^134: split r into 2^32-digits and carry by hand.
        let digits = |mut x: u128| {
            std::array::from_fn::<u64, 4, _>(|_| {
                let digit = (x & 0xffff_ffff) as u64;
                x >>= 32;
                digit
            })
        };
        let times = |a: &[u64], b: &[u64]| {
            let mut out = vec![0u64; a.len() + b.len()];
            for (i, x) in a.iter().enumerate() {
                let mut carry = 0;
                for (j, y) in b.iter().enumerate() {
                    let sum = out[i + j] + x * y + carry;
                    out[i + j] = sum & 0xffff_ffff;
                    carry = sum >> 32;
                }
                out[i + b.len()] += carry;
            }
            out
        };
        let r = digits(r);
        let cube = times(&times(&r, &r), &r);
        // n·2^192 has n at digit 6.
        let high = (6..cube.len()).rev().fold(0u128, |sum, i| sum << 32 | u128::from(cube[i]));
        high > n || high == n && cube[..6].iter().any(|digit| *digit != 0)
    };
    let mut root = 0u128;
    for bit in (0..67).rev() {
        if !exceeds(root | 1 << bit) {
            root |= 1 << bit;
        }
    }
    root as u64
}

/// The first `count` round constants of SHA-512; their upper halves are those of SHA-256.
pub fn constants(count: usize) -> Vec<u64> {
    primes(count).into_iter().map(cube_root_fraction).collect()
}

/// One block of compression by the two-round steps and the message schedule.
fn compress<W: Word>(state: [W; 8], block: [W; 16], constants: &[W]) -> [W; 8] {
    let mut w = block.to_vec();
    while w.len() < constants.len() {
        let at = |i: usize| w[w.len() - 16 + i];
        let next = message_schedule(
            [at(0), at(1), at(2), at(3)],
            [at(4), at(9), at(10), at(11)],
            [at(12), at(13), at(14), at(15)],
        );
        w.extend(next);
    }
    let [a, b, c, d, e, f, g, h] = state;
    let (mut feba, mut hgdc) = ([f, e, b, a], [h, g, d, c]);
    for i in (0..constants.len()).step_by(2) {
        let words = [w[i].plus(constants[i]), w[i + 1].plus(constants[i + 1])];
        (feba, hgdc) = (compress2(feba, hgdc, words), feba);
    }
    let [f2, e2, b2, a2] = feba;
    let [h2, g2, d2, c2] = hgdc;
    [a2.plus(a), b2.plus(b), c2.plus(c), d2.plus(d), e2.plus(e), f2.plus(f), g2.plus(g), h2.plus(h)]
}

#[test]
fn sha_256_compression_is_that_of_rustcrypto() {
    let constants: Vec<u32> = constants(64).iter().map(|k| (k >> 32) as u32).collect();
    assert_eq!(constants[0], 0x428a_2f98);
    let mut rng = Rng::new("sha_256_compression_is_that_of_rustcrypto");
    for _ in 0..200 {
        let mut state: [u32; 8] = std::array::from_fn(|_| rng.next() as u32);
        let block: [u8; 64] = rng.bytes();
        let words =
            std::array::from_fn(|i| u32::from_be_bytes(std::array::from_fn(|j| block[4 * i + j])));
        let ours = compress(state, words, &constants);
        compress256(&mut state, &[block]);
        assert_eq!(ours, state);
    }
}

#[test]
fn sha_512_compression_is_that_of_rustcrypto() {
    let constants = constants(80);
    assert_eq!(constants[79], 0x6c44_198c_4a47_5817);
    let mut rng = Rng::new("sha_512_compression_is_that_of_rustcrypto");
    for _ in 0..200 {
        let mut state: [u64; 8] = std::array::from_fn(|_| rng.next());
        let block: [u8; 128] = rng.bytes();
        let words =
            std::array::from_fn(|i| u64::from_be_bytes(std::array::from_fn(|j| block[8 * i + j])));
        let ours = compress(state, words, &constants);
        compress512(&mut state, &[block]);
        assert_eq!(ours, state);
    }
}

/// The manual's formulas of `sha512sig0l` and its siblings, which work on halves.
#[test]
fn rv32_halves_are_the_manuals_formulas() {
    let mut rng = Rng::new("rv32_halves_are_the_manuals_formulas");
    for _ in 0..1000 {
        let (a, b) = (rng.next() as u32, rng.next() as u32);
        let sig0h = a >> 1 ^ a >> 7 ^ a >> 8 ^ b << 31 ^ b << 24;
        assert_eq!(rv32::sig0h(a, b), sig0h);
        assert_eq!(rv32::sig0l(a, b), sig0h ^ b << 25);
        let sig1h = a << 3 ^ a >> 6 ^ a >> 19 ^ b >> 29 ^ b << 13;
        assert_eq!(rv32::sig1h(a, b), sig1h);
        assert_eq!(rv32::sig1l(a, b), sig1h ^ b << 26);
        assert_eq!(rv32::sum0r(a, b), a << 25 ^ a << 30 ^ a >> 28 ^ b >> 7 ^ b >> 2 ^ b << 4);
        assert_eq!(rv32::sum1r(a, b), a << 23 ^ a >> 14 ^ a >> 18 ^ b >> 9 ^ b << 18 ^ b << 14);
    }
}

#[test]
fn halves_and_whole_words_agree() {
    let mut rng = Rng::new("halves_and_whole_words_agree");
    for _ in 0..1000 {
        let x = rng.next();
        let (low, high) = (x as u32, (x >> 32) as u32);
        let join = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        assert_eq!(join(rv32::sig0h(high, low), rv32::sig0l(low, high)), sig0(x));
        assert_eq!(join(rv32::sig1h(high, low), rv32::sig1l(low, high)), sig1(x));
        assert_eq!(join(rv32::sum0r(high, low), rv32::sum0r(low, high)), sum0(x));
        assert_eq!(join(rv32::sum1r(high, low), rv32::sum1r(low, high)), sum1(x));
    }
}
