//! Comparison with the cryptographic instructions of an x86 host.
#![cfg(target_arch = "x86_64")]

use capvec_sim::crypto::{aes, clmul, sha2};
use capvec_sim::testing::Rng;
use std::arch::x86_64::*;

fn vector(value: u128) -> __m128i {
    // SAFETY: both types are 16 bytes and every bit pattern is a value of each.
    unsafe { std::mem::transmute(value) }
}

fn number(value: __m128i) -> u128 {
    // SAFETY: both types are 16 bytes and every bit pattern is a value of each.
    unsafe { std::mem::transmute(value) }
}

type Round = fn([u8; 16], [u8; 16]) -> [u8; 16];

#[target_feature(enable = "aes")]
fn compare_aes(rng: &mut Rng) {
    let (state, key): ([u8; 16], [u8; 16]) = (rng.bytes(), rng.bytes());
    let (x, k) = (vector(u128::from_le_bytes(state)), vector(u128::from_le_bytes(key)));
    let check = |ours: Round, theirs: __m128i| {
        assert_eq!(ours(state, key), number(theirs).to_le_bytes());
    };
    check(aes::encrypt_middle, _mm_aesenc_si128(x, k));
    check(aes::encrypt_final, _mm_aesenclast_si128(x, k));
    check(aes::decrypt_final, _mm_aesdeclast_si128(x, k));
    // AESDEC adds the key after InvMixColumns, `vaesdm` before it.
    check(aes::decrypt_middle, _mm_aesdec_si128(x, _mm_aesimc_si128(k)));
}

#[target_feature(enable = "pclmulqdq")]
fn compare_clmul(rng: &mut Rng) {
    let (a, b) = (rng.next(), rng.next());
    let theirs = _mm_clmulepi64_si128::<0>(vector(a.into()), vector(b.into()));
    assert_eq!(clmul::product(a, b), number(theirs));
}

fn group(words: [u32; 4]) -> __m128i {
    vector(words.iter().rev().fold(0, |sum, word| sum << 32 | u128::from(*word)))
}

#[target_feature(enable = "sha,sse4.1")]
fn compare_sha256(rng: &mut Rng) {
    let mut next = || std::array::from_fn::<u32, 4, _>(|_| rng.next() as u32);
    let (feba, hgdc, w) = (next(), next(), next());
    let theirs = _mm_sha256rnds2_epu32(group(hgdc), group(feba), group(w));
    assert_eq!(number(group(sha2::compress2(feba, hgdc, [w[0], w[1]]))), number(theirs));

    let m: [u32; 16] = std::array::from_fn(|_| rng.next() as u32);
    let four = |i: usize| std::array::from_fn(|j| m[i + j]);
    let sigma0 = _mm_sha256msg1_epu32(group(four(0)), group(four(4)));
    let sum = _mm_add_epi32(sigma0, group(four(9)));
    let theirs = _mm_sha256msg2_epu32(sum, group(four(12)));
    let ours = sha2::message_schedule(four(0), [m[4], m[9], m[10], m[11]], four(12));
    assert_eq!(number(group(ours)), number(theirs));
}

#[test]
fn host_instructions_agree() {
    let mut rng = Rng::new("host_instructions_agree");
    let missing = |name: &str| println!("the host has no {name}: not compared");
    for _ in 0..1000 {
        if is_x86_feature_detected!("aes") {
            // SAFETY: the feature was detected.
            unsafe { compare_aes(&mut rng) }
        } else {
            missing("AES-NI");
        }
        if is_x86_feature_detected!("pclmulqdq") {
            // SAFETY: the feature was detected.
            unsafe { compare_clmul(&mut rng) }
        } else {
            missing("PCLMULQDQ");
        }
        if is_x86_feature_detected!("sha") && is_x86_feature_detected!("sse4.1") {
            // SAFETY: both features were detected.
            unsafe { compare_sha256(&mut rng) }
        } else {
            missing("SHA-NI");
        }
    }
}
