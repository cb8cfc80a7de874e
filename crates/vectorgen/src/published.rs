//! `vectors/cases/`: the answers of `cases/` as vectors, one file for each family. The published ones are written with their source. Of
//! public-key algorithms, so are answers for messages of other lengths, which an oracle has computed. Every answer that is written is the
//! oracle's; a test compares it with the published one.

use crate::oracle::Job;
use crate::write::File;
use anyhow::Result;
use capvec_bench::case::{self, Case, Kind, Operation, Pattern, RANDOM};
use capvec_util::fnv;

/// Longest output, in bytes, that is written in full.
const MAX_OUTPUT: usize = 4000;

/// One file for each family.
///
/// # Errors
/// A file of `cases/` is malformed.
pub fn files() -> Result<Vec<(String, String)>> {
    let mut files: Vec<(String, File)> = Vec::new();
    let others = |c: &&Case| matches!(c.kind, Kind::Setup | Kind::Tls) || c.algorithm == "GHASH";
    let cases = case::all()?;
    for c in cases.iter().filter(|c| !others(c)) {
        if files.last().is_none_or(|(family, _)| *family != c.family) {
            let origin = format!("cases/{}*.toml", c.family);
            let about = match cases.iter().any(|o| o.family == c.family && o.kind == Kind::Pkey) {
                false => format!("Published answers of {origin}. `source` names the place."),
                true => format!(
                    "Answers of {origin}: published ones and, of public-key algorithms, some that RustCrypto has computed; `source` says which. Their keys are PrivateKeyInfo or SubjectPublicKeyInfo."
                ),
            };
            files.push((
                c.family.clone(),
                File::new(&about, &origin, "test vectors of the standards named"),
            ));
        }
        let (_, file) = files.last_mut().expect("one was just pushed");
        answers(c, file);
    }
    Ok(files.into_iter().map(|(f, file)| (format!("vectors/cases/{f}.txt"), file.text())).collect())
}

fn answers(c: &Case, file: &mut File) {
    for (i, a) in c.answer.iter().enumerate() {
        // `capvec bench` checks slow operations on demand.
        if !c.on_demand || a.operation == Operation::Verify {
            record(
                c,
                &format!("{}/{i}", c.id),
                &a.source,
                a.operation,
                &Job::published(c, a),
                file,
            );
        }
    }
    // Public-key algorithms get messages of several lengths here; lengths/ covers the others.
    let signed = |p: &&Pattern| c.kind == Kind::Pkey && p.sha256 != RANDOM;
    for p in c.pattern.iter().filter(signed) {
        let id = format!("{}/{}/{}", c.id, p.operation.name(), p.bytes);
        record(c, &id, &c.pattern_source, p.operation, &Job::pattern(c, p), file);
    }
}

fn record(c: &Case, id: &str, source: &str, operation: Operation, job: &Job, file: &mut File) {
    let result = job.oracle(c.kind);
    // In a verification the signature is passed as associated data, and the result is a bit.
    let verify = operation == Operation::Verify;
    let (aad, out, refused) = match verify {
        true => (&[][..], job.aad.as_slice(), result == [0]),
        false => (job.aad.as_slice(), result.as_slice(), false),
    };
    let tag_length = match (c.kind, job.parameter.parse()) {
        (Kind::Aead, Ok(n)) => n,
        (Kind::Aead, Err(_)) => 16,
        _ => 0,
    };
    let (out, tag) = out.split_at(out.len() - tag_length);
    let long = out.len() > MAX_OUTPUT && !verify;
    let digest = if long { format!("{:016x}", fnv(out)) } else { String::new() };
    let named = if c.kind == Kind::Pkey { operation.name() } else { "" };
    file.record(&[
        ("algorithm", &c.id),
        ("operation", named),
        ("id", id),
        ("source", source),
        ("key", &hex::encode(&job.key)),
        ("iv", &hex::encode(&job.iv)),
        ("aad", &hex::encode(aad)),
        ("in", &hex::encode(&job.input)),
        ("out", &if long { String::new() } else { hex::encode(out) }),
        ("out-fnv1a64", &digest),
        ("tag", &hex::encode(tag)),
        ("result", if refused { "invalid" } else { "" }),
    ]);
}
