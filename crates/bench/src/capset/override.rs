//! Capability sets of architectures whose variable is a number: `cases/overrides.toml`.

use super::dispatch::fits;
use super::{CapSet, Wanted};
use crate::arch::Arch;
use crate::case::Case;
use crate::probe::Probe;
use anyhow::{Context, Result, bail};
use capvec_isa::ExtSet;
use serde::Deserialize;

const TEXT: &str = include_str!("../../../../cases/overrides.toml");
/// More sets than this in one family are a mistake.
const MOST: usize = 512;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    aarch64: Override,
    x86_64: Override,
}

/// The bits by which a library is told what to use.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Override {
    variable: String,
    capability: Vec<Capability>,
    rule: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Capability {
    name: String,
    word: usize,
    bit: u32,
    #[serde(default)]
    needs: Vec<String>,
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
    /// Their names.
    pub names: Vec<String>,
    /// What the library should then say that it uses, by word.
    pub expected: Vec<u64>,
}

/// The numbers in what the library says of itself: `OPENSSL_armcap=0x6ffd`, `OPENSSL_ia32cap=0x1:0x2 env:...`.
pub fn words(settings: &str) -> Option<Vec<u64>> {
    let value = settings.split_once("cap=")?.1.split(' ').next()?;
    value.split(':').map(|w| u64::from_str_radix(w.trim_start_matches("0x"), 16).ok()).collect()
}

impl Override {
    /// Of an architecture; `None` if its variable has names instead.
    ///
    /// # Errors
    /// The file is broken.
    pub fn of(arch: Arch) -> Result<Option<Override>> {
        let file: File = toml::from_str(TEXT).context("cases/overrides.toml")?;
        Ok(match arch {
            Arch::Aarch64 => Some(file.aarch64),
            Arch::X86_64 => Some(file.x86_64),
            Arch::Riscv64 => None,
        })
    }

    fn get(&self, name: &str) -> Option<&Capability> {
        self.capability.iter().find(|c| c.name == name)
    }

    /// With what each of them needs, in the order of the file.
    fn closed(&self, names: &[String]) -> Vec<String> {
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

    fn has(words: &[u64], c: &Capability) -> bool {
        words.get(c.word).is_some_and(|w| w >> c.bit & 1 != 0)
    }

    /// Those that the library detects, of words that it says.
    pub fn detected(&self, words: &[u64]) -> Vec<String> {
        self.capability.iter().filter(|c| Override::has(words, c)).map(|c| c.name.clone()).collect()
    }

    /// Names of all that there are.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.capability.iter().map(|c| c.name.as_str())
    }

    /// What an algorithm asks for.
    pub fn asks(&self, case: &Case) -> &[String] {
        let names = [&case.algorithm, &case.parameter];
        let fit = |r: &&Rule| r.algorithms.iter().any(|p| names.iter().any(|n| fits(p, n)));
        self.rule.iter().find(fit).map_or(&[], |r| &r.asks)
    }

    /// What an algorithm asks for of what there is.
    pub fn relevant(&self, case: &Case, words: &[u64]) -> Vec<String> {
        let there = self.detected(words);
        self.asks(case).iter().filter(|a| there.contains(a)).cloned().collect()
    }

    /// The set with what the library detects and these besides, whether it detects them or not: they must be known to
    /// execute.
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

    /// The set with these names, of those that there are.
    fn set(&self, name: &str, names: &[String], words: &[u64]) -> CapSet {
        // A library without code that is chosen has nothing to be told.
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
        let value = match self.variable.as_str() {
            "OPENSSL_ia32cap" => {
                cleared.iter().map(|m| format!("~{m:#x}")).collect::<Vec<_>>().join(":")
            }
            _ => format!("{:#x}", expected.first().copied().unwrap_or(0)),
        };
        CapSet {
            capstring: Some(value),
            masked: Some(Masked { names, expected }),
            ..CapSet::bare(name)
        }
    }

    fn parse(&self, name: &str, words: &[u64]) -> Result<CapSet> {
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
        if let Some(value) = name.strip_prefix(super::VERBATIM) {
            if value.contains('\0') {
                bail!("--caps {name:?}: an environment variable cannot hold a null character");
            }
            let masked = self
                .read(value, words)
                .map(|expected| Masked { names: self.detected(&expected), expected });
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
                 there are {}",
                there.join(", ")
            );
        }
        Ok(self.set(name, &names, words))
    }

    /// What the library makes of a value where it detects `words`; `None` if it says nothing of itself.
    fn read(&self, value: &str, words: &[u64]) -> Option<Vec<u64>> {
        if words.is_empty() {
            return None;
        }
        if self.variable == "OPENSSL_ia32cap" {
            let mut given = value.split(':');
            let each = words.iter().enumerate();
            return Some(each.map(|(i, w)| intel(given.next().unwrap_or(""), *w, i)).collect());
        }
        // strtoul(value, NULL, 0) into an unsigned int, which replaces what is detected (crypto/armcap.c).
        Some(vec![strtoul(value) & u64::from(u32::MAX)])
    }

    /// Each capability by itself, with what it needs.
    fn singles(&self, words: &[u64]) -> Vec<CapSet> {
        let there = self.detected(words);
        let whole =
            |n: &&String| self.closed(std::slice::from_ref(n)).iter().all(|m| there.contains(m));
        there.iter().filter(whole).map(|n| self.set(n, std::slice::from_ref(n), words)).collect()
    }

    /// Every set of what the case asks for.
    fn subsets(&self, case: &Case, words: &[u64]) -> Result<Vec<CapSet>> {
        let asked = self.relevant(case, words);
        if asked.len() > MOST.ilog2() as usize {
            bail!("--caps all-subsets: {} asks for too many capabilities", case.id);
        }
        let choose = |bits: usize| {
            let chosen = asked.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0);
            let names: Vec<String> = chosen.map(|(_, n)| n.clone()).collect();
            let name = if names.is_empty() { "scalar".into() } else { names.join("_") };
            self.set(&name, &names, words)
        };
        Ok((0..1 << asked.len()).map(choose).collect())
    }

    /// The sets that `names` stand for, each once, on a processor where the library says `words` of itself: as
    /// [`super::expand`]; `dispatch` is what each case asks for, together and one by one.
    ///
    /// # Errors
    /// Names the flag and what is wrong with the name.
    pub fn expand(&self, names: &[String], cases: &[Case], words: &[u64]) -> Result<Vec<Wanted>> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let all: Vec<usize> = (0..cases.len()).collect();
        let mut add = |capset: CapSet, cases: &[usize]| match wanted
            .iter_mut()
            .find(|w| w.capset.same_as(&capset))
        {
            Some(w) => {
                w.cases.extend(cases);
                w.cases.sort_unstable();
                w.cases.dedup();
            }
            None => wanted.push(Wanted { capset, cases: cases.to_vec() }),
        };
        for name in names {
            match name.as_str() {
                "singles" => {
                    add(self.set("scalar", &[], words), &all);
                    self.singles(words).into_iter().for_each(|s| add(s, &all));
                }
                "dispatch" | "all-subsets" | "published" => {
                    for (i, case) in cases.iter().enumerate() {
                        let sets = self.subsets(case, words)?;
                        let last = sets.len().saturating_sub(1);
                        for (k, set) in sets.into_iter().enumerate() {
                            // Nothing, one at a time, everything.
                            let path = k == 0 || k == last || k.is_power_of_two();
                            let taken = match name.as_str() {
                                "dispatch" => path,
                                "published" => k == last,
                                _ => true,
                            };
                            if taken {
                                add(set, &[i]);
                            }
                        }
                    }
                }
                _ => add(self.parse(name, words)?, &all),
            }
        }
        Ok(wanted)
    }
}

/// A number as C's strtoul of base 0 reads it: what is none is 0.
fn strtoul(text: &str) -> u64 {
    let text = text.trim_start().trim_start_matches('+');
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    let digits = digits.chars().map_while(|c| c.to_digit(radix));
    digits.fold(0u64, |n, d| n.saturating_mul(radix.into()).saturating_add(d.into()))
}

/// A word of OPENSSL_ia32cap, which `~` begins if it is what to clear (crypto/cpuid.c): without FXSR, bit 24 of the first,
/// there is no AES-NI, PCLMUL, XOP and AVX either.
fn intel(value: &str, detected: u64, word: usize) -> u64 {
    const FXSR: u64 = 1 << 24;
    const WITH_FXSR: u64 = 1 << 33 | 1 << 43 | 1 << 57 | 1 << 60;
    match value.strip_prefix('~').map(strtoul) {
        Some(mask) if word == 0 && mask & FXSR != 0 => detected & !mask & !WITH_FXSR,
        Some(mask) => detected & !mask,
        None if value.is_empty() => detected,
        None => strtoul(value),
    }
}

impl CapSet {
    /// A set without extensions of a hart.
    fn bare(name: &str) -> CapSet {
        CapSet {
            name: name.into(),
            exts: ExtSet::EMPTY,
            capstring: None,
            expected: ExtSet::EMPTY,
            warnings: Vec::new(),
            beyond_core: false,
            masked: None,
        }
    }
}

impl Masked {
    /// What is wrong with what the library says of itself; `None` if nothing is.
    pub fn disagreement(&self, probe: &Probe) -> Option<String> {
        let settings = probe.settings();
        match words(settings) {
            None => Some("the library does not say what it uses".into()),
            // Words that only newer libraries know stay as they are.
            Some(said) if said.iter().zip(&self.expected).all(|(a, b)| a == b) => None,
            Some(_) => {
                let expected: Vec<String> =
                    self.expected.iter().map(|w| format!("{w:#x}")).collect();
                Some(format!("the library says {settings} instead of {}", expected.join(":")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::select;

    /// What the library says under qemu-aarch64 10.0, and of an x86-64 server.
    const ARM: &str = "OPENSSL_armcap=0x6ffd";
    const X86: &str = "OPENSSL_ia32cap=0xfffa32034f8bffff:0x1a415f46f1bf2ffb env:~0x0";

    fn expanded(arch: Arch, settings: &str, names: &[&str], cases: &[&str]) -> Result<Vec<Wanted>> {
        let owned = |v: &[&str]| v.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        let o = Override::of(arch).unwrap().unwrap();
        o.expand(&owned(names), &select(&owned(cases)).unwrap(), &words(settings).unwrap())
    }

    fn values(wanted: &[Wanted]) -> Vec<(&str, &str)> {
        wanted
            .iter()
            .map(|w| (w.capset.name.as_str(), w.capset.capstring.as_deref().unwrap_or("")))
            .collect()
    }

    /// Bits 1 and 7 choose no code and stay as they are.
    #[test]
    fn arm_sets_are_numbers() {
        let sets =
            expanded(Arch::Aarch64, ARM, &["scalar", "aes_pmull", "full", "auto"], &["sha256"])
                .unwrap();
        let expected =
            [("scalar", "0x80"), ("aes_pmull", "0xa5"), ("full", "0x6ffd"), ("auto", "")];
        assert_eq!(values(&sets), expected);
        assert_eq!(sets[1].capset.size(), 3);
    }

    #[test]
    fn intel_sets_clear_what_they_lack() {
        let sets = expanded(Arch::X86_64, X86, &["full", "aesni"], &["sha256"]).unwrap();
        assert_eq!(sets[0].capset.capstring.as_deref(), Some("~0x0:~0x0"));
        // Without AES-NI (57) and SSSE3 (41): PCLMUL 33, AVX 60; and all of the second word.
        let low = 1u64 << 33 | 1 << 60;
        let value = sets[1].capset.capstring.clone().unwrap();
        assert!(value.starts_with(&format!("~{low:#x}:~0x600")), "{value}");
    }

    /// `0` leaves nothing on arm64, where it replaces; on x86-64 `~0` does, and `0x0` of a first word leaves the second.
    #[test]
    fn the_user_s_own_values_are_read_as_the_library_does() {
        let read = |arch, settings: &str, value: &str| {
            let sets =
                expanded(arch, settings, &[&format!("string:{value}")], &["sha256"]).unwrap();
            let set = &sets[0].capset;
            assert_eq!((set.capstring.as_deref(), set.is_verbatim()), (Some(value), true));
            set.masked.clone().unwrap()
        };
        let arm = |value: &str| read(Arch::Aarch64, ARM, value);
        assert_eq!((arm("0").names.len(), arm("0").expected), (0, vec![0]));
        assert_eq!(arm("0x5").names, ["neon", "aes"]);
        assert_eq!((arm("045").expected, arm("37").expected), (vec![0x25], vec![0x25]));
        assert_eq!(arm("rubbish").expected, [0]);
        let intel = |value: &str| read(Arch::X86_64, X86, value);
        assert_eq!(intel("~0x200000200000000").names.iter().find(|n| *n == "aesni"), None);
        assert!(intel("~0x200000200000000").names.contains(&"avx2".to_string()));
        let fxsr = intel("~0x1000000").names;
        assert!(!fxsr.iter().any(|n| ["aesni", "pclmul", "avx"].contains(&n.as_str())), "{fxsr:?}");
        assert_eq!(intel(":~0x20").expected[0], words(X86).unwrap()[0]);
        assert_eq!(intel("0x0:0x0").expected, [0, 0]);
    }

    #[test]
    fn what_the_processor_lacks_is_refused() {
        let e = |caps: &str| {
            format!("{:#}", expanded(Arch::Aarch64, ARM, &[caps], &["sha256"]).unwrap_err())
        };
        assert!(e("unroll8eor3").contains("illegal instructions"), "{}", e("unroll8eor3"));
        assert!(e("zvkned").contains("--caps") && e("zvkned").contains("neon"));
    }

    #[test]
    fn families() {
        let names =
            |wanted: Vec<Wanted>| wanted.into_iter().map(|w| w.capset.name).collect::<Vec<_>>();
        let sets = expanded(Arch::Aarch64, ARM, &["dispatch"], &["aes-128-gcm", "sm3"]).unwrap();
        assert_eq!(names(sets), ["scalar", "aes", "pmull", "aes_pmull", "sm3"]);
        let sets = names(expanded(Arch::Aarch64, ARM, &["singles"], &["sm3"]).unwrap());
        assert!(
            sets.contains(&"sha512".into()) && !sets.contains(&"unroll8eor3".into()),
            "{sets:?}"
        );
    }

    #[test]
    fn a_library_that_says_otherwise_is_noticed() {
        let says = |text: &str| Probe { library: text.into(), ..Probe::default() };
        let o = Override::of(Arch::Aarch64).unwrap().unwrap();
        let set = o.parse("scalar", &words(ARM).unwrap()).unwrap().masked.unwrap();
        assert_eq!(set.disagreement(&says("OPENSSL_armcap=0x80 env:0x80")), None);
        assert!(set.disagreement(&says(ARM)).unwrap().contains("0x80"));
        assert!(set.disagreement(&says("N/A")).is_some());
    }

    /// A misspelt name would silently be without effect.
    #[test]
    fn names_in_the_file_exist() {
        for arch in [Arch::Aarch64, Arch::X86_64] {
            let o = Override::of(arch).unwrap().unwrap();
            let cases = crate::case::all().unwrap();
            for name in o
                .capability
                .iter()
                .flat_map(|c| &c.needs)
                .chain(o.rule.iter().flat_map(|r| &r.asks))
            {
                assert!(o.get(name).is_some(), "{name}");
            }
            for pattern in o.rule.iter().flat_map(|r| &r.algorithms) {
                let known = cases
                    .iter()
                    .any(|c| fits(pattern, &c.algorithm) || fits(pattern, &c.parameter));
                assert!(known, "{pattern}");
            }
        }
    }
}
