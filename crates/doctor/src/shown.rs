//! For each capability that cryptography uses: whether the processor, the kernel, the C library, the library and the
//! library's code have it.

use crate::trial::{self, Tried};
use anyhow::{Context, Result, bail};
use capvec_bench::capset::{CapSet, Override, words};
use capvec_bench::driver_protocol::{Job, Outcome};
use capvec_bench::requests::Jobs;
use capvec_bench::run::{Configuration, Died, Runner};
use capvec_binscan::Report;
use capvec_guest::Program;
use capvec_isa::capability::{Misaligned, hwprobe_exts, hwprobe_knows, openssl_known};
use capvec_isa::{Ext, ExtSet};
use capvec_record::doctor::{Capability, LibraryFile};
use capvec_record::{Arch, Kind};
use capvec_targets::backend::Work;
use capvec_targets::probe::{IMA_EXT_0, Probe};
use std::collections::BTreeMap;

/// The keys of riscv_hwprobe for misaligned accesses of scalar and of vector instructions (`MISALIGNED_SCALAR_PERF`, `…_VECTOR_PERF`).
const MISALIGNED: [i64; 2] = [9, 10];

/// Everything that is reported about a target.
pub type Facts = capvec_record::doctor::Facts<Report>;

/// What the kernel and the C library each show.
#[derive(Debug, Default, PartialEq, Eq)]
struct Shown {
    /// `[libc, kernel]` of AT_HWCAP and AT_HWCAP2.
    hwcap: [Option<u64>; 2],
    hwcap2: [Option<u64>; 2],
    /// The same of riscv_hwprobe's key IMA_EXT_0.
    extensions: [Option<u64>; 2],
    flags: String,
    /// The release, as uname reports it.
    release: String,
}

impl Shown {
    fn parse(text: &str) -> Result<Shown> {
        let field = |name: &str| {
            let found = text.split('\t').find_map(|f| f.strip_prefix(name)?.strip_prefix('='));
            found.with_context(|| format!("no {name} in \"{text}\""))
        };
        let hex = |v: &str| u64::from_str_radix(v, 16).ok();
        let both = |pair: &str| {
            let (libc, kernel) = pair.split_once(':').unwrap_or((pair, ""));
            [hex(libc), hex(kernel)]
        };
        let key = format!("{IMA_EXT_0}:");
        let extensions = field("hwprobe")?.split(',').find_map(|p| p.strip_prefix(key.as_str()));
        Ok(Shown {
            hwcap: both(field("hwcap")?),
            hwcap2: both(field("hwcap2")?),
            extensions: extensions.map_or([None; 2], both),
            flags: field("flags")?.into(),
            release: field("release").unwrap_or_default().into(),
        })
    }
}

/// Whether the C library (0) or the kernel (1) shows a capability of RISC-V.
fn shows_extension(shown: &Shown, name: &str, who: usize) -> Option<bool> {
    let ext = Ext::from_name(name)?;
    // The letters in AT_HWCAP, of which the library uses V.
    let letter = (ext == Ext::V).then(|| shown.hwcap[who].map(|w| w >> 21 & 1 != 0));
    if let Some(v) = letter.flatten() {
        return Some(v);
    }
    if !hwprobe_knows(ext) {
        return None;
    }
    match shown.extensions[who] {
        Some(bits) => Some(hwprobe_exts(bits).has(ext)),
        // Without the call, the kernel shows nothing, and the C library is not asked.
        None if who == 1 => Some(false),
        None => None,
    }
}

/// The same on an architecture whose capabilities are in this table.
fn shows_bit(bits: &Override, arch: Arch, shown: &Shown, name: &str, who: usize) -> Option<bool> {
    let capability = bits.reported(name)?;
    if arch == Arch::Aarch64 {
        let (word, bit) = capability.hwcap()?;
        let value = if word == 0 { shown.hwcap } else { shown.hwcap2 };
        return value[who].map(|v| v >> bit & 1 != 0);
    }
    // On x86-64 the library asks the processor directly.
    let asked = who == 1 && !shown.flags.is_empty();
    asked.then(|| shown.flags.split_whitespace().any(|f| f == capability.cpuinfo()))
}

/// The driver's answers about the hart and the library's version.
fn introduce(runner: &Runner, c: &Configuration) -> Result<(String, Probe)> {
    let mut outcomes = runner.run(c, Jobs(&[vec![Job::Version, Job::Probe]]))?;
    match outcomes.pop().transpose()?.as_deref() {
        Some([Outcome::Version(version), Outcome::Probe(probe)]) => {
            Ok((version.clone(), probe.clone()))
        }
        _ => bail!("the driver did not introduce itself"),
    }
}

/// The capabilities in this table, or else those of RISC-V, and whether the library detects each.
fn detected(bits: Option<&Override>, probe: &Probe) -> BTreeMap<String, Option<bool>> {
    let Some(o) = bits else {
        let report = Probe::library_report(probe);
        let says = |e: Ext| report.map(|r| r.exts.has(e));
        return openssl_known().map(|e| (e.name().to_string(), says(e))).collect();
    };
    let words = words(probe.settings());
    let there = words.as_ref().map(|w| o.detected(w));
    let says = |n: &String| there.as_ref().map(|t| t.contains(n));
    o.names().map(|n| (n.to_string(), says(&n.to_string()))).collect()
}

/// Queries a target: its facts, and what the library reports if nothing configures it. `stock` is the configuration that is
/// diagnosed.
///
/// # Errors
/// The target cannot be queried, or its library cannot be read.
pub fn ask(runner: &Runner, stock: &Configuration) -> Result<(Facts, String)> {
    let (target, arch) = (runner.target(), runner.target().arch());
    let bare = CapSet { capstring: None, ..stock.capset.clone() };
    let own = Configuration { capset: bare, ..stock.clone() };
    let (own_version, own_probe) = introduce(runner, &own).context("asking the library")?;
    let own_settings = own_probe.settings().to_string();
    let (version, probe, dies) = match introduce(runner, stock) {
        Ok((version, probe)) => (version, probe, None),
        // A library that is configured for what the processor lacks may not even start.
        Err(e) if stock.capset.capstring.is_some() && e.is::<Died>() => {
            (own_version, own_probe, Some(e.to_string()))
        }
        Err(e) => return Err(e).context("asking the library"),
    };
    let answers = runner.run(&own, Work::driver(Program::Trial, trial::lines(arch)));
    let answers = answers.context("trying instructions")?.stdout;
    let (shown, tried) = trial::read(arch, &answers)?;
    let shown = Shown::parse(&shown)?;
    let bits = Override::of(arch)?;
    let capabilities = detected(bits.as_ref(), &probe).into_iter().map(|(name, detected)| {
        let executes = match tried.iter().find(|(n, _)| *n == name) {
            Some((_, Tried::Yes)) => Some(true),
            Some((_, Tried::Signal(_))) => Some(false),
            _ => None,
        };
        let [libc, kernel] = [0, 1].map(|who| match &bits {
            Some(bits) => shows_bit(bits, arch, &shown, &name, who),
            None => shows_extension(&shown, &name, who),
        });
        Capability { name, executes, kernel, libc, detected }
    });
    let file = match target.contents(&probe)? {
        Some((path, bytes)) => {
            let scan = capvec_binscan::scan(&bytes).with_context(|| path.clone())?;
            Some(LibraryFile { path, scan })
        }
        None => None,
    };
    // A user-mode emulator passes on the host's release, but decides itself which capabilities are shown.
    let kernel =
        if target.kind() == Kind::Emulated { String::new() } else { shown.release.clone() };
    let processor = [runner.core_name(), &probe.processor, &probe.uarch];
    let facts = Facts {
        target: target.name().into(),
        architecture: arch.name().into(),
        processor: processor.into_iter().find(|p| !p.is_empty()).unwrap_or_default().into(),
        version,
        settings: probe.settings().into(),
        configured: stock.capset.capstring.clone(),
        hwprobe: (arch == Arch::Riscv64).then_some(shown.extensions[1].is_some()),
        misaligned: misaligned(&probe),
        kernel,
        capabilities: capabilities.collect(),
        file,
        dies,
    };
    Ok((facts, own_settings))
}

/// What the kernel says about misaligned accesses.
fn misaligned(probe: &Probe) -> [String; 2] {
    let name = |key| {
        let value = *probe.hwprobe.get(&key)?;
        let place = Misaligned::ALL.iter().position(|m| *m as u64 == value)?;
        Misaligned::NAMES.get(place).copied()
    };
    MISALIGNED.map(|key| name(key).unwrap_or_default().into())
}

/// The extensions known to the library that a RISC-V processor executes.
pub fn executing(facts: &Facts) -> ExtSet {
    let names = facts.names(|c| c.executes == Some(true));
    names.iter().filter_map(|n| Ext::from_name(n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_and_libc_are_reported_separately() {
        let text = "hwcap=20112d:112d\thwcap2=0:0\thwprobe=3:1:1,4:200000:600000\tflags=rv64gc";
        let shown = Shown::parse(text).unwrap();
        assert_eq!(shown.hwcap, [Some(0x20112d), Some(0x112d)]);
        assert_eq!(shown.extensions, [Some(0x200000), Some(0x600000)]);
        let who = |name: &str| [0, 1].map(|w| shows_extension(&shown, name, w));
        assert_eq!(who("v"), [Some(true), Some(false)]);
        assert_eq!(who("zvkned"), [Some(true), Some(true)], "bit 21");
        assert_eq!(who("zvknha"), [Some(false), Some(true)], "bit 22");
        assert_eq!(who("zkr"), [None, None], "no bit");
        let none = "hwcap=1:1\thwcap2=0:0\thwprobe=\tflags=\trelease=6.6.30-x";
        let none = Shown::parse(none).unwrap();
        assert_eq!((none.release.as_str(), shown.release.as_str()), ("6.6.30-x", ""));
        assert_eq!(shows_extension(&none, "zvkned", 1), Some(false));
        assert_eq!(shows_extension(&none, "zvkned", 0), None);
    }

    /// Values of Linux `arch/riscv/include/uapi/asm/hwprobe.h`: 0 is unknown.
    #[test]
    fn misaligned_accesses_are_as_the_kernel_says() {
        let probe = |pairs: &[(i64, u64)]| Probe {
            hwprobe: pairs.iter().copied().collect(),
            ..Probe::default()
        };
        assert_eq!(misaligned(&probe(&[(9, 3), (10, 4)])), ["fast", "unsupported"]);
        assert_eq!(misaligned(&probe(&[(9, 1), (10, 2)])), ["emulated", "slow"]);
        assert_eq!(misaligned(&probe(&[(9, 0), (10, 5)])), ["", ""]);
        assert_eq!(misaligned(&probe(&[])), ["", ""]);
    }

    #[test]
    fn words_of_other_architectures_are_read() {
        let text = "hwcap=8:18\thwcap2=0:2\thwprobe=\tflags=fpu aes sha_ni";
        let shown = Shown::parse(text).unwrap();
        let who = |arch: Arch, name: &str| {
            let bits = Override::of(arch).unwrap().unwrap();
            [0, 1].map(|w| shows_bit(&bits, arch, &shown, name, w))
        };
        let arm = |name: &str| who(Arch::Aarch64, name);
        assert_eq!(arm("aes"), [Some(true), Some(true)]);
        assert_eq!(arm("pmull"), [Some(false), Some(true)]);
        assert_eq!(arm("sve2"), [Some(false), Some(true)]);
        assert_eq!(arm("unroll8eor3"), [None, None], "the library's own choice");
        let x86 = |name: &str| who(Arch::X86_64, name);
        assert_eq!(x86("aesni"), [None, Some(true)]);
        assert_eq!(x86("sha"), [None, Some(true)]);
        assert_eq!(x86("vaes"), [None, Some(false)]);
    }
}
