//! Recomputes every known answer of `cases/`, published or for the pattern message, with RustCrypto, which shares no
//! code with the library under test.
//!
//! With CAPVEC_PRINT_ANSWERS=1 it prints the `pattern` tables for new lengths instead.

use capvec_bench::case::{self, Operation, RANDOM};
use capvec_vectorgen::oracle::Job;
use capvec_vectorgen::oracle::attempts::attempts;
use sha2::{Digest, Sha256};

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

/// The messages that the driver signs: a counter, then zeros. The first two only warm up.
#[test]
fn numbers_of_attempts_are_those_of_the_signatures() {
    let print = std::env::var_os("CAPVEC_PRINT_ANSWERS").is_some();
    let mut count = 0;
    for case in case::all().unwrap() {
        let blank = case::Pattern { operation: Operation::Sign, bytes: 0, sha256: String::new() };
        let found = (0..case.attempts.len()).map(|i| {
            let mut message = vec![0; 32];
            message[0] = u8::try_from(i + 3).unwrap();
            attempts(&Job { input: message, ..Job::pattern(&case, &blank) })
        });
        let found: Vec<u32> = found.collect();
        if print && !found.is_empty() {
            println!("{}: attempts = {found:?}", case.id);
        } else {
            assert_eq!(found, case.attempts, "{}", case.id);
        }
        count += found.len();
    }
    assert_eq!(count, 3 * 64);
}

#[test]
fn only_sm2_is_random_and_every_operation_has_a_known_answer() {
    for case in case::all().unwrap() {
        let random = case.pattern.iter().any(|p| p.sha256 == RANDOM);
        assert_eq!(random, case.id == "sm2");
        for operation in &case.operations {
            let known = case.answer.iter().map(|a| a.operation);
            let mut known = known.chain(case.pattern.iter().map(|p| p.operation));
            // The input of decryption or verification is the output of encryption or signing, and vice versa.
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
