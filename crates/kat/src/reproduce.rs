//! How to reproduce a failure, with as little as possible.

use super::Algorithm;
use super::format::{Expected, Vector};
use super::run::{Configured, ReproduceFlags};
use capvec_bench::case::{Kind, pattern_message};
use capvec_isa::Isa;
use capvec_isa::variable::OPENSSL_RISCVCAP;
use capvec_text::shell;

/// Commands and data, indented, one on each line.
pub fn text(
    algorithm: &Algorithm,
    v: &Vector,
    failure: &str,
    c: &Configured,
    flags: &ReproduceFlags,
) -> String {
    let mut lines = vec![kat(v, c, flags)];
    let stock = openssl(algorithm, v, failure, c, flags).filter(|_| flags.stock);
    lines.extend(stock);
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
fn kat(v: &Vector, c: &Configured, flags: &ReproduceFlags) -> String {
    let ReproduceFlags { common, target_flags, .. } = flags;
    let caps = shell::word(&c.capset.name);
    let vector = shell::word(&format!("{}:{}", v.file, v.id));
    let mut command = format!("capvec kat{common}{target_flags} --caps {caps} --vector {vector}");
    if let Some(vlen) = c.vlen {
        command += &format!(" --vlen {vlen}");
    }
    if let Some(policy) = c.policy() {
        command += &format!(" --agnostic {policy}");
    }
    command
}

/// The command of the stock program, where there is one: `openssl enc` supports neither AEAD nor XTS, `openssl mac` no
/// bare GHASH.
fn openssl(
    algorithm: &Algorithm,
    v: &Vector,
    failure: &str,
    c: &Configured,
    flags: &ReproduceFlags,
) -> Option<String> {
    let name = &algorithm.algorithm;
    let decrypts = algorithm.kind == Kind::Cipher && failure.starts_with("decrypt");
    let input = match (&v.out, decrypts) {
        (_, false) => &v.input,
        (Expected::Bytes(ciphertext), true) => ciphertext,
        // The bytes of a ciphertext cannot be recovered from its digest.
        (Expected::Fnv(_), true) => return None,
    };
    let command = match algorithm.kind {
        Kind::Cipher if name.ends_with("-XTS") => return None,
        Kind::Cipher => {
            let pad = if algorithm.parameter.is_empty() { " -nopad" } else { "" };
            let iv = if v.iv.is_empty() { String::new() } else { format!(" -iv {}", hex(&v.iv)) };
            let direction = if decrypts { "-d" } else { "-e" };
            let name = name.to_lowercase();
            format!("openssl enc {direction} -{name} -K {}{iv}{pad}", hex(&v.key))
        }
        Kind::Digest => digest(algorithm, v)?,
        Kind::Mac => mac(algorithm, v)?,
        _ => return None,
    };
    // The other commands print digits themselves.
    let digits = if algorithm.kind == Kind::Cipher { " | od -An -v -tx1" } else { "" };
    let feed = format!("printf '{}' |", shell::printf(&hex::decode(hex(input)).ok()?));
    Some(format!("{feed} capvec run{}{} -- {command}{digits}", flags.common, hart(c)))
}

/// The stock program's command for a digest.
fn digest(algorithm: &Algorithm, v: &Vector) -> Option<String> {
    let name = &algorithm.algorithm;
    let dgst = format!("openssl dgst -{}", name.to_lowercase());
    if algorithm.parameter.is_empty() {
        return Some(dgst);
    }
    // No option of the program sets the customization string.
    if name.starts_with("CSHAKE") {
        return None;
    }
    let length = match &v.out {
        Expected::Bytes(hex) => (hex.len() / 2).to_string(),
        Expected::Fnv(_) => algorithm.parameter.clone(),
    };
    Some(format!("{dgst} -xoflen {length}"))
}

/// The stock program's command for an authentication code.
fn mac(algorithm: &Algorithm, v: &Vector) -> Option<String> {
    let name = &algorithm.algorithm;
    let key = hex(&v.key);
    let with_iv = |option: &str| match v.iv.is_empty() {
        true => String::new(),
        false => format!(" -macopt {option}:{}", hex(&v.iv)),
    };
    if name == "GHASH" {
        return None;
    }
    if name.starts_with("KMAC") {
        let Expected::Bytes(out) = &v.out else { return None };
        let (length, custom) = (hex(out).len() / 2, with_iv("hexcustom"));
        let options = format!("-macopt size:{length} -macopt hexkey:{key}{custom}");
        return Some(format!("openssl mac {options} {name}"));
    }
    let inside = if name == "HMAC" { "-digest" } else { "-cipher" };
    let of = match algorithm.parameter.as_str() {
        "" => String::new(),
        parameter => format!(" {inside} {parameter}"),
    };
    Some(format!("openssl mac{of} -macopt hexkey:{key}{} {name}", with_iv("hexiv")))
}

/// Flags for the hart and the library of this configuration.
fn hart(c: &Configured) -> String {
    let mut flags = String::new();
    if let Some(value) = &c.capset.capstring {
        // A value that the user gave verbatim is not an ISA string; the hart gets the extensions that it stands for.
        let isa = match c.capset.is_verbatim() {
            true => Isa { xlen: 64, exts: c.capset.exts }.to_string(),
            false => value.clone(),
        };
        let variable = shell::word(&format!("{OPENSSL_RISCVCAP}={value}"));
        flags = format!(" --isa {isa} --env {variable}");
    }
    if let Some(vlen) = c.vlen {
        flags += &format!(" --vlen {vlen}");
    }
    if let Some(policy) = c.policy() {
        flags += &format!(" --agnostic {policy}");
    }
    flags
}

/// Hexadecimal, pattern messages written out.
fn hex(text: &str) -> String {
    match text.strip_prefix('@').and_then(|n| n.parse().ok()) {
        Some(n) => hex::encode(pattern_message(n)),
        None => text.into(),
    }
}
