//! Jobs for the driver: `crates/guest/driver/check/kat_main.c` describes the protocol.

use super::Algorithm;
use super::format::{Expected, Vector, length};
use anyhow::{Context, Result, bail};
use capvec_bench::case::{Kind, Operation};
use capvec_isa::disasm::disassemble_word;
use capvec_util::fnv;
use serde::{Deserialize, Serialize};

/// The result of checking a vector.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Number of checks.
    pub checks: u64,
    /// FNV-1a of all outputs of the library: equal if it behaves equally.
    pub seen: u64,
    /// Whether it was refused before the operation under test, because of a key, an IV or a parameter.
    pub early: bool,
    /// What the library lacks, so that nothing was checked.
    pub absent: Option<String>,
    /// The form that fails, and how.
    pub failure: Option<String>,
}

/// The line that requests the check of a vector.
pub fn line(algorithm: &Algorithm, v: &Vector) -> String {
    let operation = v.operation(algorithm);
    let kind = algorithm.kind.driver(operation);
    // For verification, the driver takes the signature as associated data.
    let (aad, out) = match (operation, &v.out) {
        (Operation::Verify, Expected::Bytes(signature)) => (signature.as_str(), "01".to_string()),
        (_, Expected::Bytes(hex)) => (v.aad.as_str(), hex.clone()),
        (_, Expected::Fnv(digest)) => (v.aad.as_str(), format!("#{digest:016x}")),
    };
    // Tags, extendable outputs and codes of KMAC have the length that the vector gives.
    let parameter = match (algorithm.kind, &v.out) {
        (Kind::Aead, Expected::Bytes(_)) => (v.tag.len() / 2).to_string(),
        (Kind::Digest, Expected::Bytes(hex)) if !algorithm.parameter.is_empty() => {
            length(hex).to_string()
        }
        (Kind::Mac, Expected::Bytes(hex)) if algorithm.algorithm.starts_with("KMAC") => {
            length(hex).to_string()
        }
        _ => algorithm.parameter.clone(),
    };
    // The choices that forms leave open differ between vectors, but not between runs.
    let seed = fnv(format!("{} {}", v.file, v.id).as_bytes()) >> 8;
    let dash = |text: &str| if text.is_empty() { "-".to_string() } else { text.to_string() };
    let words =
        [&parameter, operation.name(), &v.key, &v.iv, aad, &v.input, &out, &v.tag].map(dash);
    let (name, outcome) = (&algorithm.algorithm, v.outcome.name());
    format!("kat {kind} {name} {} {outcome} {seed}", words.join(" "))
}

/// Reads the line with the answer.
///
/// # Errors
/// The driver does not understand the job.
pub fn read(text: &str) -> Result<Checked> {
    if let Some(name) = text.strip_prefix("absent ") {
        return Ok(Checked { absent: Some(name.into()), ..Checked::default() });
    }
    let mut words = text.splitn(5, ' ');
    if words.next() != Some("kat") {
        bail!("the driver answers a vector with \"{text}\"");
    }
    let bad = || format!("the driver answers a vector with \"{text}\"");
    let checks = words.next().and_then(|w| w.parse().ok()).with_context(bad)?;
    let seen = words.next().and_then(|w| u64::from_str_radix(w, 16).ok()).with_context(bad)?;
    let early = match words.next() {
        Some("0") => false,
        Some("1") => true,
        _ => bail!(bad()),
    };
    Ok(Checked { checks, seen, early, absent: None, failure: words.next().map(String::from) })
}

/// Adds the assembly text of the RISC-V instruction whose word a failure by a signal names.
pub fn with_assembly(failure: &str) -> String {
    let name = |text: &str| {
        let (before, rest) = text.split_once(INSTRUCTION)?;
        let (word, after) = rest.split_at_checked(8)?;
        let assembly = disassemble_word(u32::from_str_radix(word, 16).ok()?, 64, 0)?;
        Some(format!("{before}{INSTRUCTION}{word} ({assembly}){after}"))
    };
    name(failure).unwrap_or_else(|| failure.into())
}

/// What the driver writes before the word of an instruction (`on_signal` of kat.c).
const INSTRUCTION: &str = ", instruction ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_by_a_signal_shows_the_instruction() {
        // vle32.v v12, (a1): nf 0, vm 1, rs1 11, width 6, vd 12 (the V specification, chapter 7).
        let bus = "hash, unaligned: SIGBUS at pc 0x3f80, instruction 0205e607, address 0x3f71";
        let shown = "hash, unaligned: SIGBUS at pc 0x3f80, instruction 0205e607 (vle32.v v12, (a1)), address 0x3f71";
        assert_eq!(with_assembly(bus), shown);
        for other in
            ["in place: byte 1", "SIGILL at pc 0x1, instruction ffff", "x, instruction ffffffff"]
        {
            assert_eq!(with_assembly(other), other);
        }
    }

    #[test]
    fn answers_are_read() {
        let ok = Checked { checks: 12, seen: 255, ..Checked::default() };
        assert_eq!(read("kat 12 00000000000000ff 0").unwrap(), ok);
        let failed = Checked { early: true, failure: Some("in place: byte 1".into()), ..ok };
        assert_eq!(read("kat 12 ff 1 in place: byte 1").unwrap(), failed);
        let absent = Checked { absent: Some("SM4-GCM".into()), ..Checked::default() };
        assert_eq!(read("absent SM4-GCM").unwrap(), absent);
        for bad in
            ["error bad kat job", "kat", "kat x 1 0", "kat 1 xyz 0", "kat 1 ff", "kat 1 ff 2"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
