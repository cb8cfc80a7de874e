//! Where a capability is lost on the way from the processor to the library.

use crate::shown::Facts;
use capvec_binscan::{Family, Report};
use capvec_isa::lint::lint;
use capvec_record::Arch;
use capvec_record::doctor::Capability;

/// The sets that the library's dispatch asks for: each selects a path other than the portable one.
pub type Paths = Vec<Vec<String>>;

/// The place of the loss, and the capabilities lost there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The kernel does not show them.
    Kernel(Vec<String>),
    /// The C library does not pass them on.
    Libc(Vec<String>),
    /// The library's environment variable, which replaces detection, leaves them out.
    Variable(Vec<String>),
    /// The library does not use what it is shown.
    Library(Vec<String>),
}

impl Cause {
    /// The lost capabilities.
    pub fn names(&self) -> &[String] {
        match self {
            Cause::Kernel(n) | Cause::Libc(n) | Cause::Variable(n) | Cause::Library(n) => n,
        }
    }

    /// A short explanation.
    pub fn why(&self, facts: &Facts) -> String {
        let names = self.names().join(", ");
        match self {
            Cause::Kernel(_) if facts.hwprobe == Some(false) => {
                format!("riscv_hwprobe does not answer, so the kernel cannot report {names}")
            }
            Cause::Kernel(_) => format!("executed, but not reported by the kernel: {names}"),
            Cause::Libc(_) => {
                format!("reported by the kernel, but not by the C library: {names}")
            }
            Cause::Variable(_) => format!("{} leaves out {names}", variable(facts)),
            Cause::Library(_) => format!("reported, but not used by the library: {names}"),
        }
    }
}

/// The library's environment variable.
pub fn variable(facts: &Facts) -> &'static str {
    Arch::parse(&facts.architecture).unwrap_or(Arch::X86_64).variable()
}

/// Capabilities that execute and that the dispatch asks for, but that the library does not use.
pub fn missing(facts: &Facts, paths: &Paths) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for name in paths.iter().filter(|p| p.iter().all(|c| facts.executes(c))).flatten() {
        // OpenSSL's dispatch asks for "Zvbb or Zvkb" where a path names Zvkb.
        let other = name == "zvkb" && facts.get("zvbb").is_some_and(|c| c.detected == Some(true));
        let lost = facts.get(name).is_some_and(|c| c.detected == Some(false)) && !other;
        if lost && !missing.contains(name) {
            missing.push(name.clone());
        }
    }
    missing
}

/// The first place at which a capability of a path is lost.
pub fn of(facts: &Facts, paths: &Paths) -> Cause {
    let missing = missing(facts, paths);
    let those = |f: &dyn Fn(&Capability) -> bool| {
        let lost = missing.iter().filter(|n| facts.get(n).is_some_and(f));
        lost.cloned().collect::<Vec<_>>()
    };
    if facts.configured.is_some() {
        return Cause::Variable(missing);
    }
    // On x86-64 the library asks the processor, not the kernel.
    let asks = facts.architecture != "x86_64";
    let kernel = those(&|c| c.kernel == Some(false) && asks);
    if !kernel.is_empty() {
        return Cause::Kernel(kernel);
    }
    let libc = those(&|c| c.kernel == Some(true) && c.libc == Some(false));
    if libc.is_empty() { Cause::Library(missing) } else { Cause::Libc(libc) }
}

/// Whether the code has instructions of a capability.
fn has(scan: &Report, name: &str) -> bool {
    let family = match name {
        "zknd" | "zkne" | "zvkned" | "aes" | "aesni" | "vaes" => Family::Aes,
        "zbc" | "zbkc" | "zvbc" | "zvkg" | "pmull" | "pclmul" | "vpclmul" => Family::Ghash,
        "sha1" => Family::Sha1,
        "zknh" | "zvknha" | "zvknhb" | "sha256" | "sha512" | "sha" => Family::Sha2,
        "sha3" => Family::Sha3,
        "zksh" | "zvksh" | "sm3" => Family::Sm3,
        "zksed" | "zvksed" | "sm4" => Family::Sm4,
        // The base of AArch64, whose instructions compilers use too.
        "neon" => return true,
        // An instruction of several extensions is counted for one of them.
        "zvkb" | "zvbb" => return scan.has("zvkb") || scan.has("zvbb"),
        "zbb" | "zbkb" => return scan.has("zbb") || scan.has("zbkb"),
        other => return scan.has(other),
    };
    scan.family(family) > 0
}

/// Whether the library's code has the instructions of a path; `None` if its file is not known.
pub fn is_built(facts: &Facts, path: &[String]) -> Option<bool> {
    let scan = &facts.file.as_ref()?.scan;
    Some(path.iter().all(|name| has(scan, name)))
}

/// For each capability of the paths, what every step on the way reports.
pub fn said(facts: &Facts, paths: &Paths) -> Vec<String> {
    let word = |v: Option<bool>| match v {
        Some(true) => "yes",
        Some(false) => "no",
        None => "says nothing",
    };
    let mut names: Vec<&String> = Vec::new();
    for name in paths.iter().flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let line = |name: &&String| {
        let c = facts.get(name)?;
        let built = facts.file.as_ref().map(|f| has(&f.scan, name));
        Some(format!(
            "{name}: executes {}, kernel {}, C library {}, library {}, in its code {}",
            word(c.executes),
            word(c.kernel),
            word(c.libc),
            word(c.detected),
            word(built)
        ))
    };
    names.iter().filter_map(line).collect()
}

/// The value that a user's capability string should have had, if the library reads the string as something else.
pub fn corrected(value: &str) -> Option<String> {
    let read = lint(value);
    (!read.problems().is_empty()).then(|| read.corrected())
}
