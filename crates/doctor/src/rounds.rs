//! Repeated rounds of measurements on targets with a clock.

use anyhow::Result;
use capvec_bench::run::Runner;
use capvec_bench::samples::spread;
use capvec_bench::sweep::{self, Plan, Swept};
use capvec_record::Kind;
use capvec_record::Row;

/// Maximum number of rounds: on a busy machine the sets take turns, so that each meets quiet moments.
const ROUNDS: usize = 5;
/// Spread in percent from which times are measured again.
pub const NOISY: f64 = 2.0;

/// Runs the plan, and again while measured times vary, at most [`ROUNDS`] times in total. The speed of a row is that of its
/// fastest sample: other work on the machine can only take time away. Vectors are checked in the first round.
pub fn run(runner: &Runner, mut plan: Plan) -> Result<Swept> {
    let mut swept = sweep::run(runner, &plan, None, &|| ())?;
    plan.gate = None;
    if runner.target().kind() != Kind::Real {
        return Ok(swept);
    }
    for _ in 1..ROUNDS {
        if !swept.rows.iter().any(is_noisy) {
            break;
        }
        let again = sweep::run(runner, &plan, None, &|| ())?;
        for (row, more) in swept.rows.iter_mut().zip(again.rows) {
            pool(row, more);
        }
    }
    swept.rows.iter_mut().for_each(fastest);
    Ok(swept)
}

/// Whether a row's times vary so widely that small differences mean nothing.
pub fn is_noisy(row: &Row) -> bool {
    row.mad_percent.is_some_and(|m| m > NOISY)
}

/// Adds the samples of another round; an answer that is wrong once is wrong.
fn pool(row: &mut Row, more: Row) {
    if row.passed() && !more.passed() {
        *row = more;
        return;
    }
    row.samples.extend(more.samples);
    row.mad_percent = spread(&row.samples).map(|s| s.mad * 100.0);
}

/// Gives a row the speed of its fastest sample.
fn fastest(row: &mut Row) {
    let least = row.samples.iter().copied().fold(f64::INFINITY, f64::min);
    if row.passed() && least > 0.0 && least.is_finite() {
        row.ns_per_op = Some(least);
        row.ops_per_s = Some(1e9 / least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(samples: &[f64], answers: &str) -> Row {
        let (samples, answers) = (samples.to_vec(), answers.into());
        Row { samples, answers, bytes: 64, ..Row::default() }
    }

    #[test]
    fn rounds_are_pooled_and_the_fastest_sample_is_the_speed() {
        let mut r = row(&[400.0, 300.0, 900.0], "pass");
        pool(&mut r, row(&[200.0, 800.0], "pass"));
        fastest(&mut r);
        // 64 bytes in 200 ns.
        assert_eq!((r.samples.len(), r.ns_per_op, r.kbps()), (5, Some(200.0), Some(320_000.0)));
        // Median 400, deviations 200, 100, 0, 400, 500.
        assert_eq!(r.mad_percent, Some(50.0));
        assert!(is_noisy(&r) && !is_noisy(&row(&[1.0], "pass")));
        pool(&mut r, row(&[], "wrong answer"));
        assert_eq!((r.answers.as_str(), r.samples.len()), ("wrong answer", 0));
    }
}
