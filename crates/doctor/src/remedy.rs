//! What to do about it.

use crate::cause::{Cause, corrected, variable};
use crate::facts::Facts;
use capvec_isa::capability::{openssl_parse, openssl_riscvcap};

/// Version of OpenSSL, as `3.5`.
fn series(library: &str) -> Option<(u32, u32)> {
    let mut parts = library.split_whitespace().nth(1)?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The first Linux whose riscv_hwprobe shows an extension (Documentation/arch/riscv/hwprobe.rst, by its history).
fn linux(name: &str) -> &'static str {
    match name {
        "v" => "6.5, built with CONFIG_RISCV_ISA_V",
        "zba" | "zbb" | "zbs" => "6.5",
        _ => "6.8",
    }
}

/// The variable that has the library use all that executes.
fn tell(facts: &Facts) -> String {
    match facts.architecture.as_str() {
        "riscv64" => format!("{}={}", variable(facts), openssl_riscvcap(facts.executing())),
        _ => format!("{} with the bits of what executes", variable(facts)),
    }
}

/// What to do about a cause.
pub fn of(facts: &Facts, cause: &Cause) -> String {
    match cause {
        Cause::Kernel(names) if facts.architecture == "riscv64" => {
            let newest = names.iter().map(|n| linux(n)).max().unwrap_or("6.8");
            // A container's filter of system calls may not know it.
            let filter = match facts.hwprobe {
                Some(false) => " (or let the container's seccomp filter pass riscv_hwprobe)",
                _ => "",
            };
            format!("boot Linux {newest} or newer{filter}; until then set {}", tell(facts))
        }
        Cause::Kernel(_) => {
            "remove what turns it off from the kernel's command line (arm64.no…), or boot a newer kernel".into()
        }
        Cause::Libc(_) => {
            "unset GLIBC_TUNABLES and LD_PRELOAD, or use a C library that hands on riscv_hwprobe (glibc 2.40)".into()
        }
        Cause::Told(_) => told(facts),
        Cause::Library(_) => library(facts),
    }
}

fn told(facts: &Facts) -> String {
    let name = variable(facts);
    let value = facts.told.as_deref().unwrap_or_default();
    match corrected(value).filter(|_| facts.architecture == "riscv64") {
        Some(better) => format!(
            "unset {name}: it replaces detection; what {value} was to say is {better} (`capvec caps lint {value}`)"
        ),
        None => format!("unset {name}: it replaces detection"),
    }
}

fn library(facts: &Facts) -> String {
    match series(&facts.version) {
        Some(v) if v < (3, 4) && facts.architecture == "riscv64" => format!(
            "OpenSSL detects nothing on RISC-V before 3.4: install 3.5, or set {}",
            tell(facts)
        ),
        _ => format!("set {}", tell(facts)),
    }
}

/// What to do about a library without code for it.
pub fn not_built(facts: &Facts) -> String {
    match (series(&facts.version), facts.architecture.as_str()) {
        (Some(v), "riscv64") if v < (3, 3) => {
            "OpenSSL has no vector code for RISC-V before 3.3: install 3.5 or newer".into()
        }
        _ => "build OpenSSL without no-asm, or install the distribution's (Debian: libssl3t64)"
            .into(),
    }
}

/// What to do where another library has a path that this one lacks.
pub fn other(facts: &Facts, name: &str) -> String {
    let version = facts.version.split(' ').take(2).collect::<Vec<_>>().join(" ");
    format!("{version} has no such path: use {name}, or a newer release of the library")
}

/// What to do about wrong answers.
pub fn wrong(facts: &Facts, portable_is_right: bool) -> String {
    let told = facts.told.as_deref().filter(|_| facts.architecture == "riscv64");
    let lacking = told.map(|t| openssl_parse(t).minus(facts.executing())).filter(|l| !l.is_empty());
    if let Some(lacking) = lacking {
        return format!(
            "unset {}: it sets {lacking}, which the processor does not execute",
            variable(facts)
        );
    }
    if portable_is_right {
        let value = if facts.architecture == "riscv64" { "rv64gc" } else { "0" };
        return format!(
            "portable code is right: set {}={value} until the library is mended, and report it with `capvec kat`",
            variable(facts)
        );
    }
    "portable code is wrong too: do not use this library".into()
}
