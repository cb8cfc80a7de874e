//! Checks the files of `vectors/`: generated ones are current, the others are recomputed with RustCrypto.

use capvec_bench::case::{Kind, Operation};
use capvec_kat::{Algorithm, Expected, Outcome, Vector, algorithms, parse};
use capvec_util::fnv;
use capvec_vectorgen::generate;
use capvec_vectorgen::oracle::Job;

#[test]
fn generated_files_are_current() {
    let drifted: Vec<_> = generate::drifted().unwrap().into_iter().map(|(path, _)| path).collect();
    assert!(drifted.is_empty(), "run `make vectors` and commit {drifted:?}");
}

/// The vectors of a folder of `vectors/`.
fn folder(name: &str) -> Vec<Vector> {
    let dir = generate::root().join("vectors").join(name);
    let mut vectors = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        vectors.extend(parse(path.file_name().unwrap().to_str().unwrap(), &text).unwrap());
    }
    vectors
}

fn job(a: &Algorithm, v: &Vector) -> Job {
    let bytes = |text: &str| hex::decode(text).unwrap();
    let Expected::Bytes(out) = &v.out else { panic!("{} {}: a digest", v.file, v.id) };
    let parameter = match a.kind {
        // A shorter GCM tag is a prefix of the full one.
        Kind::Aead if a.algorithm.ends_with("GCM") || v.tag.len() == 32 => String::new(),
        Kind::Aead => (v.tag.len() / 2).to_string(),
        Kind::Digest if !a.parameter.is_empty() => (out.len() / 2).to_string(),
        Kind::Mac if a.algorithm.starts_with("KMAC") => (out.len() / 2).to_string(),
        _ => a.parameter.clone(),
    };
    let named = |o: &&Operation| o.name() == v.operation;
    Job {
        algorithm: a.algorithm.clone(),
        parameter,
        operation: a.operations.iter().find(named).copied().unwrap_or_default(),
        key: bytes(&v.key),
        iv: bytes(&v.iv),
        aad: bytes(&v.aad),
        input: bytes(&v.input),
    }
}

#[test]
fn standards_are_those_of_rustcrypto() {
    let algorithms = algorithms().unwrap();
    let mut count = 0;
    for v in folder("standards") {
        let a = algorithms.iter().find(|a| a.id == v.algorithm).unwrap();
        let mut job = job(a, &v);
        let Expected::Bytes(out) = &v.out else { panic!("{}", v.id) };
        let expected = format!("{out}{}", v.tag);
        let what = format!("{} {}", v.file, v.id);
        if v.outcome == Outcome::Valid {
            let got = hex::encode(job.oracle(a.kind));
            // Codes and tags may be truncated.
            assert_eq!(got.get(..expected.len()), Some(expected.as_str()), "{what}");
        } else {
            // GCM is a stream cipher: encrypting the ciphertext gives the plaintext. The plaintext's tag must differ from
            // the vector's, which is invalid.
            assert!(a.algorithm.ends_with("GCM"), "{what}");
            job.input = hex::decode(out).unwrap();
            job.input = job.oracle(a.kind)[..job.input.len()].to_vec();
            let got = hex::encode(job.oracle(a.kind));
            assert_eq!(&got[..out.len()], out, "{what}");
            assert_ne!(got.get(out.len()..expected.len()), Some(v.tag.as_str()), "{what}");
        }
        count += 1;
    }
    assert!(count > 2000, "{count} vectors");
}

/// The import pairs questions with answers and encodes keys; RustCrypto's keys show whether it does so correctly.
#[test]
fn keys_of_acvp_are_those_of_rustcrypto() {
    let algorithms = algorithms().unwrap();
    let mut count = 0;
    for v in
        folder("acvp").iter().filter(|v| v.operation == "keygen" && !v.algorithm.starts_with("slh"))
    {
        let a = algorithms.iter().find(|a| a.id == v.algorithm).unwrap();
        let Expected::Fnv(digest) = v.out else { panic!("{}", v.id) };
        let exact = Vector { out: Expected::Bytes(String::new()), ..v.clone() };
        assert_eq!(fnv(&job(a, &exact).oracle(a.kind)), digest, "{}", v.id);
        count += 1;
    }
    assert_eq!(count, 2 * 9);
}

/// RFC 7253 has vectors only for AES-128; for the others, it has a digest over many.
const WITHOUT_STANDARD: [&str; 2] = ["aes-192-ocb", "aes-256-ocb"];

#[test]
fn every_algorithm_has_vectors_of_a_standard_and_every_symmetric_one_of_all_lengths() {
    let read = |dir: &str| {
        let dir = generate::root().join("vectors").join(dir);
        let files = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
        files.map(|p| std::fs::read_to_string(p).unwrap()).collect::<String>()
    };
    let (lengths, published) = (read("lengths"), read("standards") + &read("cases"));
    let mut without = Vec::new();
    for a in algorithms().unwrap().iter().filter(|a| !a.why.is_empty() && a.algorithm != "GHASH") {
        let line = format!("\nalgorithm = {}\n", a.id);
        assert!(a.kind == Kind::Pkey || lengths.contains(&line), "{}", a.id);
        if !published.contains(&line) {
            without.push(a.id.clone());
        }
    }
    assert_eq!(without, WITHOUT_STANDARD);
}
