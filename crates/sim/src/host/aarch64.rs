//! AArch64: the cryptographic instructions of Armv8 and Armv8.2. Stable Rust lacks those for SM3 and SM4.
//!
//! Arm Architecture Reference Manual for A-profile architecture, chapter C7.

use super::{Feature, Groups, Host, Step, Words};
use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

/// A step on groups. The caller must ensure that the host has the features it needs.
pub type Kernel = unsafe fn(&mut [u8], Groups);
/// A step on registers. The caller must ensure that the host has the features it needs.
pub type Scalar = unsafe fn(u64, u64) -> u64;

/// Whether this host has the feature.
pub fn detect(f: Feature) -> bool {
    match f {
        Feature::Aes => is_aarch64_feature_detected!("aes"),
        // The kernels enable Rust's feature "aes", which covers both.
        Feature::Clmul => {
            is_aarch64_feature_detected!("aes") && is_aarch64_feature_detected!("pmull")
        }
        Feature::Sha256 => is_aarch64_feature_detected!("sha2"),
        Feature::Sha512 => is_aarch64_feature_detected!("sha3"),
    }
}

/// The implementation of a step with the features of `host`.
#[inline(always)]
pub fn kernel(host: Host, step: Step) -> Option<Kernel> {
    let (feature, kernel): (_, Kernel) = match step {
        Step::AesEncryptMiddle => (Feature::Aes, encrypt_middle),
        Step::AesEncryptFinal => (Feature::Aes, encrypt_final),
        Step::AesDecryptMiddle => (Feature::Aes, decrypt_middle),
        Step::AesDecryptFinal => (Feature::Aes, decrypt_final),
        Step::Ghash => (Feature::Clmul, ghash),
        Step::GhashMultiply => (Feature::Clmul, ghash_multiply),
        Step::Sha256High => (Feature::Sha256, sha256_high),
        Step::Sha256Low => (Feature::Sha256, sha256_low),
        Step::Sha256Schedule => (Feature::Sha256, sha256_schedule),
        Step::Sha512High => (Feature::Sha512, sha512_high),
        Step::Sha512Low => (Feature::Sha512, sha512_low),
        Step::Sha512Schedule => (Feature::Sha512, sha512_schedule),
        Step::Sm4 => return None,
    };
    host.has(feature).then_some(kernel)
}

/// The implementation of a step with the features of `host`.
#[inline(always)]
pub fn words(host: Host, step: Words) -> Option<Scalar> {
    let (feature, f): (_, Scalar) = match step {
        Words::AesEncryptFinal => (Feature::Aes, aes64es),
        Words::AesEncryptMiddle => (Feature::Aes, aes64esm),
        Words::AesDecryptFinal => (Feature::Aes, aes64ds),
        Words::AesDecryptMiddle => (Feature::Aes, aes64dsm),
        Words::AesMix => (Feature::Aes, aes64im),
        Words::Clmul => (Feature::Clmul, clmul),
        Words::ClmulHigh => (Feature::Clmul, clmulh),
        Words::ClmulReversed => (Feature::Clmul, clmulr),
    };
    host.has(feature).then_some(f)
}

/// Reinterprets a host register as another type with the same bytes, in the order of little-endian groups.
macro_rules! cast {
    ($($name:ident: $from:ty => $to:ty;)*) => { $(
        #[inline(always)]
        fn $name(x: $from) -> $to {
            // SAFETY: both types have the same size, and every bit pattern is a value of each.
            unsafe { std::mem::transmute(x) }
        }
    )* };
}

cast! {
    v: [u8; 16] => uint8x16_t;
    bytes: uint8x16_t => [u8; 16];
    v32: [u8; 16] => uint32x4_t;
    bytes32: uint32x4_t => [u8; 16];
    v64: [u8; 32] => [uint64x2_t; 2];
    bytes64: [uint64x2_t; 2] => [u8; 32];
    number: uint8x16_t => u128;
    of_number: u128 => uint8x16_t;
}

/// Steps on groups; `$from` and `$to` convert them.
macro_rules! steps {
    ($($name:ident($feature:literal, $from:ident, $to:ident): |$d:ident, $a:ident, $b:ident| $e:expr;)*) => { $(
        #[target_feature(enable = $feature)]
        fn $name(file: &mut [u8], groups: Groups) {
            groups.each(file, |d, a, b| {
                let ($d, $a, $b) = ($from(d), $from(a), $from(b));
                $to($e)
            });
        }
    )* };
}

steps! {
    // AESE and AESD add a key first.
    encrypt_middle("aes", v, bytes): |d, a, _b| {
        veorq_u8(vaesmcq_u8(vaeseq_u8(d, vdupq_n_u8(0))), a)
    };
    encrypt_final("aes", v, bytes): |d, a, _b| veorq_u8(vaeseq_u8(d, vdupq_n_u8(0)), a);
    decrypt_middle("aes", v, bytes): |d, a, _b| {
        vaesimcq_u8(veorq_u8(vaesdq_u8(d, vdupq_n_u8(0)), a))
    };
    decrypt_final("aes", v, bytes): |d, a, _b| veorq_u8(vaesdq_u8(d, vdupq_n_u8(0)), a);
    ghash("aes", v, bytes): |d, a, b| product(veorq_u8(d, b), a);
    ghash_multiply("aes", v, bytes): |d, a, _b| product(d, a);
    sha256_high("sha2", v32, bytes32): |d, a, b| sha256(d, a, vcombine_u32(vget_high_u32(b), vget_low_u32(b)));
    sha256_low("sha2", v32, bytes32): |d, a, b| sha256(d, a, b);
    sha256_schedule("sha2", v32, bytes32): |d, a, b| {
        // The first of W8 to W11 is not used.
        vsha256su1q_u32(vsha256su0q_u32(d, a), a, b)
    };
    sha512_high("sha3", v64, bytes64): |d, a, b| sha512(d, a, b[1]);
    sha512_low("sha3", v64, bytes64): |d, a, b| sha512(d, a, b[0]);
    sha512_schedule("sha3", v64, bytes64): |d, a, b| {
        let sum = vsha512su0q_u64(d[0], d[1]);
        let first = vsha512su1q_u64(sum, b[1], vextq_u64::<1>(a[0], a[1]));
        let sum = vsha512su0q_u64(d[1], a[0]);
        [first, vsha512su1q_u64(sum, first, vextq_u64::<1>(a[1], b[0]))]
    };
}

/// Two rounds of SHA-256. The host does four; after them, c and d hold the a and b of two rounds earlier, and g and h
/// the e and f.
#[target_feature(enable = "sha2")]
fn sha256(hgdc: uint32x4_t, feba: uint32x4_t, words: uint32x4_t) -> uint32x4_t {
    // Reverses the elements.
    let reversed = |x| vrev64q_u32(vextq_u32::<2>(x, x));
    let (abef, cdgh) = (reversed(feba), reversed(hgdc));
    let abcd = vcombine_u32(vget_low_u32(abef), vget_low_u32(cdgh));
    let efgh = vcombine_u32(vget_high_u32(abef), vget_high_u32(cdgh));
    let new_abcd = vsha256hq_u32(abcd, efgh, words);
    let new_efgh = vsha256h2q_u32(efgh, abcd, words);
    reversed(vcombine_u32(vget_high_u32(new_abcd), vget_high_u32(new_efgh)))
}

/// Two rounds of SHA-512.
#[target_feature(enable = "sha3")]
fn sha512(
    [hg, dc]: [uint64x2_t; 2],
    [fe, ba]: [uint64x2_t; 2],
    words: uint64x2_t,
) -> [uint64x2_t; 2] {
    let swapped = |x| vextq_u64::<1>(x, x);
    let [ab, cd, ef, gh] = [ba, dc, fe, hg].map(swapped);
    let sum = vaddq_u64(swapped(words), gh);
    let sums = vsha512hq_u64(sum, vextq_u64::<1>(ef, gh), vextq_u64::<1>(cd, ef));
    let (new_ab, new_ef) = (vsha512h2q_u64(sums, cd, ab), vaddq_u64(cd, sums));
    [swapped(new_ef), swapped(new_ab)]
}

#[target_feature(enable = "aes")]
fn wide(a: u64, b: u64) -> u128 {
    vmull_p64(a, b)
}

/// The GHASH product in GF(2^128), NIST SP 800-38D. As in `crypto::ghash`, the bits of bytes are reversed, so bit i
/// is the coefficient of x^i.
#[target_feature(enable = "aes")]
fn product(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let [a, b] = [a, b].map(|x| number(vrbitq_u8(x)));
    let ([a0, a1], [b0, b1]) = ([a as u64, (a >> 64) as u64], [b as u64, (b >> 64) as u64]);
    let middle = wide(a0, b1) ^ wide(a1, b0);
    let (low, high) = (wide(a0, b0) ^ middle << 64, wide(a1, b1) ^ middle >> 64);
    // x^128 = x^7 + x^2 + x + 1: first for the upper half of `high`, which carries into the lower.
    let upper = wide((high >> 64) as u64, 0x87);
    let (low, high) = (low ^ upper << 64, high ^ upper >> 64);
    vrbitq_u8(of_number(low ^ wide(high as u64, 0x87)))
}

#[target_feature(enable = "aes")]
fn clmul(a: u64, b: u64) -> u64 {
    wide(a, b) as u64
}

#[target_feature(enable = "aes")]
fn clmulh(a: u64, b: u64) -> u64 {
    (wide(a, b) >> 64) as u64
}

#[target_feature(enable = "aes")]
fn clmulr(a: u64, b: u64) -> u64 {
    (wide(a, b) >> 63) as u64
}

/// The first half of a state given as halves `a` and `b`, after a step without a key.
macro_rules! halves {
    ($($name:ident: |$x:ident, $zero:ident| $e:expr;)*) => { $(
        #[target_feature(enable = "aes")]
        fn $name(a: u64, b: u64) -> u64 {
            let ($x, $zero) = (of_number(u128::from(b) << 64 | u128::from(a)), vdupq_n_u8(0));
            number($e) as u64
        }
    )* };
}

halves! {
    aes64es: |x, zero| vaeseq_u8(x, zero);
    aes64esm: |x, zero| vaesmcq_u8(vaeseq_u8(x, zero));
    aes64ds: |x, zero| vaesdq_u8(x, zero);
    aes64dsm: |x, zero| vaesimcq_u8(vaesdq_u8(x, zero));
    aes64im: |x, _zero| vaesimcq_u8(x);
}
