//! Verdicts on files: what is recognised in them, and never more than that.

use crate::processor::Processor;
use capvec_binscan::{Family, Linkage, Machine, Means, Report, Use};

/// What is said about a file.
pub struct Judged {
    pub verdict: &'static str,
    /// Whether it was seen to be slower than it could be.
    pub slower: bool,
    pub why: String,
    pub remedy: Option<String>,
    /// Extensions that some of its code uses and the processor lacks: this code cannot run there.
    pub lacking: Vec<&'static str>,
}

/// It has instructions for an algorithm.
pub const ACCELERATED: &str = "accelerated";
/// It has such instructions, and the processor executes none of them.
pub const LACKING: &str = "extension lacking";
/// It has such instructions, for another architecture than the target's.
pub const OTHER_ARCHITECTURE: &str = "other architecture";
/// A cryptographic library without any of them.
pub const NOT_BUILT: &str = "not built";
/// Tables or constants of algorithms, without any of them.
pub const COMPUTES: &str = "computes itself";
/// None of these, but it names a library.
pub const CALLS: &str = "calls a library";
/// Nothing that capvec knows.
pub const UNRECOGNISED: &str = "not recognised";
/// Code for an architecture whose instructions capvec does not know.
pub const NOT_LOOKED_AT: &str = "not looked at";
/// The file was named or needed, and does not exist.
pub const NOT_FOUND: &str = "not found";
/// The file exists and cannot be read.
pub const NOT_READ: &str = "not read";

fn said(verdict: &'static str, why: String) -> Judged {
    Judged { verdict, slower: false, why, remedy: None, lacking: Vec::new() }
}

/// Whether an architecture has dedicated instructions for these algorithms.
fn has_instructions(machine: Machine, family: Family) -> bool {
    match family {
        Family::General | Family::Chacha => false,
        Family::Sha1 => machine != Machine::Riscv64,
        Family::Sha3 => machine == Machine::Aarch64,
        _ => machine != Machine::Other,
    }
}

/// Whether such instructions could serve a part of a library: true for all but packages of ChaCha20 and the like.
fn could_have(machine: Machine, library: &str) -> bool {
    let parts = ["RustCrypto ", "Go crypto ("].iter().find_map(|front| library.strip_prefix(front));
    let Some(parts) = parts else { return true };
    let parts = parts.split([',', ')']).map(|p| p.trim().trim_start_matches("x/"));
    parts.filter(|p| !p.is_empty()).any(|part| match part {
        // The modes belong to whichever cipher is in the same file.
        "chacha20" | "chacha20poly1305" | "poly1305" | "ctr" | "cbc" => false,
        "sha1" => has_instructions(machine, Family::Sha1),
        "sha3" | "keccak" => has_instructions(machine, Family::Sha3),
        _ => true,
    })
}

/// Libraries with their versions.
pub fn libraries(scan: &Report) -> Vec<String> {
    let one = |l: &capvec_binscan::Library| format!("{} {}", l.name, l.version).trim().to_string();
    scan.libraries.iter().map(one).collect()
}

/// The libraries that a file loads or names.
pub fn calls(scan: &Report) -> Vec<String> {
    let one = |c: &capvec_binscan::Call| match c.by {
        Means::Needed | Means::Symbols => format!("calls {}", c.library),
        Means::Name => format!("may load {}", c.library),
    };
    scan.calls.iter().map(one).collect()
}

fn also(mut why: String, more: &[String]) -> String {
    if !more.is_empty() {
        why += "; ";
        why += &more.join(", ");
    }
    why
}

/// The name of an algorithm, as this file uses it.
fn algorithm(scan: &Report, family: Family) -> &'static str {
    match family {
        // Carry-less multiplication: the instructions of Zvkg serve only GHASH.
        Family::Ghash if scan.has("zvkg") => "GHASH",
        family => family.name(),
    }
}

/// The algorithms that it has dedicated instructions for.
fn algorithms(scan: &Report) -> Vec<&'static str> {
    let all = Family::OWN.iter().filter(|f| scan.family(**f) > 0);
    all.map(|f| algorithm(scan, *f)).collect()
}

/// The verdict on accelerated code for another architecture than the target's.
fn other_architecture(scan: &Report) -> Judged {
    let (all, machine) = (algorithms(scan).join(", "), scan.machine.name());
    let why = format!(
        "has accelerated code for {all}, but for {machine}, which is not this target's architecture"
    );
    said(OTHER_ARCHITECTURE, why)
}

/// Judges accelerated code by which of its extensions the processor executes.
fn accelerated(scan: &Report, processor: &Processor) -> Judged {
    let own = |u: &&Use| u.sure && u.family != Family::General;
    let lacks = |u: &&Use| processor.lacks(scan.machine, u);
    let lacking = |runs: &[&str]| {
        let mut lacking: Vec<&'static str> = Vec::new();
        // An algorithm that runs with one extension does not need the alternatives.
        let uses = scan.uses.iter().filter(own).filter(lacks);
        for u in uses.filter(|u| !runs.contains(&algorithm(scan, u.family))) {
            if !lacking.contains(&u.extension) {
                lacking.push(u.extension);
            }
        }
        lacking
    };
    let name = processor.name();
    let uses = scan.uses.iter().filter(|u| !lacks(u)).cloned().collect();
    let here = Report { uses, ..scan.clone() };
    let all = algorithms(scan);
    if !here.is_accelerated() {
        let lacking = lacking(&[]);
        let why = format!(
            "code for {} uses {}, which {name} lacks, so this code cannot run here",
            all.join(", "),
            lacking.join(", ")
        );
        return Judged { lacking, ..said(LACKING, why) };
    }
    let runs = algorithms(&here);
    let why = format!("code for {}", runs.join(", "));
    let rest: Vec<&str> = all.into_iter().filter(|a| !runs.contains(a)).collect();
    if rest.is_empty() {
        return said(ACCELERATED, why);
    }
    let lacking = lacking(&runs);
    let rest = format!("also for {}, but {name} lacks {}", rest.join(", "), lacking.join(", "));
    Judged { lacking, ..said(ACCELERATED, also(why, &[rest])) }
}

/// Judges a scan for a processor.
pub fn judge(scan: &Report, processor: &Processor) -> Judged {
    let (libraries, calls) = (libraries(scan), calls(scan));
    let constants: Vec<&str> = scan.constants.iter().map(|c| c.what).collect();
    if scan.machine == Machine::Other {
        let mut known = libraries;
        known.extend(constants.iter().map(|c| c.to_string()));
        return said(
            NOT_LOOKED_AT,
            also("capvec does not know the instructions of its architecture".into(), &known),
        );
    }
    if scan.is_accelerated() {
        let judged = match scan.machine == processor.machine() {
            true => accelerated(scan, processor),
            false => other_architecture(scan),
        };
        return Judged { why: also(judged.why, &calls), ..judged };
    }
    let machine = scan.machine.name();
    if scan.libraries.iter().any(|l| could_have(scan.machine, &l.name)) {
        let why = format!(
            "{} without an instruction of {machine} for cryptography",
            libraries.join(", ")
        );
        let remedy = Some(remedy(scan, &libraries).into());
        return Judged { slower: true, remedy, ..said(NOT_BUILT, also(why, &calls)) };
    }
    if !libraries.is_empty() || !constants.is_empty() {
        return said(COMPUTES, also(computes(scan, &libraries, &constants), &calls));
    }
    if !calls.is_empty() {
        let few: Vec<String> = few(scan).into_iter().collect();
        return said(CALLS, also(calls.join(", "), &few));
    }
    said(UNRECOGNISED, unrecognised(scan))
}

/// Why a file that does cryptography itself is called neither accelerated nor slow.
fn computes(scan: &Report, libraries: &[String], constants: &[&str]) -> String {
    let what = if libraries.is_empty() { constants.join(", ") } else { libraries.join(", ") };
    let machine = scan.machine.name();
    let mut lacking: Vec<&str> = Vec::new();
    for c in scan.constants.iter().filter(|c| has_instructions(scan.machine, c.family)) {
        if !lacking.contains(&c.family.name()) {
            lacking.push(c.family.name());
        }
    }
    if lacking.is_empty() {
        return format!("{what}; {machine} has no dedicated instruction for that");
    }
    format!("{what}; no instruction for {}", lacking.join(", "))
}

/// Algorithms whose instructions are too few to be distinguished from data among code.
fn few(scan: &Report) -> Option<String> {
    let own = scan.uses.iter().filter(|u| u.family != Family::General && !u.sure);
    let one = |u: &capvec_binscan::Use| format!("{} of {}", u.count, u.extension);
    let all: Vec<String> = own.map(one).collect();
    (!all.is_empty())
        .then(|| format!("instructions too few to be distinguished from data: {}", all.join(", ")))
}

fn unrecognised(scan: &Report) -> String {
    if scan.family(Family::Ghash) > 0 {
        return "carry-less multiplication alone, which checksums use too".into();
    }
    if scan.code_bytes == 0 {
        return "no code in it".into();
    }
    let known = "no cryptographic library, table, constant or instruction that capvec knows";
    few(scan).unwrap_or_else(|| known.into())
}

fn remedy(scan: &Report, libraries: &[String]) -> &'static str {
    let any = |front: &str| libraries.iter().any(|l| l.starts_with(front));
    if any("Go ") {
        "Go has only portable code for this architecture: let another program do most of the work (a TLS proxy)"
    } else if any("RustCrypto") {
        "build with target features of the processor (-C target-feature), or with aws-lc-rs or OpenSSL instead"
    } else if any("OpenSSL") && matches!(scan.linkage, Linkage::Shared | Linkage::Archive) {
        "install or build OpenSSL with assembly for this architecture (on riscv64, 3.3 or newer)"
    } else if matches!(scan.linkage, Linkage::Shared | Linkage::Archive) {
        "see whether a newer release of it has code for this architecture; OpenSSL 3.5 has, for programs that can use either"
    } else {
        "link it with a library that has code for this architecture (OpenSSL 3.5), shared, so that it can be replaced"
    }
}

#[cfg(test)]
pub mod tests;
