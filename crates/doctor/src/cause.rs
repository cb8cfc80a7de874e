//! Where a capability is lost on the way from the processor to the library.

use crate::facts::Facts;
use crate::judge::Paths;
use capvec_binscan::{Family, Report};
use capvec_isa::lint::lint;
use capvec_record::Arch;

/// Where, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The kernel does not show them.
    Kernel(Vec<String>),
    /// The C library does not hand them on.
    Libc(Vec<String>),
    /// The library's environment variable replaces what it would detect.
    Told(Vec<String>),
    /// The library does not take what is shown.
    Library(Vec<String>),
}

impl Cause {
    /// Which are lost.
    pub fn names(&self) -> &[String] {
        match self {
            Cause::Kernel(n) | Cause::Libc(n) | Cause::Told(n) | Cause::Library(n) => n,
        }
    }

    /// In short.
    pub fn why(&self, facts: &Facts) -> String {
        let names = self.names().join(", ");
        match self {
            Cause::Kernel(_) if facts.hwprobe == Some(false) => {
                format!(
                    "riscv_hwprobe does not answer, so the kernel does not show what executes: {names}"
                )
            }
            Cause::Kernel(_) => format!("the kernel does not show what executes: {names}"),
            Cause::Libc(_) => format!("the kernel shows {names}, the C library does not"),
            Cause::Told(_) => format!("{} leaves out {names}", variable(facts)),
            Cause::Library(_) => format!("the library does not use what is shown: {names}"),
        }
    }
}

/// The library's environment variable.
pub fn variable(facts: &Facts) -> &'static str {
    Arch::parse(&facts.architecture).unwrap_or(Arch::X86_64).variable()
}

/// What executes, is asked for and is not used by the library.
pub fn missing(facts: &Facts, paths: &Paths) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for name in paths.iter().filter(|p| p.iter().all(|c| facts.executes(c))).flatten() {
        // OpenSSL asks for Zvkb as "Zvbb or Zvkb".
        let other = name == "zvkb" && facts.get("zvbb").is_some_and(|c| c.detected == Some(true));
        let lost = facts.get(name).is_some_and(|c| c.detected == Some(false)) && !other;
        if lost && !missing.contains(name) {
            missing.push(name.clone());
        }
    }
    missing
}

/// The first place at which something is lost that a path asks for.
pub fn of(facts: &Facts, paths: &Paths) -> Cause {
    let missing = missing(facts, paths);
    let those = |f: &dyn Fn(&crate::facts::Capability) -> bool| {
        let lost = missing.iter().filter(|n| facts.get(n).is_some_and(f));
        lost.cloned().collect::<Vec<_>>()
    };
    if facts.told.is_some() {
        return Cause::Told(missing);
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

/// Instructions of a capability are in the code.
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
        // An instruction that several extensions have is counted for one of them.
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

/// What is said of the capabilities that paths ask for, by each on the way.
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

/// The value that a user's capability string should have had, if it says something else than the library reads.
pub fn corrected(told: &str) -> Option<String> {
    let read = lint(told);
    (!read.problems().is_empty()).then(|| read.corrected())
}
