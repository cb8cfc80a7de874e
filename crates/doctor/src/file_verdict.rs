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
/// Nothing that is known here.
pub const UNRECOGNISED: &str = "not recognised";
/// Code for an architecture whose instructions are not known here.
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
fn elsewhere(scan: &Report) -> Judged {
    let (all, machine) = (algorithms(scan).join(", "), scan.machine.name());
    let why =
        format!("has accelerated code for {all}, for {machine}: not this target's architecture");
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
            also("instructions of its architecture are not known here".into(), &known),
        );
    }
    if scan.is_accelerated() {
        let judged = match scan.machine == processor.machine() {
            true => accelerated(scan, processor),
            false => elsewhere(scan),
        };
        return Judged { why: also(judged.why, &calls), ..judged };
    }
    let machine = scan.machine.name();
    if scan.libraries.iter().any(|l| could_have(scan.machine, &l.name)) {
        let why =
            format!("no instruction of {machine} for cryptography beside {}", libraries.join(", "));
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
        return format!("{what}; {machine} has no instruction of its own for that");
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
    let known = "no library, table, word or instruction of cryptography that is known here";
    few(scan).unwrap_or_else(|| known.into())
}

fn remedy(scan: &Report, libraries: &[String]) -> &'static str {
    let any = |front: &str| libraries.iter().any(|l| l.starts_with(front));
    if any("Go ") {
        "Go's own code is all that there is for this architecture: have another program do the bulk (a TLS proxy)"
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
pub mod tests {
    use super::*;
    use capvec_binscan::{Call, Constant, Evidence, Library, Use};

    /// The scan of a file in which nothing was found.
    pub fn empty() -> Report {
        Report {
            machine: Machine::X86_64,
            linkage: Linkage::Dynamic,
            stripped: true,
            soname: None,
            needed: Vec::new(),
            libraries: Vec::new(),
            calls: Vec::new(),
            uses: Vec::new(),
            constants: Vec::new(),
            code_bytes: 100,
        }
    }

    fn constant(what: &'static str, family: Family) -> Constant {
        Constant { what, family, offset: 0 }
    }

    fn library(name: &str) -> Library {
        Library { name: name.into(), version: String::new(), evidence: Evidence::Strings }
    }

    fn aes(extension: &'static str, family: Family) -> Use {
        let functions = Vec::new();
        let sure = true;
        Use { extension, family, count: 10, clusters: 1, largest: 10, address: 0, functions, sure }
    }

    /// Only what was seen is said, and only a library seen to lack accelerated code is slow.
    #[test]
    fn what_is_not_recognised_is_not_denied() {
        let libcrypto = || vec![Call { library: "libcrypto.so.3".into(), by: Means::Needed }];
        let sha = || vec![constant("SHA-256 constants", Family::Sha2)];
        let chacha = || vec![constant("ChaCha20 or Salsa20 constants", Family::General)];
        for (scan, verdict, words) in [
            (empty(), UNRECOGNISED, "known here"),
            (Report { code_bytes: 0, ..empty() }, UNRECOGNISED, "no code"),
            (
                Report { uses: vec![aes("pclmul", Family::Ghash)], ..empty() },
                UNRECOGNISED,
                "checksums",
            ),
            (Report { calls: libcrypto(), ..empty() }, CALLS, "calls libcrypto.so.3"),
            (Report { constants: sha(), ..empty() }, COMPUTES, "no instruction for SHA-2"),
            (
                Report { constants: sha(), calls: libcrypto(), ..empty() },
                COMPUTES,
                "; calls libcrypto.so.3",
            ),
            (Report { constants: chacha(), ..empty() }, COMPUTES, "has no instruction of its own"),
            (
                Report { uses: vec![aes("aesni", Family::Aes)], ..empty() },
                ACCELERATED,
                "code for AES",
            ),
            (
                Report { uses: vec![aes("zvkg", Family::Ghash)], ..empty() },
                ACCELERATED,
                "code for GHASH",
            ),
            (
                Report { machine: Machine::Other, constants: sha(), ..empty() },
                NOT_LOOKED_AT,
                "SHA-256",
            ),
            (
                Report { libraries: vec![library("RustCrypto chacha20")], ..empty() },
                COMPUTES,
                "RustCrypto chacha20",
            ),
        ] {
            let j = judge(&scan, &Processor::Unknown(scan.machine));
            assert_eq!((j.verdict, j.slower), (verdict, false), "{}", j.why);
            assert!(j.why.contains(words) && j.remedy.is_none(), "{}", j.why);
        }
        let built = Report { libraries: vec![library("OpenSSL")], ..empty() };
        let j = judge(&built, &Processor::Unknown(Machine::X86_64));
        assert_eq!((j.verdict, j.slower), (NOT_BUILT, true));
        assert!(j.remedy.is_some_and(|r| r.contains("OpenSSL")));
    }

    /// Code that the processor cannot execute accelerates nothing there.
    #[test]
    fn what_the_processor_lacks_does_not_accelerate() {
        let of = |text: &str| {
            let isa: capvec_isa::Isa = text.parse().unwrap();
            Processor::Core { name: "mine".into(), exts: isa.exts }
        };
        let both = Report {
            machine: Machine::Riscv64,
            uses: vec![aes("zvkned", Family::Aes), aes("zvknha", Family::Sha2)],
            ..empty()
        };
        let j = judge(&both, &of("rv64gcv_zvkned_zvknha"));
        assert_eq!((j.verdict, j.why.as_str()), (ACCELERATED, "code for AES, SHA-2"));
        let j = judge(&both, &of("rv64gcv_zvkned"));
        assert_eq!(j.verdict, ACCELERATED);
        assert_eq!(j.why, "code for AES; also for SHA-2, but the core mine lacks zvknha");
        assert_eq!(j.lacking, ["zvknha"]);
        let j = judge(&both, &of("rv64gcv"));
        assert_eq!((j.verdict, j.slower), (LACKING, false));
        assert_eq!(j.lacking, ["zvkned", "zvknha"]);
        assert!(j.why.contains("uses zvkned, zvknha, which the core mine lacks"), "{}", j.why);
        // One of two extensions for the same algorithm is enough.
        let either = Report {
            uses: vec![aes("zknd", Family::Aes), aes("zvkned", Family::Aes)],
            ..both.clone()
        };
        let j = judge(&either, &of("rv64gcv_zvkned"));
        assert_eq!((j.why.as_str(), j.lacking.is_empty()), ("code for AES", true));
        // The verdict names the extension that its other code needs, and not one that it can do without.
        let also_sm3 = Report {
            uses: [&either.uses[..], &[aes("zvksh", Family::Sm3)]].concat(),
            ..both.clone()
        };
        let j = judge(&also_sm3, &of("rv64gcv_zvkned"));
        assert_eq!(j.why, "code for AES; also for SM3, but the core mine lacks zvksh");
        // Carry-less multiplication alone is not acceleration, even if the processor has nothing else.
        let clmul = Report {
            uses: vec![aes("zbc", Family::Ghash), aes("zvkned", Family::Aes)],
            ..both.clone()
        };
        assert_eq!(judge(&clmul, &of("rv64gc_zbc")).verdict, LACKING);
    }

    /// A file may be scanned anywhere, but accelerates nothing on another architecture, whatever is known of the
    /// processor.
    #[test]
    fn code_of_another_architecture_does_not_accelerate() {
        let isa: capvec_isa::Isa = "rv64gc".parse().unwrap();
        let core = Processor::Core { name: "mine".into(), exts: isa.exts };
        let host = Processor::Host { machine: Machine::Riscv64, words: vec!["zvkned".into()] };
        let x86 = Report { uses: vec![aes("aesni", Family::Aes)], ..empty() };
        for processor in [core, host, Processor::Unknown(Machine::Aarch64)] {
            let j = judge(&x86, &processor);
            assert_eq!((j.verdict, j.slower), (OTHER_ARCHITECTURE, false));
            assert_eq!(
                j.why,
                "has accelerated code for AES, for x86_64: not this target's architecture"
            );
        }
    }

    #[test]
    fn of_some_crates_no_instruction_can_be_missing() {
        use Machine::{Aarch64, Riscv64};
        assert!(!could_have(Riscv64, "RustCrypto sha3") && could_have(Aarch64, "RustCrypto sha3"));
        assert!(!could_have(Riscv64, "Go crypto (x/chacha20poly1305, x/chacha20)"));
        assert!(could_have(Riscv64, "Go crypto (aes, x/chacha20)"));
        assert!(could_have(Riscv64, "OpenSSL") && could_have(Riscv64, "ring"));
    }
}
