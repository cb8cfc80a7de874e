//! What shows a failure again, with as little as possible.

use super::Algorithm;
use super::format::{Expected, Vector};
use super::report::policy;
use super::run::{Again, Configured};
use crate::case::{Kind, pattern_message};

/// Commands and data, indented, one a line.
pub fn text(algorithm: &Algorithm, v: &Vector, c: &Configured, again: &Again) -> String {
    let mut lines = vec![kat(v, c, again)];
    lines.extend(openssl(algorithm, v, c, again));
    let out = match &v.out {
        Expected::Bytes(hex) => ("out", hex.clone()),
        Expected::Fnv(digest) => ("out-fnv1a64", format!("{digest:016x}")),
    };
    let fields = [
        ("key", &v.key),
        ("iv", &v.iv),
        ("aad", &v.aad),
        ("in", &v.input),
        (out.0, &out.1),
        ("tag", &v.tag),
    ];
    for (name, value) in fields.iter().filter(|f| !f.1.is_empty()) {
        lines.push(format!("{name} = {value}"));
    }
    lines.iter().map(|l| format!("  {l}\n")).collect()
}

/// The same vector alone.
fn kat(v: &Vector, c: &Configured, again: &Again) -> String {
    let Again { common, vectors } = again;
    let caps = &c.capset.name;
    let mut command =
        format!("capvec kat{common}{vectors} --caps {caps} --vector '{}:{}'", v.file, v.id);
    if let Some(vlen) = c.vlen {
        command += &format!(" --vlen {vlen}");
    }
    if let Some(a) = c.agnostic {
        command += &format!(" --agnostic {}", policy(a));
    }
    command
}

/// With the stock program, where it has a command for it: `openssl enc` knows neither AEAD nor XTS, `openssl mac` no
/// bare GHASH.
fn openssl(algorithm: &Algorithm, v: &Vector, c: &Configured, again: &Again) -> Option<String> {
    let name = &algorithm.algorithm;
    let command = match algorithm.kind {
        Kind::Cipher if name.ends_with("-XTS") => return None,
        Kind::Mac if name == "GHASH" => return None,
        Kind::Cipher => {
            let pad = if algorithm.parameter.is_empty() { " -nopad" } else { "" };
            let iv = if v.iv.is_empty() { String::new() } else { format!(" -iv {}", v.iv) };
            format!("openssl enc -e -{} -K {}{iv}{pad}", name.to_lowercase(), bytes(&v.key))
        }
        Kind::Digest if algorithm.parameter.is_empty() => {
            format!("openssl dgst -{}", name.to_lowercase())
        }
        Kind::Digest => {
            let length = match &v.out {
                Expected::Bytes(hex) => (hex.len() / 2).to_string(),
                Expected::Fnv(_) => algorithm.parameter.clone(),
            };
            format!("openssl dgst -{} -xoflen {length}", name.to_lowercase())
        }
        Kind::Mac => {
            let inside = if name == "HMAC" { "-digest" } else { "-cipher" };
            let iv = if v.iv.is_empty() {
                String::new()
            } else {
                format!(" -macopt hexiv:{}", bytes(&v.iv))
            };
            let of = if algorithm.parameter.is_empty() {
                String::new()
            } else {
                format!(" {inside} {}", algorithm.parameter)
            };
            format!("openssl mac{of} -macopt hexkey:{}{iv} {name}", bytes(&v.key))
        }
        _ => return None,
    };
    let vlen = c.vlen.map_or(String::new(), |v| format!(" --vlen {v}"));
    let env = c
        .capset
        .capstring
        .as_ref()
        .map_or(String::new(), |s| format!(" --isa {s} --env OPENSSL_riscvcap={s}"));
    let feed = format!("printf '{}' |", escaped(&v.input));
    Some(format!("{feed} capvec run{}{vlen}{env} -- {command} | xxd -p -c 0", again.common))
}

/// Hexadecimal, pattern messages written out.
fn bytes(text: &str) -> String {
    match text.strip_prefix('@').and_then(|n| n.parse().ok()) {
        Some(n) => hex::encode(pattern_message(n)),
        None => text.into(),
    }
}

/// For printf.
fn escaped(text: &str) -> String {
    bytes(text).as_bytes().chunks(2).map(|d| format!("\\x{}", String::from_utf8_lossy(d))).collect()
}
