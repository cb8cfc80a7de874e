//! Where the time of one operation goes, by function or by class of instructions.
//!
//! The driver runs twice, the second time with twice as many operations. The difference between the two runs is that
//! many operations with warm caches: start-up, warming up and the driver itself cancel out.

use crate::driver_protocol::Job;
use crate::requests::lines;
use crate::run::{Configuration, Program, Runner};
use anyhow::Result;
use capvec_record::FunctionShare;
use capvec_targets::{Count, Share, Work};

/// The functions that the operation of a job executes, those with the most cycles first. Empty if the target cannot
/// tell functions apart, or the job measures nothing.
///
/// # Errors
/// As [`Runner::run`].
pub fn of(runner: &Runner, c: &Configuration, job: &Job<'_>) -> Result<Vec<FunctionShare>> {
    divided(runner, c, job, Count::Functions)
}

/// The latency classes of the instructions that the operation of a job executes, as [`of`] does for functions.
///
/// # Errors
/// As [`Runner::run`].
pub fn classes(runner: &Runner, c: &Configuration, job: &Job<'_>) -> Result<Vec<FunctionShare>> {
    divided(runner, c, job, Count::Classes)
}

fn divided(
    runner: &Runner,
    c: &Configuration,
    job: &Job<'_>,
    count: Count,
) -> Result<Vec<FunctionShare>> {
    let Job::Measure(case, operation, bytes, repeats) = *job else { return Ok(Vec::new()) };
    let run = |repeats| {
        let job = Job::Measure(case, operation, bytes, repeats);
        let work = Work::driver(Program::Measure, lines(&[vec![job]], runner.target().method()));
        Ok::<_, anyhow::Error>(runner.run(c, Work { count, ..work })?.shares)
    };
    let (once, twice) = (run(repeats)?, run(2 * repeats)?);
    let before = |f: &Share| once.iter().find(|o| o.name == f.name);
    let share = |f: &Share| {
        let (insns, cycles) = before(f).map_or((0, 0), |o| (o.insns, o.cycles));
        let each = |now: u64, before: u64| (now as f64 - before as f64) / repeats as f64;
        let (insns, cycles) = (each(f.insns, insns), each(f.cycles, cycles));
        FunctionShare { name: f.name.clone(), insns, cycles }
    };
    // What runs once may differ by a few cycles, because it finds other lines in the caches.
    let mut shares: Vec<FunctionShare> =
        twice.iter().map(share).filter(|s| s.insns >= 1.0).collect();
    shares.sort_by(|a, b| b.cycles.total_cmp(&a.cycles));
    Ok(shares)
}
