//! Remedies.

use crate::cause::{Cause, corrected, variable};
use crate::judgement::Judgement;
use crate::shown::{Facts, executing};
use capvec_isa::capability::{openssl_parse, openssl_riscvcap};
use capvec_isa::lint::lint;
use capvec_text::shell::word;

/// Version of OpenSSL, such as `3.5`.
fn series(library: &str) -> Option<(u32, u32)> {
    let mut parts = library.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// A release of Linux: its first two numbers.
type Release = (u32, u32);

/// The first Linux whose riscv_hwprobe shows an extension (from the history of Documentation/arch/riscv/hwprobe.rst).
fn linux(name: &str) -> Release {
    match name {
        "v" | "zba" | "zbb" | "zbs" => (6, 5),
        _ => (6, 8),
    }
}

/// The first Linux that has the call.
const HWPROBE: Release = (6, 4);

/// The first two numbers of a release as uname reports it.
fn numbers(release: &str) -> Option<Release> {
    let mut parts = release.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The running release, if it is known.
fn running(facts: &Facts) -> Option<Release> {
    numbers(&facts.kernel)
}

/// Whether Linux of this release has a word for the extension.
pub fn shown_since(release: &str, name: &str) -> bool {
    numbers(release).is_some_and(|own| own >= linux(name))
}

/// The remedy where the kernel hides extensions. Of those that the firmware names, a RISC-V kernel shows the ones it knows.
fn kernel(facts: &Facts, names: &[String]) -> String {
    let needed = names.iter().map(|n| linux(n)).max().unwrap_or((6, 8));
    let (major, minor) = needed;
    let (run, all) = (&facts.kernel, names.join(", "));
    let config =
        if names.iter().any(|n| n == "v") { ", built with CONFIG_RISCV_ISA_V" } else { "" };
    let boot = format!("boot Linux {major}.{minor} or newer{config}");
    let place =
        "in riscv,isa-extensions of the device tree or, with ACPI, in the ISA string of the RHCT";
    match (facts.hwprobe, running(facts)) {
        (Some(false), Some(own)) if own >= HWPROBE => format!(
            "riscv_hwprobe does not answer, though Linux has had it since 6.4 and this is {run}: let the system call filter (a \
             container's seccomp profile) pass it"
        ),
        (Some(false), Some(_)) => format!("{boot}; riscv_hwprobe came with 6.4 and this is {run}"),
        (Some(false), None) => {
            format!("{boot}, or let the container's seccomp filter pass riscv_hwprobe")
        }
        (_, Some(own)) if own < needed => {
            format!("{boot} (this is {run}); firmware has to name {all} {place}")
        }
        (_, Some(_)) => {
            let built =
                if config.is_empty() { "" } else { "have Linux built with CONFIG_RISCV_ISA_V; " };
            let them = if names.len() == 1 { "it" } else { "them" };
            format!(
                "Linux {run} knows {all}; the usual cause is firmware that does not name {them} for every hart: {built}have {them} named {place}"
            )
        }
        (_, None) => format!("{boot}, and have firmware name {all} {place}"),
    }
}

/// The setting that makes the library use everything that executes.
fn setting(facts: &Facts) -> String {
    match facts.architecture.as_str() {
        "riscv64" => format!("{}={}", variable(facts), openssl_riscvcap(executing(facts))),
        _ => format!("{} with the bits of what executes", variable(facts)),
    }
}

/// The remedy for a cause.
pub fn of(facts: &Facts, cause: &Cause) -> String {
    match cause {
        Cause::Kernel(names) if facts.architecture == "riscv64" => {
            format!("{}; until then set {}", kernel(facts, names), setting(facts))
        }
        Cause::Kernel(_) => {
            "remove the word that turns it off (arm64.no…) from the kernel's command line, or boot a newer kernel".into()
        }
        Cause::Libc(_) => {
            "unset GLIBC_TUNABLES and LD_PRELOAD, or use a C library that passes on riscv_hwprobe (glibc 2.40)".into()
        }
        Cause::Variable(_) => unset(facts),
        Cause::Library(_) => library(facts),
    }
}

/// Gives all findings with a kernel that hides something one remedy, which names everything hidden: booting one kernel
/// once fixes them all.
pub fn share(facts: &Facts, judgements: &mut [Judgement]) {
    let mut names: Vec<String> = Vec::new();
    for name in judgements.iter().flat_map(|j| &j.hidden) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let remedy = of(facts, &Cause::Kernel(names));
    for j in judgements.iter_mut().filter(|j| !j.hidden.is_empty()) {
        j.finding.remedy = Some(remedy.clone());
    }
}

fn unset(facts: &Facts) -> String {
    let name = variable(facts);
    let value = facts.configured.as_deref().unwrap_or_default();
    let detection = format!("unset {name}: it replaces detection");
    if facts.architecture != "riscv64" {
        return detection;
    }
    match corrected(value) {
        Some(_) if lint(value).says.is_empty() => {
            format!("{detection}, and {value} names no capability of OpenSSL's")
        }
        Some(better) => format!(
            "{detection}. To keep it, write {better} instead of {value} (`capvec caps lint {}` explains why)",
            word(value)
        ),
        None => detection,
    }
}

fn library(facts: &Facts) -> String {
    match series(&facts.version) {
        Some(v) if v < (3, 4) && facts.architecture == "riscv64" => format!(
            "OpenSSL detects nothing on RISC-V before 3.4: install 3.5, or set {}",
            setting(facts)
        ),
        _ => format!("set {}", setting(facts)),
    }
}

/// The remedy for a library without code for what executes.
pub fn not_built(facts: &Facts) -> String {
    match (series(&facts.version), facts.architecture.as_str()) {
        (Some(v), "riscv64") if v < (3, 3) => {
            "OpenSSL has no vector code for RISC-V before 3.3: install 3.5 or newer".into()
        }
        _ => "build OpenSSL without no-asm, or install the distribution's (Debian: libssl3t64)"
            .into(),
    }
}

/// The remedy where another build of the library has a path that this one lacks.
pub fn other(facts: &Facts, name: &str) -> String {
    let version = facts.version.split(' ').take(2).collect::<Vec<_>>().join(" ");
    format!("{version} as it was built has no such path: use {name}")
}

/// The remedy where another library's code is much faster.
pub fn faster(name: &str) -> String {
    let how = if name == OWN { format!(": {PROVIDER}") } else { String::new() };
    format!("{name} is faster{how}")
}

/// This project's own library, and how programs can use it.
const OWN: &str = "libcapvec";
const PROVIDER: &str = "`capvec build provider` makes libcapvec a provider of OpenSSL 3, for which programs need no change";

/// The remedy for wrong answers.
pub fn wrong(facts: &Facts, portable_is_right: bool) -> String {
    let value = facts.configured.as_deref().filter(|_| facts.architecture == "riscv64");
    let lacking = value.map(|t| openssl_parse(t).minus(executing(facts))).filter(|l| !l.is_empty());
    if let Some(lacking) = lacking {
        return format!(
            "unset {}: it sets {lacking}, which the processor does not execute",
            variable(facts)
        );
    }
    if portable_is_right {
        return format!(
            "portable code is right: set {} until the library is fixed, and report the fault with the output of `capvec kat`",
            portable(facts)
        );
    }
    "portable code is wrong too: do not use this library".into()
}

/// The remedy where code is ended by SIGBUS.
pub fn misaligned(facts: &Facts, portable_is_right: bool) -> String {
    if !portable_is_right {
        return "portable code makes misaligned accesses, too, which end programs with SIGBUS here: do not use this library on this processor".into();
    }
    let portable = portable(facts);
    format!(
        "the accelerated code makes misaligned accesses, which end programs with SIGBUS here: set {portable}, or use code that makes none: {PROVIDER}"
    )
}

/// The setting that makes the library use portable code.
fn portable(facts: &Facts) -> String {
    let value = if facts.architecture == "riscv64" { "rv64gc" } else { "0" };
    format!("{}={value}", variable(facts))
}
