//! Where figures come from, and whether what was masked there was without effect.

use super::{Plan, Results, Swept};
use crate::capset::Override;
use crate::record::{Row, TargetRecord};
use crate::run::Runner;
use crate::target::Kind;
use anyhow::Result;

/// Exact counts that differ by less than this part are of the same path.
const SAME_PATH: f64 = 0.02;
/// Times must differ by so many times their spread, too.
const SPREADS: f64 = 4.0;
/// Beyond this part times differ, or the clock cannot tell.
const UNDECIDED: f64 = 0.2;
/// Spread in percent from which a machine is noisy.
const NOISY: f64 = 2.0;

/// What is known of a target from one of its runs.
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

/// Looks through the rows of a target that is no simulator: for noise, and for masks without effect.
///
/// # Errors
/// The data that names capabilities is broken.
pub fn check(runner: &Runner, plan: &Plan, swept: &mut Swept) -> Result<()> {
    swept.target.warnings.extend(noise(&swept.rows));
    let kept = Override::of(runner.target().arch())?;
    for c in &mut swept.configurations {
        let Some(wanted) = plan.wanted.iter().find(|w| w.capset.name == c.capset) else { continue };
        let (Some(o), Some(masked), Some(_)) = (&kept, &wanted.capset.masked, &c.capstring) else {
            continue;
        };
        for case in plan.cases_of(wanted) {
            let all = plan
                .wanted
                .iter()
                .filter_map(|w| w.capset.masked.as_ref())
                .max_by_key(|m| m.names.len());
            let Some(all) = all else { continue };
            let asked = o.relevant(case, &all.expected);
            // With one of them another path may be as good as the best.
            if asked.is_empty() || asked.iter().any(|name| masked.names.contains(name)) {
                continue;
            }
            let best = |r: &&Row| {
                plan.wanted
                    .iter()
                    .any(|w| w.capset.name == r.capset && w.capset.masked.as_ref() == Some(all))
            };
            let of = |r: &&Row| r.case == case.id && r.passed();
            let mut pairs = swept
                .rows
                .iter()
                .filter(of)
                .filter(|r| r.capset == c.capset)
                .filter_map(|row| {
                    let same = |r: &&Row| (r.bytes, &r.direction) == (row.bytes, &row.direction);
                    Some((row, swept.rows.iter().filter(of).filter(best).find(same)?))
                })
                .peekable();
            if pairs.peek().is_some() && pairs.all(|(a, b)| same_path(a, b)) {
                c.unchanged.push(case.id.clone());
            }
        }
    }
    Ok(())
}

/// Whether two rows cost the same: by exact counts where there are any, else by time.
fn same_path(a: &Row, b: &Row) -> bool {
    let near = |a: f64, b: f64, part: f64| (a - b).abs() <= part * b;
    match (a.insns_per_op.zip(b.insns_per_op), a.ns_per_op.zip(b.ns_per_op)) {
        (Some((a, b)), _) => near(a, b, SAME_PATH),
        (None, Some((x, y))) => {
            let spread = a.mad_percent.unwrap_or(0.0).max(b.mad_percent.unwrap_or(0.0)) / 100.0;
            // What spreads widely tells neither.
            SPREADS * spread <= UNDECIDED && near(x, y, SAME_PATH.max(SPREADS * spread))
        }
        (None, None) => false,
    }
}

fn noise(rows: &[Row]) -> Option<String> {
    let spreads: Vec<f64> = rows.iter().filter_map(|r| r.mad_percent).collect();
    let noisy = spreads.iter().filter(|m| **m > NOISY).count();
    let worst = spreads.iter().copied().fold(0.0, f64::max);
    (noisy > 0).then(|| {
        format!(
            "{noisy} of {} times spread by more than {NOISY} % (at most {worst:.1} %): the machine is busy or changes its \
             clock; stop other work and fix the frequency (cpupower frequency-set -g performance), then measure again",
            spreads.len()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(insns: Option<f64>, ns: Option<f64>, mad: f64) -> Row {
        let row = crate::best::tests::row("x", "scalar", 64, 100.0);
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

    #[test]
    fn noise_is_told_with_its_size() {
        assert_eq!(noise(&[row(None, Some(1.0), 1.9)]), None);
        let told = noise(&[row(None, Some(1.0), 1.0), row(None, Some(1.0), 7.5)]).unwrap();
        assert!(told.contains("1 of 2") && told.contains("7.5 %"), "{told}");
    }
}
