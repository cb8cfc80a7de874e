//! x86-64: AES-NI, PCLMULQDQ, SHA-NI.
//!
//! Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.

use super::x86_group::{bytes, v};
use super::{Feature, Groups, Host, Step, Words, sm4};
use std::arch::x86_64::*;

/// A step on groups. The caller must ensure that the host has the features it needs.
pub type Kernel = unsafe fn(&mut [u8], Groups);
/// A step on registers. The caller must ensure that the host has the features it needs.
pub type Scalar = unsafe fn(u64, u64) -> u64;

/// Whether this host has the feature.
pub fn detect(f: Feature) -> bool {
    let ssse3 = is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("sse4.1");
    ssse3
        && match f {
            Feature::Aes => is_x86_feature_detected!("aes"),
            Feature::Clmul => is_x86_feature_detected!("pclmulqdq"),
            Feature::Sha256 => is_x86_feature_detected!("sha"),
            Feature::Sha512 => false,
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
        Step::Sm4 => (Feature::Aes, sm4::rounds),
        Step::Sha512High | Step::Sha512Low | Step::Sha512Schedule => return None,
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

/// Steps on groups of 16 bytes.
macro_rules! steps {
    ($($name:ident($features:literal): |$d:ident, $a:ident, $b:ident| $e:expr;)*) => { $(
        #[target_feature(enable = $features)]
        fn $name(file: &mut [u8], groups: Groups) {
            groups.each(file, |d, a, b| {
                let ($d, $a, $b) = (v(d), v(a), v(b));
                bytes($e)
            });
        }
    )* };
}

steps! {
    encrypt_middle("aes,ssse3,sse4.1"): |d, a, _b| _mm_aesenc_si128(d, a);
    encrypt_final("aes,ssse3,sse4.1"): |d, a, _b| _mm_aesenclast_si128(d, a);
    // AESDEC adds the key after InvMixColumns.
    decrypt_middle("aes,ssse3,sse4.1"): |d, a, _b| _mm_aesimc_si128(_mm_aesdeclast_si128(d, a));
    decrypt_final("aes,ssse3,sse4.1"): |d, a, _b| _mm_aesdeclast_si128(d, a);
    ghash("pclmulqdq,ssse3,sse4.1"): |d, a, b| product(_mm_xor_si128(d, b), a);
    ghash_multiply("pclmulqdq,ssse3,sse4.1"): |d, a, _b| product(d, a);
    // The host takes the words in the lower half.
    sha256_high("sha,ssse3,sse4.1"): |d, a, b| {
        _mm_sha256rnds2_epu32(d, a, _mm_unpackhi_epi64(b, b))
    };
    sha256_low("sha,ssse3,sse4.1"): |d, a, b| _mm_sha256rnds2_epu32(d, a, b);
    // vs2 is W4, W9, W10, W11; W12 follows, the first of vs1.
    sha256_schedule("sha,ssse3,sse4.1"): |d, a, b| {
        let sum = _mm_add_epi32(_mm_sha256msg1_epu32(d, a), _mm_alignr_epi8::<4>(b, a));
        _mm_sha256msg2_epu32(sum, b)
    };
}

/// The bits of each byte in reverse order.
#[target_feature(enable = "ssse3,sse4.1")]
fn reversed(x: __m128i) -> __m128i {
    // Reverses a nibble into the upper half of a byte; `_mm_set_epi8` has the last byte first.
    let high = v([
        0x00, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0, 0x10, 0x90, 0x50, 0xd0, 0x30, 0xb0, 0x70,
        0xf0,
    ]);
    let nibble = _mm_set1_epi8(15);
    let low = _mm_and_si128(_mm_srli_epi16::<4>(high), nibble);
    let upper = _mm_and_si128(_mm_srli_epi16::<4>(x), nibble);
    _mm_or_si128(_mm_shuffle_epi8(high, _mm_and_si128(x, nibble)), _mm_shuffle_epi8(low, upper))
}

/// The GHASH product in GF(2^128), NIST SP 800-38D. As in `crypto::ghash`, the bits of bytes are reversed, so bit i
/// is the coefficient of x^i.
#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn product(a: __m128i, b: __m128i) -> __m128i {
    let (a, b) = (reversed(a), reversed(b));
    let middle =
        _mm_xor_si128(_mm_clmulepi64_si128::<0x01>(a, b), _mm_clmulepi64_si128::<0x10>(a, b));
    let low = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(a, b), _mm_slli_si128::<8>(middle));
    let high = _mm_xor_si128(_mm_clmulepi64_si128::<0x11>(a, b), _mm_srli_si128::<8>(middle));
    // x^128 = x^7 + x^2 + x + 1: first for the upper half of `high`, which carries into the lower.
    let poly = _mm_set_epi64x(0, 0x87);
    let upper = _mm_clmulepi64_si128::<0x01>(high, poly);
    let low = _mm_xor_si128(low, _mm_slli_si128::<8>(upper));
    let high = _mm_xor_si128(high, _mm_srli_si128::<8>(upper));
    reversed(_mm_xor_si128(low, _mm_clmulepi64_si128::<0x00>(high, poly)))
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn wide(a: u64, b: u64) -> u128 {
    let [a, b] = [a, b].map(|x| _mm_set_epi64x(0, x as i64));
    u128::from_le_bytes(bytes(_mm_clmulepi64_si128::<0>(a, b)))
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn clmul(a: u64, b: u64) -> u64 {
    wide(a, b) as u64
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn clmulh(a: u64, b: u64) -> u64 {
    (wide(a, b) >> 64) as u64
}

#[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
fn clmulr(a: u64, b: u64) -> u64 {
    (wide(a, b) >> 63) as u64
}

/// The first half of a state given as halves `a` and `b`, after a step without a key.
macro_rules! halves {
    ($($name:ident: |$x:ident, $zero:ident| $e:expr;)*) => { $(
        #[target_feature(enable = "aes,ssse3,sse4.1")]
        fn $name(a: u64, b: u64) -> u64 {
            let ($x, $zero) = (_mm_set_epi64x(b as i64, a as i64), _mm_setzero_si128());
            _mm_cvtsi128_si64($e) as u64
        }
    )* };
}

halves! {
    aes64es: |x, zero| _mm_aesenclast_si128(x, zero);
    aes64esm: |x, zero| _mm_aesenc_si128(x, zero);
    aes64ds: |x, zero| _mm_aesdeclast_si128(x, zero);
    aes64dsm: |x, zero| _mm_aesdec_si128(x, zero);
    aes64im: |x, _zero| _mm_aesimc_si128(x);
}
