//! Which instructions an operation executes, by latency class.
//!
//! Each figure is measured again by an interpreter that records counts by instruction whenever the driver reads its
//! counter (`crates/guest/driver/measure/main.c`, `count`). Their sum must equal the figure, to the last instruction.

use super::results::{Measure, Mix, Results, groups};
use crate::case::{Case, Kind};
use crate::driver_protocol::{Job, Outcome, Taken};
use crate::requests::MarkedJobs;
use crate::run::{Configuration, GroupOutcome, Runner};
use anyhow::Result;
use capvec_targets::backend::counter_reads::{Mark, between};

/// Measures the mixes of everything that was measured.
///
/// # Errors
/// The guest cannot be run at all.
pub fn take(
    runner: &Runner,
    cases: &[&Case],
    bytes: &[usize],
    c: &Configuration,
    results: &mut Results,
) -> Result<()> {
    // Connections are left out: in a handshake, the counter is read many times, around each step of the measured end.
    let measures =
        |j: &Vec<Job>| j.iter().all(|j| matches!(j, Job::Measure(c, ..) if c.kind != Kind::Tls));
    let per_case = cases.iter().map(|c| groups(c, bytes).into_iter().filter(measures));
    let per_case: Vec<Vec<Vec<Job>>> = per_case.map(Iterator::collect).collect();
    let all: Vec<Vec<Job>> = per_case.iter().flatten().cloned().collect();
    let (outcomes, marks) = runner.run(c, MarkedJobs(&all))?;
    let mut mixes = of_groups(&all, &outcomes, &marks).into_iter();
    for (own, result) in per_case.iter().zip(&mut results.cases) {
        for (job, mix) in own.iter().zip(mixes.by_ref()).flat_map(|(g, mixes)| g.iter().zip(mixes))
        {
            let Job::Measure(_, direction, bytes, _) = job else { continue };
            let same = |m: &&mut Measure| m.direction == *direction && m.bytes == *bytes;
            if let (Some(m), Some((mix, instret))) = (result.measures.iter_mut().find(same), mix)
                && matches!(&m.taken, Ok(Taken::Counts(c)) if c.instret == instret)
            {
                m.mix = mix;
            }
        }
    }
    Ok(())
}

/// Number of sections that the driver counts for a job: a warm-up, the empty loop, another warm-up, the operation; without
/// warm-ups if the operation is measured only once.
fn sections(job: &Job) -> usize {
    if matches!(job, Job::Measure(_, _, _, 1)) { 2 } else { 4 }
}

/// For each group and job, the mix of an operation, and the number of instructions that all repeats retired. A group is a
/// process; one that did not reach its end, or left an unexpected number of marks, has no mix.
fn of_groups(
    groups: &[Vec<Job>],
    outcomes: &[GroupOutcome],
    marks: &[Mark],
) -> Vec<Vec<Option<(Mix, u64)>>> {
    let mut processes = marks.chunk_by(|a, b| a.space == b.space).peekable();
    let each = groups.iter().zip(outcomes).map(|(jobs, outcome)| {
        let due: usize = jobs.iter().map(|j| 2 * sections(j)).sum();
        let good =
            outcome.as_ref().is_ok_and(|o| o.iter().all(|o| matches!(o, Outcome::Measure(Ok(_)))));
        // A failed group may have left fewer marks, or none.
        let own = processes.next_if(|marks| good || marks.len() != due);
        let Some(mut own) = own.filter(|marks| good && marks.len() == due) else {
            return jobs.iter().map(|_| None).collect();
        };
        let one = |job: &Job| {
            let (these, rest) = own.split_at_checked(2 * sections(job))?;
            own = rest;
            let (Job::Measure(_, _, _, repeats), [.., a, b, _, _, x, y] | [a, b, x, y]) =
                (job, these)
            else {
                return None;
            };
            let counts = between((x, y), (a, b));
            let total: i64 = counts.iter().map(|(_, n)| n).sum();
            let mut mix = Mix::new();
            for (op, n) in counts {
                let name = op.row().class.name().to_string();
                *mix.entry(name).or_default() += n as f64 / *repeats as f64;
            }
            Some((mix, u64::try_from(total).ok()?))
        };
        jobs.iter().map(one).collect()
    });
    each.collect()
}
