//! Capability sets on architectures where the library's variable holds numbers: `cases/overrides.toml`.

use super::CapSet;
use super::dispatch::fits;
use super::value::{read, words};
use crate::case::Case;
use anyhow::{Context, Result, bail};
use capvec_isa::ExtSet;
use capvec_record::Arch;
use capvec_targets::Probe;
use capvec_targets::probe::UNREPORTED;
use capvec_text::escape;
use serde::Deserialize;

const TEXT: &str = include_str!("../../../../../cases/overrides.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    aarch64: Override,
    x86_64: Override,
}

/// The variable that configures a library, and the meaning of its bits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Override {
    /// The environment variable.
    #[serde(skip)]
    variable: &'static str,
    capability: Vec<Capability>,
    /// Capabilities that select no code of a case.
    #[serde(default)]
    reported: Vec<Capability>,
    rule: Vec<Rule>,
}

/// A bit of the library's variable, and the kernel's names for the same capability.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capability {
    name: String,
    word: usize,
    bit: u32,
    #[serde(default)]
    needs: Vec<String>,
    cpuinfo: Option<String>,
    hwcap: Option<(usize, u32)>,
}

impl Capability {
    /// Whether it is among those that the library reports with these words; `None` if the library has no such word.
    pub fn is_in(&self, words: &[u64]) -> Option<bool> {
        words.get(self.word).map(|w| w >> self.bit & 1 != 0)
    }

    /// The word by which /proc/cpuinfo shows it, if it does.
    pub fn cpuinfo(&self) -> &str {
        self.cpuinfo.as_deref().unwrap_or(&self.name)
    }

    /// The bit by which the kernel shows it to programs: 0 for AT_HWCAP or 1 for AT_HWCAP2, and the bit's position.
    pub fn hwcap(&self) -> Option<(usize, u32)> {
        self.hwcap
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    algorithms: Vec<String>,
    asks: Vec<String>,
}

/// A set of such capabilities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masked {
    /// The names of the capabilities.
    pub names: Vec<String>,
    /// What the library should then report that it uses, by word.
    pub expected: Vec<u64>,
}

impl Override {
    /// The override of an architecture; `None` if its variable holds names instead.
    ///
    /// # Errors
    /// The file is broken.
    pub fn of(arch: Arch) -> Result<Option<Override>> {
        let file: File = toml::from_str(TEXT).context("cases/overrides.toml")?;
        let bits = match arch {
            Arch::Aarch64 => file.aarch64,
            Arch::X86_64 => file.x86_64,
            Arch::Riscv64 => return Ok(None),
        };
        Ok(Some(Override { variable: arch.variable(), ..bits }))
    }

    fn get(&self, name: &str) -> Option<&Capability> {
        self.capability.iter().find(|c| c.name == name)
    }

    /// The capability of this name, also one that selects no code of a case.
    pub fn reported(&self, name: &str) -> Option<&Capability> {
        self.get(name).or_else(|| self.reported.iter().find(|c| c.name == name))
    }

    /// These capabilities and their prerequisites, in the order of the file.
    pub(super) fn closed(&self, names: &[String]) -> Vec<String> {
        let mut all = names.to_vec();
        let mut at = 0;
        while let Some(c) = all.get(at).map(|n| self.get(n)) {
            for need in c.map_or(&[][..], |c| &c.needs) {
                if !all.contains(need) {
                    all.push(need.clone());
                }
            }
            at += 1;
        }
        let known = self.capability.iter().filter(|c| all.contains(&c.name));
        known.map(|c| c.name.clone()).collect()
    }

    /// The capabilities that the library detects, according to the words that it reports.
    pub fn detected(&self, words: &[u64]) -> Vec<String> {
        let there = self.capability.iter().filter(|c| c.is_in(words) == Some(true));
        there.map(|c| c.name.clone()).collect()
    }

    /// The names of all capabilities.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.capability.iter().map(|c| c.name.as_str())
    }

    /// The capabilities that the case's dispatch asks for.
    pub fn asks(&self, case: &Case) -> &[String] {
        let names = [&case.algorithm, &case.parameter];
        let fit = |r: &&Rule| r.algorithms.iter().any(|p| names.iter().any(|n| fits(p, n)));
        self.rule.iter().find(fit).map_or(&[], |r| &r.asks)
    }

    /// The capabilities that the case's dispatch asks for and the processor has.
    pub fn relevant(&self, case: &Case, words: &[u64]) -> Vec<String> {
        let there = self.detected(words);
        self.asks(case).iter().filter(|a| there.contains(a)).cloned().collect()
    }

    /// A set of what the library detects and of `names`, detected or not; the processor must execute them.
    pub fn beyond(&self, name: &str, names: &[String], words: &[u64]) -> CapSet {
        let mut expected = words.to_vec();
        let there = self.detected(words);
        let all: Vec<String> = there.into_iter().chain(names.iter().cloned()).collect();
        for c in self.capability.iter().filter(|c| all.contains(&c.name)) {
            if let Some(word) = expected.get_mut(c.word) {
                *word |= 1 << c.bit;
            }
        }
        let value = expected.iter().map(|w| format!("{w:#x}")).collect::<Vec<_>>().join(":");
        let masked = Some(Masked { names: self.closed(&all), expected });
        CapSet { capstring: Some(value), masked, ..CapSet::bare(name) }
    }

    /// The set of those of `names` that the processor has.
    pub(super) fn set(&self, name: &str, names: &[String], words: &[u64]) -> CapSet {
        // A library without a dispatch has nothing to configure.
        if words.is_empty() {
            return CapSet::bare(name);
        }
        let names = self.closed(names);
        let mut expected = words.to_vec();
        let mut cleared = vec![0; words.len()];
        for c in self.capability.iter().filter(|c| !names.contains(&c.name)) {
            if let (Some(word), Some(mask)) = (expected.get_mut(c.word), cleared.get_mut(c.word)) {
                *word &= !(1 << c.bit);
                *mask |= 1u64 << c.bit;
            }
        }
        let value = if self.variable == Arch::X86_64.variable() {
            cleared.iter().map(|m| format!("~{m:#x}")).collect::<Vec<_>>().join(":")
        } else {
            format!("{:#x}", expected.first().copied().unwrap_or(0))
        };
        CapSet {
            capstring: Some(value),
            masked: Some(Masked { names, expected }),
            ..CapSet::bare(name)
        }
    }

    pub(super) fn parse(&self, name: &str, words: &[u64]) -> Result<CapSet> {
        let there = self.detected(words);
        match name {
            "scalar" => return Ok(self.set(name, &[], words)),
            "full" => return Ok(self.set(name, &there, words)),
            "auto" => {
                let masked = Masked { names: there, expected: words.to_vec() };
                let masked = Some(masked).filter(|_| !words.is_empty());
                return Ok(CapSet { masked, ..CapSet::bare(name) });
            }
            _ => {}
        }
        if let Some(value) = name.strip_prefix(super::name::VERBATIM) {
            if value.contains('\0') {
                bail!(
                    "--caps {}: an environment variable cannot hold a null character",
                    escape::line(name)
                );
            }
            // A library that reports nothing cannot be checked.
            let masked = (!words.is_empty()).then(|| {
                let expected = read(self.variable, value, words);
                Masked { names: self.detected(&expected), expected }
            });
            return Ok(CapSet { capstring: Some(value.into()), masked, ..CapSet::bare(name) });
        }
        let names: Vec<String> = name.split('_').map(String::from).collect();
        let all = || self.capability.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
        if let Some(unknown) = names.iter().find(|n| self.get(n).is_none()) {
            bail!(
                "--caps {name}: {} has no capability {unknown}; there are {}",
                self.variable,
                all()
            );
        }
        if let Some(absent) = self.closed(&names).iter().find(|n| !there.contains(n)) {
            bail!(
                "--caps {name}: the library does not detect {absent} here, and would run into illegal instructions; \
                 it detects {}",
                there.join(", ")
            );
        }
        Ok(self.set(name, &names, words))
    }
}

impl CapSet {
    /// A set without extensions for the hart.
    fn bare(name: &str) -> CapSet {
        CapSet {
            name: name.into(),
            exts: ExtSet::EMPTY,
            capstring: None,
            expected: ExtSet::EMPTY,
            warnings: Vec::new(),
            unless_libcapvec: Vec::new(),
            beyond_core: false,
            masked: None,
        }
    }
}

impl Masked {
    /// How the library's report deviates from the set; `None` if it does not.
    pub fn disagreement(&self, probe: &Probe) -> Option<String> {
        let settings = probe.settings();
        match words(settings) {
            None => Some(UNREPORTED.into()),
            // Words that only newer libraries have stay as they are.
            Some(said) if said.iter().zip(&self.expected).all(|(a, b)| a == b) => None,
            Some(_) => {
                let expected: Vec<String> =
                    self.expected.iter().map(|w| format!("{w:#x}")).collect();
                Some(format!("the library reports {settings} instead of {}", expected.join(":")))
            }
        }
    }
}

#[cfg(test)]
mod tests;
