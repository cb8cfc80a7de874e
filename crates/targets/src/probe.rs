//! What the kernel and the library report about a hart.

use anyhow::{Context, Result};
use capvec_isa::capability::{openssl_known, openssl_parse};
use capvec_isa::variable::OPENSSL_RISCVCAP;
use capvec_isa::{ExtSet, capability};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The key of riscv_hwprobe whose bits are extensions (RISCV_HWPROBE_KEY_IMA_EXT_0).
pub const IMA_EXT_0: i64 = 4;

/// The driver's answer to `probe`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// AT_HWCAP: a bit for each single-letter extension, by letter.
    pub hwcap: u64,
    /// riscv_hwprobe: values of the keys that the kernel knows; empty if it lacks the call.
    pub hwprobe: BTreeMap<i64, u64>,
    /// `isa` of /proc/cpuinfo.
    pub isa: String,
    /// `mmu` of /proc/cpuinfo.
    pub mmu: String,
    /// `uarch` of /proc/cpuinfo.
    pub uarch: String,
    /// OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS).
    pub library: String,
    /// AT_HWCAP2. This and the following fields exist only on targets other than the simulator.
    #[serde(default)]
    pub hwcap2: u64,
    /// The architecture.
    #[serde(default)]
    pub arch: String,
    /// The kernel's name for the processor.
    #[serde(default)]
    pub processor: String,
    /// The counter of instructions: `perf`, `instret`, `marks` or `none`.
    #[serde(default)]
    pub counter: String,
    /// The library's file; empty if the library is linked into the driver.
    #[serde(default)]
    pub file: String,
}

/// What the library reports that it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryReport {
    /// Capabilities.
    pub exts: ExtSet,
    /// VLEN in bits; 0 without V.
    pub vlen: u32,
}

impl Probe {
    /// Reads the driver's line without its verb.
    ///
    /// # Errors
    /// Quotes the field that is missing or not a number.
    pub fn parse(text: &str) -> Result<Probe> {
        let field = |name: &str| {
            let found = text.split('\t').find_map(|f| f.strip_prefix(name)?.strip_prefix('='));
            found.with_context(|| format!("the driver's probe lacks {name}: \"{text}\""))
        };
        let optional = |name: &str| field(name).unwrap_or_default().to_string();
        let hex = |v: &str| {
            u64::from_str_radix(v, 16).with_context(|| format!("the driver's probe: \"{v}\""))
        };
        let pairs = field("hwprobe")?.split(',').filter(|p| !p.is_empty());
        let hwprobe = pairs.map(|pair| {
            let (key, value) =
                pair.split_once(':').with_context(|| format!("probe: \"{pair}\""))?;
            Ok((key.parse()?, hex(value)?))
        });
        Ok(Probe {
            hwcap: hex(field("hwcap")?)?,
            hwprobe: hwprobe.collect::<Result<_>>()?,
            isa: field("isa")?.into(),
            mmu: field("mmu")?.into(),
            uarch: field("uarch")?.into(),
            library: field("library")?.into(),
            hwcap2: field("hwcap2").map_or(Ok(0), hex)?,
            arch: optional("arch"),
            processor: optional("model name"),
            counter: optional("counter"),
            file: optional("file"),
        })
    }

    /// What the library reports that it uses, in its own words.
    pub fn settings(&self) -> &str {
        let Probe { library, .. } = self;
        library
    }

    /// The value of the key whose bits are extensions.
    pub fn ima_ext_0(&self) -> Option<u64> {
        self.hwprobe.get(&IMA_EXT_0).copied()
    }

    /// The library's own report; `None` if it does not state one.
    pub fn library_report(&self) -> Option<LibraryReport> {
        library_report(&self.library)
    }

    /// The extensions whose bits riscv_hwprobe has set.
    pub fn hwprobe_exts(&self) -> ExtSet {
        self.ima_ext_0().map_or(ExtSet::EMPTY, capability::hwprobe_exts)
    }
}

/// Reads `OPENSSL_riscvcap=RV64GC_ZBB_V vlen:256 env:…`. Some versions leave out the first underscore.
fn library_report(text: &str) -> Option<LibraryReport> {
    let settings = text.split_once(OPENSSL_RISCVCAP)?.1.strip_prefix('=')?;
    let mut words = settings.split(' ');
    let caps = words.next()?.trim_start_matches("RV").trim_start_matches(char::is_numeric);
    // Letters that were compiled in and are not capabilities.
    let caps = caps.trim_start_matches(['G', 'I', 'M', 'A', 'F', 'D', 'C']);
    let exact = |word: &str| openssl_known().find(|e| e.name().eq_ignore_ascii_case(word));
    let exts = caps.split('_').filter_map(exact).collect();
    let vlen = words.find_map(|w| w.strip_prefix("vlen:")).and_then(|v| v.parse().ok());
    Some(LibraryReport { exts, vlen: vlen.unwrap_or(0) })
}

/// Why a set is not checked.
pub const UNREPORTED: &str =
    "the library does not report what it uses, so whether it uses this set is not checked";

/// How a report deviates from what the library should use. `None` if it does not.
///
/// `value` is the library's configuration, if any: a difference that OpenSSL's parser explains then says so.
pub fn disagreement(
    report: Option<LibraryReport>,
    expected: ExtSet,
    vlen: u32,
    value: Option<&str>,
) -> Option<String> {
    let Some(report) = report else {
        return Some(UNREPORTED.into());
    };
    let (missing, extra) = (expected.minus(report.exts), report.exts.minus(expected));
    let mut parts = Vec::new();
    if !missing.is_empty() {
        parts.push(format!("does not use {missing}"));
    }
    if !extra.is_empty() {
        parts.push(format!("uses {extra}, which was not asked for"));
    }
    let has_v = report.exts.has(capvec_isa::Ext::V);
    if has_v && report.vlen != vlen {
        parts.push(format!("reads VLEN {} instead of {vlen}", report.vlen));
    }
    if parts.is_empty() {
        return None;
    }
    let parsed = value.is_some_and(|v| openssl_parse(v) == report.exts);
    let why = if parsed { ": its parser reads the value so; see `capvec caps lint`" } else { "" };
    Some(format!("the library {}{why}", parts.join(", and ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_isa::Ext;

    fn set(exts: &[Ext]) -> ExtSet {
        exts.iter().copied().collect()
    }

    #[test]
    fn the_drivers_line_is_read() {
        let line = "hwcap=20112d\thwprobe=3:1,4:3ff\tisa=rv64imafdc_zbb\tmmu=sv39\tuarch=\tlibrary=OPENSSL_riscvcap=RV64GC";
        let p = Probe::parse(line).unwrap();
        assert_eq!((p.hwcap, p.ima_ext_0(), p.uarch.as_str()), (0x20112d, Some(0x3ff), ""));
        assert_eq!(p.library, "OPENSSL_riscvcap=RV64GC");
        let none = Probe::parse(&line.replace("3:1,4:3ff", "")).unwrap();
        assert_eq!(none.ima_ext_0(), None);
        for bad in ["", "hwcap=1", &line.replace("20112d", "xyz"), &line.replace("4:3ff", "4")] {
            assert!(Probe::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_library_is_read_with_and_without_its_first_underscore() {
        for text in [
            "OPENSSL_riscvcap=RV64GC_ZBB_V_ZVKNED vlen:256 env:rv64gc_zvkg",
            "OPENSSL_riscvcap=RV64GCZBB_V_ZVKNED vlen:256",
        ] {
            let v = library_report(text).unwrap();
            assert_eq!(v.exts, set(&[Ext::Zbb, Ext::V, Ext::Zvkned]), "{text}");
            assert_eq!(v.vlen, 256);
        }
        let v = library_report("OPENSSL_riscvcap=RV64IMAFDCV vlen:128").unwrap();
        assert_eq!((v.exts, v.vlen), (set(&[Ext::V]), 128));
        assert_eq!(library_report("OPENSSL_riscvcap=RV64GC").unwrap().exts, ExtSet::EMPTY);
        assert_eq!(library_report("N/A"), None);
    }

    #[test]
    fn a_library_that_ignores_its_configuration_is_detected() {
        let report = |exts: &[Ext], vlen| Some(LibraryReport { exts: set(exts), vlen });
        let asked = set(&[Ext::V, Ext::Zvkned]);
        let check = |v, value| disagreement(v, asked, 256, value);
        assert_eq!(check(report(&[Ext::V, Ext::Zvkned], 256), None), None);
        let e = check(report(&[Ext::V, Ext::Zvkned], 128), None).unwrap();
        assert!(e.contains("128 instead of 256"), "{e}");
        let e = check(report(&[Ext::Zbb, Ext::Zvkned], 0), None).unwrap();
        assert!(e.contains("does not use v") && e.contains("uses zbb"), "{e}");
        let e = check(report(&[Ext::Zvkned], 0), Some("rv64gcv_zvkned")).unwrap();
        assert!(e.contains("lint"), "{e}");
        assert!(check(None, None).is_some());
    }
}
