//! Signatures that are not made by default: hedged, of digests (HashML-DSA, HashSLH-DSA), of a given representative (external mu),
//! and of what the standards call the internal interface. The internal interface of SLH-DSA is left out: libcapvec has none.

use super::{Limit, Test, start, tests};
use anyhow::Result;
use capvec_util::fnv;
use std::path::Path;

/// Vectors of each form that are signed, accepted and refused: for each parameter set of ML-DSA, and for SLH-DSA as a whole.
const EACH: usize = 1;

pub fn file(dir: &Path, limit: Limit) -> Result<String> {
    let mut file = start(
        "Signatures of ML-DSA and SLH-DSA in other forms; vectors/README.md describes the fields.",
        "ML-DSA-sigGen-FIPS204, ML-DSA-sigVer-FIPS204, SLH-DSA-sigGen-FIPS205, SLH-DSA-sigVer-FIPS205",
        limit,
    )
    .of_format("capvec-signatures 1");
    for (family, suite) in [("ML-DSA", "FIPS204"), ("SLH-DSA", "FIPS205")] {
        let hashes = family == "SLH-DSA";
        let wanted = |t: &Test| match form(t).as_str() {
            // acvp/ has the rest of these.
            "pure" => t.0.contains_key("sk") && !t.flag("deterministic"),
            "internal" => !hashes,
            _ => true,
        };
        // For SLH-DSA: signing with the fastest sets, verifying with those that have the shortest signatures.
        let cheap = |t: &Test| {
            let ends = if t.0.contains_key("sk") { "128f" } else { "128s" };
            limit.all || !hashes || t.algorithm().ends_with(ends)
        };
        let kind = |t: &Test| {
            let set = if hashes { String::new() } else { t.algorithm() };
            (set, form(t), t.flag("deterministic"), t.flag("testPassed"))
        };
        for mode in ["sigGen", "sigVer"] {
            let mut all = tests(dir, &format!("{family}-{mode}-{suite}"))?;
            all.retain(|t| wanted(t) && cheap(t));
            for t in limit.select(spread(all, limit, hashes), EACH, kind) {
                let fields = fields(&t, mode);
                let fields: Vec<_> = fields.iter().map(|(n, v)| (*n, v.as_str())).collect();
                file.record(&fields);
            }
        }
    }
    Ok(file.text())
}

/// Divides the signatures of digests: each of ML-DSA's three parameter sets has those of every third hash.
fn spread(tests: Vec<Test>, limit: Limit, hashes: bool) -> Vec<Test> {
    let mut names: Vec<String> =
        tests.iter().filter(|t| is_digest(t)).map(|t| t.text("hashAlg").to_string()).collect();
    names.sort();
    names.dedup();
    let place = |list: &[String], name: &str| list.iter().position(|n| n == name).unwrap_or(0);
    let mut sets: Vec<String> = tests.iter().map(Test::algorithm).collect();
    sets.sort();
    sets.dedup();
    let own =
        |t: &Test| place(&names, t.text("hashAlg")) % sets.len() == place(&sets, &t.algorithm());
    tests.into_iter().filter(|t| limit.all || hashes || !is_digest(t) || own(t)).collect()
}

fn is_digest(t: &Test) -> bool {
    t.text("preHash") == "preHash"
}

/// `pure`, `mu`, `internal`, or the hash of a digest.
fn form(t: &Test) -> String {
    match (t.text("signatureInterface"), t.flag("externalMu")) {
        (_, true) => "mu".into(),
        ("internal", _) => "internal".into(),
        _ if is_digest(t) => t.text("hashAlg").to_ascii_lowercase(),
        _ => "pure".into(),
    }
}

fn fields(t: &Test, mode: &str) -> Vec<(&'static str, String)> {
    let signs = mode == "sigGen";
    let operation = if signs { "sign" } else { "verify" };
    let signature = t.bytes("signature");
    let digest = if signs { format!("{:016x}", fnv(&signature)) } else { String::new() };
    let input = if form(t) == "mu" { "mu" } else { "message" };
    let random = [t.bytes("rnd"), t.bytes("additionalRandomness")].concat();
    vec![
        ("algorithm", t.algorithm()),
        ("operation", operation.into()),
        ("id", format!("{}/{operation}/{}", t.algorithm(), t.number("tcId"))),
        ("form", form(t)),
        ("key", hex::encode(t.bytes(if signs { "sk" } else { "pk" }))),
        ("iv", hex::encode(t.bytes("context"))),
        ("random", hex::encode(random)),
        ("in", hex::encode(t.bytes(input))),
        ("out", if signs { String::new() } else { hex::encode(&signature) }),
        ("out-fnv1a64", digest),
        ("result", if signs || t.flag("testPassed") { String::new() } else { "invalid".into() }),
    ]
}
