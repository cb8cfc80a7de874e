//! The counts and times of a run, as text.

use capvec_isa::ExtSet;
use capvec_isa::Op;
use capvec_linux::Exit;
use capvec_sim::engine::Histogram;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A number with underscores between groups of three digits.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('_');
        }
        out.push(c);
    }
    out
}

fn line(out: &mut String, name: &str, value: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  {name:<24}{value:>24}");
}

/// Counts by a property of the instruction, largest first.
fn breakdown(out: &mut String, title: &str, counts: BTreeMap<String, u64>, total: u64) {
    let _ = writeln!(out, "retired by {title}:");
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    for (name, n) in rows {
        let share = 100.0 * n as f64 / total.max(1) as f64;
        line(out, &name, &format!("{} {share:>6.2} %", grouped(n)));
    }
}

fn by_name(
    h: &Histogram,
    name: impl Fn(&'static capvec_isa::row::Row) -> String,
) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for (op, n) in Op::all().zip(&h.by_op).filter(|(_, n)| **n > 0) {
        *counts.entry(name(op.row())).or_default() += n;
    }
    counts
}

/// The totals of a run.
#[derive(Clone, Copy)]
pub struct Totals {
    instret: u64,
    cycles: u64,
    /// Idle cycles, guest seconds and peak memory in bytes, if there is an operating system.
    system: Option<(u64, f64, u64)>,
}

impl Totals {
    /// For a hart without an operating system.
    pub fn of_hart(instret: u64, cycles: u64) -> Totals {
        Totals { instret, cycles, system: None }
    }
}

impl From<&Exit> for Totals {
    fn from(exit: &Exit) -> Totals {
        let system = Some((exit.idle_cycles, exit.seconds, exit.peak_memory));
        Totals { instret: exit.instret, cycles: exit.cycles, system }
    }
}

/// The extension to which an instruction is attributed: one that the hart has. Some instructions for bit manipulation and
/// cryptography are in several, such as vsha2 in Zvknha for SHA-256 and in Zvknhb for SHA-256 and SHA-512; which one the
/// program tested for is not known here.
fn extensions(exts: ExtSet, hart: ExtSet) -> String {
    let own: Vec<&str> = exts.intersection(hart).iter().map(|e| e.name()).collect();
    if own.len() > 1 && own.iter().all(|n| ["zb", "zk", "zv"].iter().any(|p| n.starts_with(p))) {
        return own.join("/");
    }
    exts.on(hart).map_or("none", |e| e.name()).into()
}

/// The totals, and the breakdown by class and by extension if instructions were counted.
pub fn text(
    totals: &Totals,
    histogram: Option<&Histogram>,
    frequency: u64,
    hart: ExtSet,
) -> String {
    let mut out = String::new();
    line(&mut out, "retired instructions", &grouped(totals.instret));
    line(&mut out, "cycles", &grouped(totals.cycles));
    let seconds = totals.cycles as f64 / frequency as f64;
    if let Some((idle, _, _)) = totals.system {
        line(&mut out, "cycles idle", &grouped(idle));
    }
    line(&mut out, "seconds of the core", &format!("{seconds:.6}"));
    if let Some((_, seconds, peak)) = totals.system {
        line(&mut out, "seconds of the guest", &format!("{seconds:.6}"));
        line(&mut out, "peak memory in bytes", &grouped(peak));
    }
    if let Some(h) = histogram {
        breakdown(&mut out, "class", by_name(h, |r| r.class.name().into()), totals.instret);
        let ext = |r: &capvec_isa::row::Row| extensions(r.exts, hart);
        breakdown(&mut out, "extension", by_name(h, ext), totals.instret);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_isa::Isa;

    /// vandn.vv is in Zvkb and Zvbb, vsha2ms.vv in Zvknha and Zvknhb: it counts for the ones that the hart is declared
    /// to have.
    #[test]
    fn instructions_count_for_what_the_hart_has() {
        let mut by_op = vec![0; Op::COUNT];
        for (op, n) in Op::all().zip(&mut by_op) {
            *n = u64::from(["vandn.vv", "vsha2ms.vv", "addi"].contains(&op.row().name));
        }
        let histogram = Histogram { by_op };
        for (isa, shown, hidden) in [
            ("rv64gcv_zvkb_zvknha", ["  zvkb ", "  zvknha "], ["zvbb", "zvknhb"]),
            // The second of each pair contains the first, and SHA-256 tests for the first.
            ("rv64gcv_zvbb_zvknhb", ["  zvbb/zvkb ", "  zvknha/zvknhb "], ["  zvkb ", "  zvknha "]),
        ] {
            let hart = isa.parse::<Isa>().unwrap().exts.closed();
            let text = text(&Totals::of_hart(3, 3), Some(&histogram), 1, hart);
            let by = text.split("by extension").nth(1).unwrap();
            assert!(shown.iter().all(|e| by.contains(e)), "{by}");
            assert!(!hidden.iter().any(|e| by.contains(e)) && !by.contains("none"), "{by}");
        }
    }
}
