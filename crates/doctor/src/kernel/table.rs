//! What is known about the kernel's implementations: the files next to this one.

use super::release::Release;
use anyhow::{Context, Result};
use serde::Deserialize;

/// A kernel architecture that the tables describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    Riscv,
    X86,
    Arm64,
}

impl Arch {
    const ALL: [Arch; 3] = [Arch::Riscv, Arch::X86, Arch::Arm64];

    /// The name in a configuration's head: `# Linux/riscv 6.12.117 Kernel Configuration`.
    pub fn name(self) -> &'static str {
        match self {
            Arch::Riscv => "riscv",
            Arch::X86 => "x86",
            Arch::Arm64 => "arm64",
        }
    }

    pub fn parse(name: &str) -> Option<Arch> {
        Arch::ALL.into_iter().find(|a| a.name() == name)
    }

    fn text(self) -> &'static str {
        match self {
            Arch::Riscv => include_str!("riscv.toml"),
            Arch::X86 => include_str!("x86.toml"),
            Arch::Arm64 => include_str!("arm64.toml"),
        }
    }
}

/// What is known for an architecture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub implementation: Vec<Implementation>,
    pub build: Vec<Build>,
}

/// Accelerated code for an algorithm.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    pub algorithm: String,
    /// Extensions, as /proc/cpuinfo names them. All are needed.
    pub extensions: Vec<String>,
    /// Without any of these options, the kernel has no code for the algorithm.
    pub portable: Vec<String>,
    /// Names of the algorithm in /proc/crypto.
    pub names: Vec<String>,
    /// Parts of its drivers' names there.
    pub drivers: Vec<String>,
    /// The options that build it, oldest first.
    pub built: Vec<String>,
}

/// An option that builds such code.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    pub option: String,
    /// The module; `None` if the code becomes part of a library, which chooses it at boot.
    pub module: Option<String>,
    pub rules: Vec<Rule>,
}

/// What an option needs, from a release on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub since: Release,
    pub needs: Vec<String>,
}

impl Build {
    /// The rule that holds for a release.
    pub fn rule(&self, release: &Release) -> Option<&Rule> {
        self.rules.iter().rfind(|r| r.since <= *release)
    }

    /// The first release that has the option.
    pub fn since(&self) -> Option<&Release> {
        self.rules.first().map(|r| &r.since)
    }
}

/// What is known about options and words of the command line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remarks {
    pub option: Vec<OptionRemark>,
    pub cmdline: Vec<Word>,
}

/// An option that is in the way.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionRemark {
    pub name: String,
    /// Options that it needs.
    pub also: Vec<String>,
    /// When it may be set.
    pub only: String,
}

/// A word of the kernel's command line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// One that ends in `=` has a value.
    pub word: String,
    pub what: String,
}

/// The table of an architecture.
pub fn table(arch: Arch) -> Result<Table> {
    toml::from_str(arch.text()).with_context(|| format!("{}.toml", arch.name()))
}

/// The remarks.
pub fn remarks() -> Result<Remarks> {
    toml::from_str(include_str!("options.toml")).context("options.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every option that a row names is described, its rules are in order, and every option of a later release that replaces one is
    /// newer.
    #[test]
    fn the_tables_are_whole() {
        remarks().unwrap();
        for arch in Arch::ALL {
            let table = table(arch).unwrap();
            for i in &table.implementation {
                let builds: Vec<&Build> = i
                    .built
                    .iter()
                    .map(|o| {
                        table.build.iter().find(|b| b.option == *o).unwrap_or_else(|| panic!("{o}"))
                    })
                    .collect();
                assert!(builds.iter().map(|b| b.since()).is_sorted(), "{}", i.algorithm);
                assert!(!i.names.is_empty() && !i.drivers.is_empty() && !i.portable.is_empty());
            }
            for b in &table.build {
                assert!(b.rules.iter().map(|r| &r.since).is_sorted() && !b.rules.is_empty());
                assert!(
                    table.implementation.iter().any(|i| i.built.contains(&b.option)),
                    "{}",
                    b.option
                );
            }
        }
    }
}
