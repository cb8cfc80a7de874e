//! Vectors for messages of every length, with answers from the oracles.

use crate::oracle::Job;
use crate::write::File;
use anyhow::Result;
use capvec_bench::case::{Kind, Operation, pattern_message};
use capvec_kat::{Algorithm, algorithms};
use capvec_util::fnv;

const ORIGIN: &str = "computed with RustCrypto (crates/vectorgen/src/oracle)";
const LICENCE: &str = "Apache-2.0 OR MIT";

/// Message lengths: everything short, then lengths around multiples of vector groups up to VLEN 1024 with LMUL 8, and
/// the size that is measured.
const BYTES: &str = "0-300 511-513 1023-1025 1031 2047-2049 4095-4097 16383-16385";
/// Message lengths of modes over whole blocks.
const BLOCKS: &str = "0 16 32 48 64 80 96 112 128 144 160 176 192 208 224 240 256 272 288 304 320 336 352 368 384 496 512 528 \
     1008 1024 1040 2032 2048 2064 4080 4096 4112 16368 16384 16400";
/// XTS needs at least one block.
const XTS: &str = "16-300 511-513 1023-1025 1031 2047-2049 4095-4097 16383-16385";
/// For modes that call the block cipher for every byte or every bit.
const SLOW: &str = "0-67 127-130 255-257 1024";
const SLOWEST: &str = "0-35 64";
/// Lengths of associated data, including those where CCM's encoding changes (SP 800-38C, appendix A.2.2).
const AAD: &str = "0-66 127-130 255-257 1000 4096 65279 65280";
/// Lengths of HMAC keys: around the block size of every hash.
const KEYS: &str = "1-20 62-74 126-146 200";

/// One file for each family of symmetric algorithms.
///
/// # Errors
/// A file of `cases/` is malformed.
pub fn files() -> Result<Vec<(String, String)>> {
    let mut files: Vec<(String, File)> = Vec::new();
    for algorithm in algorithms()?.iter().filter(|a| a.kind != Kind::Pkey && covered(a)) {
        if files.last().is_none_or(|(family, _)| *family != algorithm.family) {
            let about = format!("Messages of every length: {}.", algorithm.family);
            files.push((algorithm.family.clone(), File::new(&about, ORIGIN, LICENCE)));
        }
        let (_, file) = files.last_mut().expect("one was just pushed");
        sweeps(algorithm, file);
    }
    Ok(files
        .into_iter()
        .map(|(f, file)| (format!("vectors/lengths/{f}.txt"), file.text()))
        .collect())
}

/// Whether the algorithm gets vectors here. Algorithms that are not a case have no key and are covered by Wycheproof
/// or the standards only. GHASH is covered as GMAC.
fn covered(a: &Algorithm) -> bool {
    !(a.answer.is_empty() && a.pattern.is_empty()) && a.algorithm != "GHASH"
}

fn sweeps(a: &Algorithm, file: &mut File) {
    let messages = match (a.kind, a.algorithm.rsplit('-').next()) {
        (Kind::Cipher, Some("ECB" | "CBC")) => BLOCKS,
        (Kind::Cipher, Some("XTS")) => XTS,
        (Kind::Cipher, Some("CFB8")) => SLOW,
        (Kind::Cipher, Some("CFB1")) => SLOWEST,
        _ => BYTES,
    };
    sweep(a, "in", messages, file);
    if a.kind == Kind::Aead {
        sweep(a, "aad", AAD, file);
    }
    if a.algorithm == "HMAC" {
        sweep(a, "key", KEYS, file);
    }
}

fn sweep(a: &Algorithm, field: &str, lengths: &str, file: &mut File) {
    let mut digests = String::new();
    for n in expand(lengths) {
        let mut job = job(a);
        match field {
            "in" => job.input = pattern_message(n),
            "aad" => job.aad = pattern_message(n),
            _ => job.key = pattern_message(n),
        }
        digests += &format!("{:016x}", fnv(&job.oracle(a.kind)));
    }
    let job = job(a);
    let hexadecimal =
        |name: &str, bytes: &[u8]| if name == field { String::new() } else { hex::encode(bytes) };
    file.record(&[
        ("algorithm", &a.id),
        ("id", &format!("{}/{field}", a.id)),
        ("key", &hexadecimal("key", &job.key)),
        ("iv", &hexadecimal("iv", &job.iv)),
        ("aad", &hexadecimal("aad", &job.aad)),
        ("in", if field == "in" { "" } else { "@33" }),
        ("sweep", field),
        ("lengths", lengths),
        ("out-fnv1a64", &digests),
    ]);
}

/// The job of a sweep without the swept lengths; key and IV are those of the measurement.
fn job(a: &Algorithm) -> Job {
    let bytes = |hexadecimal: &str| hex::decode(hexadecimal).expect("cases are checked");
    Job {
        algorithm: a.algorithm.clone(),
        parameter: a.parameter.clone(),
        operation: Operation::Encrypt,
        key: bytes(&a.key),
        iv: bytes(&a.iv),
        aad: bytes(&a.aad),
        input: pattern_message(33),
    }
}

/// Expands the format's `lengths`.
fn expand(lengths: &str) -> Vec<usize> {
    let number = |t: &str| t.parse::<usize>().expect("the lists are above");
    let range = |w: &str| match w.split_once('-') {
        Some((from, to)) => number(from)..=number(to),
        None => number(w)..=number(w),
    };
    lengths.split_whitespace().flat_map(range).collect()
}
