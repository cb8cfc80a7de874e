//! Which language runtimes and libraries do not use what a processor has, from what was measured (`riscv.toml`).

use crate::{Findings, Processor};
use anyhow::{Context, Result};
use capvec_binscan::Machine;
use capvec_record::doctor::RuntimeFinding;
use capvec_text::digits::RATIO;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What is known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    openssl: Cycles,
    runtime: Vec<Runtime>,
}

/// Cycles per byte, by case.
type Cycles = BTreeMap<String, f64>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Runtime {
    name: String,
    version: String,
    package: String,
    #[serde(default)]
    subject: String,
    computes: Vec<String>,
    #[serde(default)]
    uses: Vec<String>,
    #[serde(default)]
    cycles: Cycles,
    source: String,
    remedy: Option<String>,
}

/// An algorithm's usual name, and the extensions of which its fast code needs any one; first the one that other algorithms need, too.
fn algorithm(name: &str) -> Option<(&'static str, &'static [&'static str])> {
    Some(match name {
        "aes" => ("AES", &["zvkned"]),
        "ghash" => ("GCM", &["zvkg"]),
        "sha256" => ("SHA-256", &["zvknhb", "zvknha"]),
        "sha512" => ("SHA-512", &["zvknhb"]),
        "sm3" => ("SM3", &["zvksh"]),
        "sm4" => ("SM4", &["zvksed"]),
        "chacha20" => ("ChaCha20", &["zvkb"]),
        _ => return None,
    })
}

fn table() -> Result<Table> {
    toml::from_str(include_str!("riscv.toml")).context("runtimes/riscv.toml")
}

/// Which runtimes do not use what the processor has. `None` if nothing is known for its architecture.
///
/// # Errors
/// The table is broken.
pub fn runtimes(processor: &Processor) -> Result<Option<Findings>> {
    if processor.machine() != Machine::Riscv64 {
        return Ok(None);
    }
    let table = table()?;
    let found = table.runtime.iter().map(|r| finding(r, &table.openssl, processor));
    Ok(Some(Findings::of_runtimes(found.collect::<Result<_>>()?)))
}

fn finding(r: &Runtime, openssl: &Cycles, processor: &Processor) -> Result<RuntimeFinding> {
    let (mut used, mut unused, mut extensions) = (Vec::new(), Vec::new(), Vec::new());
    for name in &r.computes {
        let (title, needs) = algorithm(name).with_context(|| format!("algorithm {name}"))?;
        let Some(has) = needs.iter().find(|e| processor.may_have(e)) else { continue };
        let uses = r.uses.contains(name);
        if !uses && !extensions.contains(&has.to_string()) {
            extensions.push(has.to_string());
        }
        if uses { &mut used } else { &mut unused }.push(title);
    }
    let verdict = match (used.is_empty(), unused.is_empty()) {
        (true, true) => "extension lacking",
        (false, true) => "accelerated",
        (true, false) => "not built",
        (false, false) => "partly not built",
    };
    let times = |case: &str, title: &str| {
        let ratio = r.cycles.get(case)? / openssl.get(case)?;
        Some(format!("{title} takes {} times OpenSSL's cycles", RATIO.text(ratio)))
    };
    let measured = [("aes-128-gcm", "AES-128-GCM", "AES"), ("sha256", "SHA-256", "SHA-256")];
    // What the processor could not accelerate either is no loss.
    let lost = measured.iter().filter(|(.., algorithm)| unused.contains(algorithm));
    let measured: Vec<String> = lost.filter_map(|(case, title, _)| times(case, title)).collect();
    let mut why = match (used.is_empty(), unused.is_empty()) {
        (true, true) => format!("{} has no extension that fast code would use", processor.name()),
        (false, true) => format!("extensions are used for {}", used.join(", ")),
        (true, false) => format!("no code that uses extensions for {}", unused.join(", ")),
        (false, false) => format!(
            "extensions are used for {}, but not for {}",
            used.join(", "),
            unused.join(", ")
        ),
    };
    let slower = !unused.is_empty();
    if slower && !measured.is_empty() {
        why += &format!("; on the core karu64, {}", measured.join(", "));
    }
    Ok(RuntimeFinding {
        runtime: r.name.clone(),
        version: r.version.clone(),
        package: r.package.clone(),
        subject: (!r.subject.is_empty()).then(|| r.subject.clone()),
        verdict: verdict.into(),
        slower,
        unused: extensions,
        why,
        source: r.source.clone(),
        remedy: r.remedy.clone().filter(|_| slower),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(isa: &str) -> Vec<RuntimeFinding> {
        let isa: capvec_isa::Isa = isa.parse().unwrap();
        let core = Processor::Core { name: "mine".into(), exts: isa.exts };
        runtimes(&core).unwrap().expect("RISC-V is known").runtimes
    }

    #[test]
    fn only_what_the_processor_has_is_unused() {
        let all = found("rv64gcv_zvkng_zvksg");
        let of = |name: &str, version: &str| {
            let is = |r: &&RuntimeFinding| r.runtime == name && r.version.starts_with(version);
            all.iter().find(is).unwrap_or_else(|| panic!("{name} {version}"))
        };
        let nettle = of("nettle", "");
        assert_eq!((nettle.verdict.as_str(), nettle.slower), ("not built", true));
        let unused = ["zvkned", "zvkg", "zvknhb", "zvksh", "zvksed", "zvkb"];
        assert_eq!(nettle.unused, unused);
        assert!(nettle.why.contains("AES-128-GCM takes 48.80 times"), "{}", nettle.why);
        let node = of("Node", "");
        assert!(!node.slower && node.unused.is_empty() && node.remedy.is_none(), "{node:?}");
        let java = of("OpenJDK JCA", "25");
        assert_eq!(java.verdict, "partly not built");
        assert!(java.remedy.as_ref().is_some_and(|r| r.contains("-XX:+UseZvkn")), "{java:?}");
        for r in found("rv64gc") {
            assert_eq!((r.verdict.as_str(), r.slower), ("extension lacking", false), "{r:?}");
        }
        let only = found("rv64gcv_zvknha");
        let nettle = only.iter().find(|r| r.runtime == "nettle").unwrap();
        assert_eq!(nettle.unused, ["zvknha"]);
        assert!(nettle.why.starts_with("no code that uses extensions for SHA-256;"), "{nettle:?}");
        assert!(nettle.why.contains("SHA-256 takes") && !nettle.why.contains("GCM"), "{nettle:?}");
    }

    #[test]
    fn other_architectures_are_not_described() {
        assert!(runtimes(&Processor::of(capvec_record::Arch::X86_64)).unwrap().is_none());
    }

    /// The figures and versions are those of the page.
    #[test]
    fn the_page_has_the_figures() {
        let page = include_str!("../../../../docs/libraries.md");
        let cells = |line: &'static str| -> Vec<&'static str> {
            line.split('|').map(str::trim).filter(|c| !c.is_empty()).collect()
        };
        let lines = |case: &'static str| {
            page.lines().filter(move |l| l.starts_with(&format!("| {case} |")))
        };
        let head = page.lines().find(|l| l.starts_with("| case | nettle")).expect("a table");
        let table = table().unwrap();
        for (case, title) in [("aes-128-gcm", "AES-128-GCM"), ("sha256", "SHA-256")] {
            let all: Vec<f64> =
                lines(title).flat_map(cells).filter_map(|c| c.parse().ok()).collect();
            for r in table
                .runtime
                .iter()
                .filter_map(|r| r.cycles.get(case))
                .chain(table.openssl.get(case))
            {
                assert!(all.contains(r), "{title}: {r} in {all:?}");
            }
        }
        for r in table.runtime.iter().filter(|r| !r.subject.is_empty()) {
            let name = r.name.replace(" crypto", "");
            assert!(head.contains(&format!("{name} {}", r.version)), "{name} {}", r.version);
        }
    }
}
