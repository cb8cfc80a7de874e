//! Differences and figures as text.

use crate::case::Case;
use crate::isolate::Found;
use crate::layout::CODE;
use crate::tally::{Fault, Tally};
use crate::target::Target;
use capvec_isa::disasm::disassemble_word;
use std::fmt::Write;
use std::time::Duration;

/// Disassembly of a word.
pub fn text(word: u32) -> String {
    disassemble_word(word, 64, CODE).unwrap_or_else(|| "(no instruction)".into())
}

fn csrs(case: &Case) -> String {
    let c = &case.csrs;
    let vtype = capvec_isa::disasm::vtype_name(c.vtype as i64);
    format!(
        "vtype {:#x} ({vtype}) vl {} vstart {} vcsr {:#x} fcsr {:#x}",
        c.vtype, c.vl, c.vstart, c.vcsr, c.fcsr
    )
}

/// A case with the non-zero parts of its initial state.
pub fn case(case: &Case, target: Target) -> String {
    let mut out = format!("  on {}\n  from {}\n", target.name(), csrs(case));
    for (n, x) in case.registers.x.iter().enumerate().filter(|(n, x)| **x != 0 && *n != 3) {
        let _ = writeln!(out, "    x{n} = {x:#x}");
    }
    for (n, f) in case.registers.f.iter().enumerate().filter(|(_, f)| **f != 0) {
        let _ = writeln!(out, "    f{n} = {f:#x}");
    }
    for (n, v) in case.registers.v.chunks(target.vlenb()).enumerate() {
        if v.iter().any(|b| *b != 0) {
            let text: String = v.iter().rev().map(|b| format!("{b:02x}")).collect();
            let _ = writeln!(out, "    v{n} = {text}");
        }
    }
    for w in case.words.iter() {
        let _ = writeln!(out, "    {w:08x}  {}", text(*w));
    }
    out
}

/// A difference and its case.
pub fn difference(found: &Found, target: Target) -> String {
    let mut out = case(&found.case, target);
    for part in found.parts() {
        let name = part.to_string();
        let _ = writeln!(out, "  {name}: capvec {}", found.here().show(part));
        let _ = writeln!(out, "  {:1$}  oracle {2}", "", name.len(), found.oracle().show(part));
    }
    out
}

/// The figures of a campaign.
pub fn figures(t: &Tally, elapsed: Duration) -> String {
    let c = &t.coverage;
    let mut out = c.by_extension();
    out += &c.by_vtype();
    for (name, times) in &t.known {
        let _ = writeln!(out, "known difference, {times} times: {name}");
    }
    for (name, times) in &t.aborts {
        let _ = writeln!(out, "the oracle aborted, {times} programs: {name}");
    }
    let missing = c.missing();
    let _ = writeln!(out, "{} rows never compared: {}", missing.len(), missing.join(" "));
    let _ = writeln!(
        out,
        "{} programs from {} states; {} instructions compared, {:.2} million a second, {} of them \
         illegal; {} signals",
        c.programs,
        c.runs,
        c.instructions,
        c.instructions as f64 / elapsed.as_secs_f64() / 1e6,
        c.illegal,
        c.signals
    );
    let times = t.times;
    let _ = writeln!(
        out,
        "{:.1} s: running {:.1} s, generating {:.1} s in parallel; isolating {:.1} s",
        elapsed.as_secs_f64(),
        times.run.as_secs_f64(),
        times.generate.as_secs_f64(),
        times.isolate.as_secs_f64()
    );
    let (differing, new) = (t.differing, t.faults.len());
    let _ = writeln!(out, "{differing} programs differ; {new} differences are new");
    out
}

/// A summary line and the details.
pub fn fault(key: &str, f: &Fault) -> String {
    format!("DIFFERENCE {key} ({} programs)\n{}", f.times, difference(&f.found, f.target))
}
