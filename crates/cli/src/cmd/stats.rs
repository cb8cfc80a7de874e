//! The counts and times of a run, as text.

use capvec_isa::ExtSet;
use capvec_isa::Op;
use capvec_linux::Exit;
use capvec_sim::engine::Histogram;
use capvec_text::digits::{self, SECONDS, share};
use capvec_timing::Core;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A count, as Rust and Python write large numbers.
fn grouped(n: u64) -> String {
    digits::grouped(n, '_')
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
        line(out, &name, &format!("{} {:>6} %", grouped(n), share(n, total)));
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

/// What a run executed, and what it took.
pub struct Figures<'a> {
    pub totals: Totals,
    /// Counts by instruction, if they were kept.
    pub histogram: Option<&'a Histogram>,
    /// The core.
    pub core: &'a Core,
    /// The hart's extensions.
    pub exts: ExtSet,
}

impl Figures<'_> {
    fn seconds(&self) -> f64 {
        self.totals.cycles as f64 / self.core.frequency as f64
    }

    fn by_class(&self, h: &Histogram) -> BTreeMap<String, u64> {
        by_name(h, |r| r.class.name().into())
    }

    fn by_extension(&self, h: &Histogram) -> BTreeMap<String, u64> {
        by_name(h, |r| extensions(r.exts, self.exts))
    }

    /// The totals, and the breakdown by class and by extension if instructions were counted.
    pub fn text(&self) -> String {
        let (mut out, totals) = (String::new(), &self.totals);
        line(&mut out, "retired instructions", &grouped(totals.instret));
        line(&mut out, "cycles", &grouped(totals.cycles));
        if let Some((idle, _, _)) = totals.system {
            line(&mut out, "cycles idle", &grouped(idle));
        }
        line(&mut out, "seconds of the core", &SECONDS.text(self.seconds()));
        if let Some((_, seconds, peak)) = totals.system {
            line(&mut out, "seconds of the guest", &SECONDS.text(seconds));
            line(&mut out, "peak memory in bytes", &grouped(peak));
        }
        if let Some(h) = self.histogram {
            breakdown(&mut out, "class", self.by_class(h), totals.instret);
            breakdown(&mut out, "extension", self.by_extension(h), totals.instret);
        }
        out
    }

    /// The same as JSON, with counts by instruction.
    pub fn json(&self) -> String {
        let mut value = json!({
            "core": self.core.identity.label,
            "frequency_hz": self.core.frequency,
            "retired": self.totals.instret,
            "cycles": self.totals.cycles,
            "seconds": self.seconds(),
        });
        if let Some((idle, seconds, peak)) = self.totals.system {
            value["cycles_idle"] = json!(idle);
            value["guest_seconds"] = json!(seconds);
            value["peak_memory_bytes"] = json!(peak);
        }
        if let Some(h) = self.histogram {
            value["by_class"] = json!(self.by_class(h));
            value["by_extension"] = json!(self.by_extension(h));
            value["by_instruction"] = json!(by_name(h, |r| r.name.into()));
        }
        format!("{value:#}\n")
    }
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
            let core = Core::load("ideal").unwrap();
            let totals = Totals::of_hart(3, 3);
            let figures = Figures { totals, histogram: Some(&histogram), core: &core, exts: hart };
            let text = figures.text();
            let by = text.split("by extension").nth(1).unwrap();
            assert!(shown.iter().all(|e| by.contains(e)), "{by}");
            assert!(!hidden.iter().any(|e| by.contains(e)) && !by.contains("none"), "{by}");
        }
    }
}
