//! Where figures come from, and whether the masks had an effect there.

use super::{Plan, Results, Swept};
use crate::capset::{CapSet, Dispatch, Override, Wanted};
use crate::case::Case;
use crate::run::Runner;
use anyhow::Result;
use capvec_record::{Arch, Kind};
use capvec_record::{Row, TargetRecord};
use capvec_text::digits::PERCENT;

/// Exact counts whose relative difference is below this belong to the same path.
const SAME_PATH: f64 = 0.02;
/// Times must also differ by this multiple of their spread.
const SPREADS: f64 = 4.0;
/// If the spread times that multiple exceeds this fraction, the clock cannot decide.
const UNDECIDED: f64 = 0.2;
/// Spread in percent from which a machine counts as noisy.
const NOISY: f64 = 2.0;

/// What is known about a target from one of its runs.
///
/// # Errors
/// Names the library's file if it cannot be read.
pub fn describe(runner: &Runner, result: &Results) -> Result<TargetRecord> {
    let (target, probe) = (runner.target(), &result.probe);
    let counter = match target.kind() {
        Kind::Modelled => "hart",
        Kind::Emulated => "trace",
        Kind::Real => &probe.counter,
    };
    let check = result.self_check.as_ref().err().cloned();
    Ok(TargetRecord {
        name: target.name().into(),
        kind: target.kind(),
        architecture: target.arch().name().into(),
        processor: probe.processor.clone(),
        counter: counter.into(),
        counter_check: check.unwrap_or_else(|| "exact".into()),
        library: probe.file.clone(),
        sha256: target.libcrypto(probe)?,
        warnings: Vec::new(),
    })
}

/// Checks the rows of a target other than the simulator for noise, and for masks without effect.
///
/// # Errors
/// The data file that names the capabilities cannot be read.
pub fn check(runner: &Runner, plan: &Plan, swept: &mut Swept) -> Result<()> {
    swept.target.warnings.extend(noise(&swept.rows));
    let rules = Rules::of(runner.target().arch())?;
    for c in swept.configurations.iter_mut().filter(|c| c.capstring.is_some()) {
        c.unchanged = unchanged(&rules, plan, &swept.rows, &c.capset, c.vlen);
    }
    Ok(())
}

/// The dispatch rules of an architecture.
enum Rules {
    Names(Dispatch),
    Bits(Override),
}

impl Rules {
    fn of(arch: Arch) -> Result<Rules> {
        Ok(match Override::of(arch)? {
            Some(o) => Rules::Bits(o),
            None => Rules::Names(Dispatch::load()?),
        })
    }

    /// The capabilities that a set allows the library; `None` if that is not known.
    fn has(&self, set: &CapSet) -> Option<Vec<String>> {
        match self {
            Rules::Bits(_) => set.masked.as_ref().map(|m| m.names.clone()),
            Rules::Names(_) => Some(set.expected.iter().map(|e| e.name().into()).collect()),
        }
    }

    fn asked(&self, case: &Case) -> Vec<String> {
        match self {
            Rules::Bits(o) => o.asks(case).to_vec(),
            Rules::Names(d) => d.relevant(case).iter().map(|e| e.name().into()).collect(),
        }
    }
}

/// Cases whose dispatch asks for capabilities that this set lacks and the largest set has, and that cost as much with this
/// set as with the largest.
fn unchanged(rules: &Rules, plan: &Plan, rows: &[Row], capset: &str, vlen: u32) -> Vec<String> {
    let sets = plan.wanted.iter().filter_map(|w| Some((w, rules.has(&w.capset)?)));
    let sets: Vec<(&Wanted, Vec<String>)> = sets.collect();
    let Some((own, has)) = sets.iter().find(|(w, _)| w.capset.name == capset) else {
        return Vec::new();
    };
    let without_effect = |case: &&&Case| {
        let of_case: Vec<_> =
            sets.iter().filter(|(w, _)| plan.cases_of(w).iter().any(|c| c.id == case.id)).collect();
        let Some((_, all)) = of_case.iter().max_by_key(|(_, names)| names.len()) else {
            return false;
        };
        let mut asked = rules.asked(case);
        asked.retain(|name| all.contains(name));
        // With one of them, another path may be as good as the best.
        if asked.is_empty() || asked.iter().any(|name| has.contains(name)) {
            return false;
        }
        let best = |r: &&Row| of_case.iter().any(|(w, n)| n == all && w.capset.name == r.capset);
        let of = |r: &&Row| r.case == case.id && r.vlen == vlen && r.passed();
        let pairs = rows.iter().filter(of).filter(|r| r.capset == capset).filter_map(|row| {
            let same = |r: &&Row| (r.bytes, &r.direction) == (row.bytes, &row.direction);
            Some((row, rows.iter().filter(of).filter(best).find(same)?))
        });
        let mut pairs = pairs.peekable();
        pairs.peek().is_some() && pairs.all(|(a, b)| same_path(a, b))
    };
    let cases = plan.cases_of(own);
    cases.iter().filter(without_effect).map(|c| c.id.clone()).collect()
}

/// Whether two rows cost the same: by exact counts if there are any, else by time.
fn same_path(a: &Row, b: &Row) -> bool {
    let near = |a: f64, b: f64, part: f64| (a - b).abs() <= part * b;
    match (a.insns_per_op.zip(b.insns_per_op), a.ns_per_op.zip(b.ns_per_op)) {
        (Some((a, b)), _) => near(a, b, SAME_PATH),
        (None, Some((x, y))) => {
            let spread = a.mad_percent.unwrap_or(0.0).max(b.mad_percent.unwrap_or(0.0)) / 100.0;
            // A wide spread decides nothing.
            SPREADS * spread <= UNDECIDED && near(x, y, SAME_PATH.max(SPREADS * spread))
        }
        (None, None) => false,
    }
}

fn noise(rows: &[Row]) -> Option<String> {
    let spreads: Vec<(&Row, f64)> = rows.iter().filter_map(|r| Some((r, r.mad_percent?))).collect();
    let noisy = spreads.iter().filter(|(_, m)| *m > NOISY).count();
    let (row, worst) = spreads.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (noisy > 0).then(|| {
        let bytes = if row.bytes > 0 { format!(", {} bytes", row.bytes) } else { String::new() };
        format!(
            "{noisy} of {} measured times vary by more than {NOISY} % (the worst by {} %: {} {}{bytes}, {}): the machine is busy or \
             changes its clock; stop other work and fix the frequency (cpupower frequency-set -g performance), then measure again",
            spreads.len(), PERCENT.text(*worst), row.case, row.direction, row.capset
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(insns: Option<f64>, ns: Option<f64>, mad: f64) -> Row {
        let row = capvec_record::testing::row("x", "scalar", 64, 100.0);
        Row { insns_per_op: insns, ns_per_op: ns, mad_percent: Some(mad), ..row }
    }

    #[test]
    fn counts_decide_before_times() {
        assert!(same_path(&row(Some(100.0), Some(1.0), 0.0), &row(Some(101.0), Some(9.0), 0.0)));
        assert!(!same_path(&row(Some(100.0), Some(1.0), 0.0), &row(Some(110.0), Some(1.0), 0.0)));
        assert!(same_path(&row(None, Some(100.0), 3.0), &row(None, Some(110.0), 0.1)));
        assert!(!same_path(&row(None, Some(100.0), 9.0), &row(None, Some(101.0), 0.1)));
        assert!(!same_path(&row(None, Some(100.0), 0.5), &row(None, Some(110.0), 0.1)));
    }

    /// A library that ignores its variable, on each architecture: cost decides, not what it reports.
    #[test]
    fn a_mask_without_effect_is_found_on_every_architecture() {
        let cases = crate::case::select(&["aes-128-cbc".into(), "sha256".into()]).unwrap();
        let names = |v: &[&str]| v.iter().map(|s| s.to_string()).collect::<Vec<_>>();
        let words = [0x6ffd, 0xfffa_3203_4f8b_ffff, 0x1a41_5f46_f1bf_2ffb];
        let expand = |arch: Arch, own: &str| match Override::of(arch).unwrap() {
            Some(o) => {
                let words = if arch == Arch::Aarch64 { &words[..1] } else { &words[1..] };
                o.expand(&names(&[own, "auto"]), &cases, words).unwrap()
            }
            None => crate::capset::expand(
                &names(&[own, "auto"]),
                &cases,
                &"rv64gcv_zvkng".parse().unwrap(),
            )
            .unwrap(),
        };
        for (arch, own) in [
            (Arch::Aarch64, "scalar"),
            (Arch::Aarch64, "string:0"),
            (Arch::X86_64, "scalar"),
            (Arch::X86_64, "string:~0x200000200000000:~0x20000020"),
            (Arch::Riscv64, "scalar"),
            (Arch::Riscv64, "string:rv64gc"),
        ] {
            let wanted = expand(arch, own);
            let plan = Plan {
                cases: cases.clone(),
                wanted,
                vlens: vec![0],
                bytes: vec![64],
                gate: None,
                mix: false,
                functions: false,
                ..Plan::default()
            };
            let cost = |set: &str, case: &str, ns: f64| {
                let row = capvec_record::testing::row(case, set, 64, ns);
                Row { insns_per_op: Some(ns), vlen: 0, ..row }
            };
            let rows = [
                cost(own, "aes-128-cbc", 101.0),
                cost("auto", "aes-128-cbc", 100.0),
                cost(own, "sha256", 400.0),
                cost("auto", "sha256", 100.0),
            ];
            let rules = Rules::of(arch).unwrap();
            assert_eq!(unchanged(&rules, &plan, &rows, own, 0), ["aes-128-cbc"], "{arch:?} {own}");
            // The largest set itself masks nothing, and other VLENs have no figures to compare with.
            assert!(unchanged(&rules, &plan, &rows, "auto", 0).is_empty());
            assert!(unchanged(&rules, &plan, &rows, own, 256).is_empty());
        }
    }

    #[test]
    fn noise_is_reported_with_its_size() {
        assert_eq!(noise(&[row(None, Some(1.0), 1.9)]), None);
        let message = noise(&[row(None, Some(1.0), 1.0), row(None, Some(1.0), 7.5)]).unwrap();
        assert!(message.contains("1 of 2") && message.contains("7.5 %"), "{message}");
    }
}
