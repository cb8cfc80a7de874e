//! Recomputes every known answer of `cases/`, published or of the pattern message, with RustCrypto, which shares no
//! code with the library under test.
//!
//! With CAPVEC_PRINT_ANSWERS=1 it prints the `pattern` tables for new lengths instead.

mod cipher;
mod hash;
mod pkey;

use capvec_bench::case::{self, Case, Kind, Operation, RANDOM};
use sha2::{Digest, Sha256};

/// A job, decoded.
pub struct Job {
    algorithm: String,
    parameter: String,
    operation: Operation,
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    input: Vec<u8>,
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    hex::decode(hexadecimal).unwrap()
}

impl Job {
    fn published(case: &Case, a: &case::Answer) -> Job {
        let or = |own: &str, of_case: &str| bytes(if own.is_empty() { of_case } else { own });
        Job {
            algorithm: case.algorithm.clone(),
            parameter: a.parameter.clone().unwrap_or(case.parameter.clone()),
            operation: a.operation,
            key: or(&a.key, &case.key),
            iv: or(&a.iv, &case.iv),
            aad: bytes(&a.aad),
            input: bytes(&a.input),
        }
    }

    fn pattern(case: &Case, p: &case::Pattern) -> Job {
        Job {
            algorithm: case.algorithm.clone(),
            parameter: case.parameter.clone(),
            operation: p.operation,
            key: bytes(&case.key),
            iv: bytes(&case.iv),
            aad: bytes(&case.aad),
            input: case::pattern_message(p.bytes),
        }
    }

    fn oracle(&self, kind: Kind) -> Vec<u8> {
        match kind {
            Kind::Cipher => cipher::cipher(self),
            Kind::Aead => cipher::aead(self),
            Kind::Setup if self.algorithm.ends_with("GCM") => cipher::aead(self),
            Kind::Setup => cipher::cipher(self),
            Kind::Digest => hash::digest(self),
            Kind::Mac => hash::mac(self),
            Kind::Pkey => pkey::pkey(self),
        }
    }
}

#[test]
fn published_answers_are_those_of_rustcrypto() {
    let mut count = 0;
    for case in case::all().unwrap() {
        for a in &case.answer {
            let got = Job::published(&case, a).oracle(case.kind);
            let what = format!("{}: {}", case.id, a.source);
            if a.out.is_empty() {
                assert_eq!(a.out_sha256, hex::encode(Sha256::digest(got)), "{what}");
            } else {
                assert_eq!(a.out, hex::encode(got), "{what}");
            }
            count += 1;
        }
    }
    assert!(count > 80, "{count} answers");
}

#[test]
fn pattern_answers_are_those_of_rustcrypto() {
    let print = std::env::var_os("CAPVEC_PRINT_ANSWERS").is_some();
    for case in case::all().unwrap() {
        for p in case.pattern.iter().filter(|p| p.sha256 != RANDOM) {
            let digest = hex::encode(Sha256::digest(Job::pattern(&case, p).oracle(case.kind)));
            if print {
                println!("{} {} {}: {digest}", case.id, p.operation.name(), p.bytes);
            } else {
                assert_eq!(p.sha256, digest, "{} of {} bytes", case.id, p.bytes);
            }
        }
    }
}

#[test]
fn only_sm2_is_random_and_every_operation_has_a_known_answer() {
    for case in case::all().unwrap() {
        let random = case.pattern.iter().any(|p| p.sha256 == RANDOM);
        assert_eq!(random, case.id == "sm2");
        for operation in &case.operations {
            let known = case.answer.iter().map(|a| a.operation);
            let mut known = known.chain(case.pattern.iter().map(|p| p.operation));
            // What is decrypted or verified is what was encrypted or signed, and the other way round.
            let way = match operation {
                Operation::Decrypt => Operation::Encrypt,
                Operation::Verify => Operation::Sign,
                Operation::Sign => Operation::Verify,
                other => *other,
            };
            assert!(known.any(|k| k == way || k == *operation), "{} {operation:?}", case.id);
        }
    }
}
