//! What the hart, the kernel and the library each report about the extensions, side by side, with differences explained.

use crate::capset::CapSet;
use crate::driver_protocol::{Job, Outcome};
use crate::requests::Jobs;
use crate::run::{Configuration, Runner};
use anyhow::{Result, bail};
use capvec_isa::capability::{hwprobe_knows, openssl_known, openssl_riscvcap};
use capvec_isa::lint::vector;
use capvec_isa::{Ext, ExtSet, foreign_isa_string};
use capvec_targets::probe::{Probe, disagreement};
use serde::Serialize;

/// What one party reports about an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Said {
    /// Present.
    Yes,
    /// Absent.
    No,
    /// The party has no word, letter or bit for it.
    Silent,
}

/// One extension.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Lower-case name.
    pub extension: &'static str,
    /// The hart.
    pub hart: Said,
    /// riscv_hwprobe, keys BASE_BEHAVIOR and IMA_EXT_0.
    pub hwprobe: Said,
    /// AT_HWCAP.
    pub hwcap: Said,
    /// The `isa` line of /proc/cpuinfo.
    pub cpuinfo: Said,
    /// The library, with its own detection.
    pub detected: Said,
    /// The library, with OPENSSL_riscvcap.
    pub configured: Said,
    /// Why they differ; empty if they do not.
    pub why: Vec<&'static str>,
}

/// Everything that is reported about a hart.
#[derive(Clone, Debug, Serialize)]
pub struct Reports {
    /// Core model.
    pub core: String,
    /// VLEN in bits.
    pub vlen: u32,
    /// What the kernel and the unconfigured library report.
    pub kernel: Probe,
    /// The value of OPENSSL_riscvcap in the second run.
    pub capstring: String,
    /// What the library reports with that value.
    pub configured: String,
    /// One row for each extension that at least one party reports as present.
    pub rows: Vec<Report>,
    /// Differences that do not belong to one extension.
    pub differences: Vec<String>,
    /// Differences in wording between hwprobe and /proc/cpuinfo that mean the same.
    pub notes: Vec<String>,
}

/// Bits of hwprobe's key IMA_EXT_0 for parts of an extension with a letter (Linux,
/// arch/riscv/include/uapi/asm/hwprobe.h): bit, name, and the letters.
const PARTS: [(u32, &str, &str); 2] = [(43, "zca", "c"), (45, "zcd", "c with d")];

/// The letters of AT_HWCAP (Linux, arch/riscv/include/uapi/asm/hwcap.h).
const LETTERS: [Ext; 7] = [Ext::I, Ext::M, Ext::A, Ext::F, Ext::D, Ext::C, Ext::V];

fn said(knows: bool, has: bool) -> Said {
    match (knows, has) {
        (false, _) => Said::Silent,
        (true, true) => Said::Yes,
        (true, false) => Said::No,
    }
}

/// Runs a guest on the runner's core, restricted to `capset`, twice: without OPENSSL_riscvcap, and with the set's value
/// or, for `auto`, the value that names what the hart has.
///
/// # Errors
/// The guest cannot be run.
pub fn ask(runner: &Runner, vlen: u32, capset: &CapSet) -> Result<Reports> {
    let value = capset.capstring.clone().unwrap_or_else(|| openssl_riscvcap(capset.exts));
    let kernel = probe(runner, vlen, CapSet { capstring: None, ..capset.clone() })?;
    let configured =
        probe(runner, vlen, CapSet { capstring: Some(value.clone()), ..capset.clone() })?;
    Ok(compare(runner.core_name(), capset.exts, vlen, kernel, &value, &configured))
}

fn probe(runner: &Runner, vlen: u32, capset: CapSet) -> Result<Probe> {
    let mut outcomes = runner.run(&Configuration::new(vlen, capset), Jobs(&[vec![Job::Probe]]))?;
    match outcomes.pop().transpose()?.as_deref() {
        Some([Outcome::Probe(p)]) => Ok(p.clone()),
        _ => bail!("the driver did not answer the probe"),
    }
}

fn compare(
    core: &str,
    hart: ExtSet,
    vlen: u32,
    kernel: Probe,
    value: &str,
    configured: &Probe,
) -> Reports {
    let cpuinfo = foreign_isa_string::exts(&kernel.isa).unwrap_or_default();
    let letters = LETTERS.iter().filter(|e| {
        let letter = e.name().as_bytes()[0] - b'a';
        kernel.hwcap >> letter & 1 != 0
    });
    let hwcap: ExtSet = letters.copied().collect();
    // Key 3, RISCV_HWPROBE_KEY_BASE_BEHAVIOR: bit 0 stands for I, M and A together.
    let base = kernel.hwprobe.get(&3).is_some_and(|v| v & 1 != 0);
    let base = if base { ExtSet::of(&[Ext::I, Ext::M, Ext::A]) } else { ExtSet::EMPTY };
    let hwprobe = kernel.hwprobe_exts().union(base);
    let known: ExtSet = openssl_known().collect();
    let report = |p: &Probe| p.library_report().map_or(ExtSet::EMPTY, |v| v.exts);
    let (seen, with) = (report(&kernel), report(configured));
    let rows = Ext::all()
        .filter(|e| hwprobe_knows(*e) || LETTERS.contains(e) || known.has(*e))
        .filter(|e| [hart, hwprobe, hwcap, cpuinfo, seen, with].iter().any(|s| s.has(*e)))
        .map(|e| {
            let row = Report {
                extension: e.name(),
                hart: said(true, hart.has(e)),
                // Bits 0 and 1 (IMA with F and D, C) each stand for several extensions.
                hwprobe: said(hwprobe_knows(e) || hwprobe.has(e), hwprobe.has(e)),
                hwcap: said(LETTERS.contains(&e), hwcap.has(e)),
                cpuinfo: said(!cpuinfo.is_empty(), cpuinfo.has(e)),
                detected: said(known.has(e), seen.has(e)),
                configured: said(known.has(e), with.has(e)),
                why: Vec::new(),
            };
            Report { why: reasons(e, &row, hwcap.has(Ext::V)), ..row }
        })
        .collect();
    let own = disagreement(kernel.library_report(), seen, vlen, None);
    let other = disagreement(configured.library_report(), with, vlen, None);
    let differences = own
        .map(|d| format!("detecting, {d}"))
        .into_iter()
        .chain(other.map(|d| format!("configured, {d}")))
        .collect();
    let notes = notes(&kernel, cpuinfo);
    Reports {
        core: core.into(),
        vlen,
        kernel,
        capstring: value.into(),
        configured: configured.library.clone(),
        rows,
        differences,
        notes,
    }
}

/// Why the bits of hwprobe and the words of /proc/cpuinfo differ where both are right.
fn notes(kernel: &Probe, cpuinfo: ExtSet) -> Vec<String> {
    let bits = kernel.hwprobe.get(&4).copied().unwrap_or(0);
    let words: Vec<&str> = kernel.isa.split('_').collect();
    let part = |(bit, name, of): &(u32, &str, &str)| {
        let only = bits >> bit & 1 != 0 && !words.contains(name);
        only.then(|| format!("bit {bit} is {name}, a part of {of}"))
    };
    let parts: Vec<String> = PARTS.iter().filter_map(part).collect();
    let unknown = |e: &Ext| !hwprobe_knows(*e) && !LETTERS.contains(e);
    let other: Vec<&str> = cpuinfo.iter().filter(unknown).map(Ext::name).collect();
    let mut notes = Vec::new();
    if !parts.is_empty() {
        notes.push(format!(
            "hwprobe has bits for parts that /proc/cpuinfo shows only as a whole: {}",
            parts.join(", ")
        ));
    }
    if !other.is_empty() {
        let other = other.join(" ");
        notes.push(format!("/proc/cpuinfo has words that hwprobe has no bits for: {other}"));
    }
    notes
}

fn reasons(e: Ext, v: &Report, hwcap_v: bool) -> Vec<&'static str> {
    use Said::{No, Silent, Yes};
    let mut why = Vec::new();
    match (v.hart, v.hwprobe, v.detected) {
        (Yes, Silent, No) => {
            why.push("Linux has no hwprobe bit for it, so OpenSSL cannot detect it: only OPENSSL_riscvcap sets it")
        }
        (_, Yes, No) if vector().has(e) && !hwcap_v => why.push(
            "OpenSSL uses the vector bits of hwprobe only if AT_HWCAP has V",
        ),
        (_, Yes, No) => why.push("the kernel reports it, but OpenSSL does not use it"),
        (_, No, Yes) => why.push("OpenSSL detected it without the kernel"),
        _ => {}
    }
    match (v.hart, v.hwprobe) {
        (Yes, No) => why.push(
            "the hart has it, but the kernel does not let programs use it or does not know it",
        ),
        (No, Yes) => why.push("the kernel reports it, but the hart lacks it"),
        _ => {}
    }
    if (v.hwprobe, v.cpuinfo) == (Yes, No) || (v.hwprobe, v.cpuinfo) == (No, Yes) {
        why.push("/proc/cpuinfo and hwprobe differ: the former shows what was found at boot, the latter what programs may use");
    }
    match (v.hart, v.configured) {
        (No, Yes) => why.push(
            "OPENSSL_riscvcap sets it, but the hart lacks it: code that uses it ends in SIGILL",
        ),
        (Yes, No) => why.push("the hart has it, but OPENSSL_riscvcap leaves it out"),
        _ => {}
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_isa::Isa;
    use capvec_isa::capability::hwprobe_ima_ext_0;

    fn set(isa: &str) -> ExtSet {
        isa.parse::<Isa>().unwrap().exts
    }

    /// A kernel that reports everything it can about `exts`.
    fn kernel(exts: ExtSet, library: &str) -> Probe {
        let letter = |e: &Ext| 1u64 << (e.name().as_bytes()[0] - b'a');
        Probe {
            hwcap: LETTERS.iter().filter(|e| exts.has(**e)).map(letter).sum(),
            hwprobe: [(4, hwprobe_ima_ext_0(exts))].into(),
            isa: Isa { xlen: 64, exts }.to_string(),
            library: format!("OPENSSL_riscvcap={library}"),
            ..Probe::default()
        }
    }

    fn row<'a>(v: &'a Reports, name: &str) -> &'a Report {
        v.rows.iter().find(|r| r.extension == name).unwrap()
    }

    fn reports(isa: &str, detected: &str, configured: &str) -> Reports {
        let configured =
            Probe { library: format!("OPENSSL_riscvcap={configured}"), ..Probe::default() };
        compare("x", set(isa), 256, kernel(set(isa), detected), "", &configured)
    }

    #[test]
    fn nothing_is_explained_if_all_agree() {
        let v = reports("rv64gcv_zbb", "RV64GC_ZBB_V vlen:256", "RV64GC_ZBB_V vlen:256");
        assert!(v.rows.iter().all(|r| r.why.is_empty()), "{:?}", v.rows);
        assert!(v.differences.is_empty());
        assert!(v.notes[0].contains("bit 43 is zca, a part of c, bit 45 is zcd"), "{:?}", v.notes);
        assert!(v.notes[1].contains("zvl128b") && !v.notes[1].contains("zbb"), "{:?}", v.notes);
        let notes = reports("rv64ima", "RV64GC", "RV64GC").notes;
        assert!(!notes.iter().any(|n| n.contains("zca")), "{notes:?}");
        assert_eq!(row(&v, "zbb").hwcap, Said::Silent);
        assert_eq!(row(&v, "v").hwcap, Said::Yes);
        assert!(!v.rows.iter().any(|r| r.extension == "zvkned"));
    }

    #[test]
    fn zkr_cannot_be_detected() {
        let v = reports("rv64gc_zkr", "RV64GC", "RV64GC_ZKR");
        let zkr = row(&v, "zkr");
        assert_eq!(
            (zkr.hwprobe, zkr.detected, zkr.configured),
            (Said::Silent, Said::No, Said::Yes)
        );
        assert!(zkr.why[0].contains("no hwprobe bit"));
    }

    #[test]
    fn vector_bits_without_v_and_a_variable_beyond_the_hart() {
        let v = reports("rv64gc_zve64x_zvkned", "RV64GC", "RV64GC_ZBB_ZVKNED");
        assert!(row(&v, "zvkned").why[0].contains("AT_HWCAP"));
        assert!(row(&v, "zbb").why[0].contains("SIGILL"));
        let v = reports("rv64gc_zbb", "RV64GC_ZBB", "RV64GC");
        assert!(row(&v, "zbb").why[0].contains("leaves it out"));
    }

    #[test]
    fn a_kernel_that_hides_and_a_library_with_another_vlen() {
        let mut hiding = kernel(set("rv64gcv_zbb"), "RV64GC_V vlen:128");
        hiding.hwprobe = [(4, hwprobe_ima_ext_0(set("rv64gcv")))].into();
        let v = compare("x", set("rv64gcv_zbb"), 256, hiding.clone(), "", &hiding);
        assert!(row(&v, "zbb").why.iter().any(|w| w.contains("the kernel does not let")));
        assert!(row(&v, "zbb").why.iter().any(|w| w.contains("cpuinfo")));
        assert!(v.differences[0].contains("128 instead of 256"), "{:?}", v.differences);
    }
}
