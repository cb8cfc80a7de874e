//! Jobs that differ only in parameters of the core: replays measure them together (`capvec_bench::replay`).

use super::plan::parsed;
use crate::cmd::bench::{cores, replays};
use anyhow::Result;
use capvec_bench::replay::{FEWEST, Family, Member};
use capvec_sweep::Job;
use capvec_timing::Core;
use std::collections::HashMap;

/// The flags of a job without the parameters of its core.
fn without_parameters(job: &Job) -> Vec<&str> {
    let mut flags = job.flags.iter();
    let mut left = Vec::new();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "--set" => drop(flags.next()),
            other => left.push(other),
        }
    }
    left
}

/// Moves jobs that differ only in parameters of the core next to each other; apart from that, they stay in their order.
pub fn sort(jobs: &mut [&Job]) {
    let mut places = HashMap::new();
    for job in jobs.iter() {
        let next = places.len();
        places.entry(without_parameters(job)).or_insert(next);
    }
    jobs.sort_by_cached_key(|job| places.get(&without_parameters(job)).copied());
}

/// By job: its place in a family of cores, for jobs in the order of [`sort`].
///
/// # Errors
/// A job's core is wrong.
pub fn members(jobs: &[&Job]) -> Result<Vec<Option<Member>>> {
    let same = |a: &&Job, b: &&Job| without_parameters(a) == without_parameters(b);
    let mut all = Vec::new();
    for group in jobs.chunk_by(same) {
        let flags = parsed(&group[0].flags)?;
        if group.len() < FEWEST || !replays(&flags) || flags.cores().len() != 1 {
            all.extend(group.iter().map(|_| None));
            continue;
        }
        let cores =
            group.iter().map(|job| cores(&parsed(&job.flags)?)).collect::<Result<Vec<_>>>()?;
        let cores: Vec<&Core> = cores.iter().flatten().collect();
        all.extend(Family::of(&cores));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(flags: &str) -> Job {
        Job { id: flags.into(), flags: flags.split(' ').map(String::from).collect() }
    }

    #[test]
    fn jobs_that_differ_in_parameters_are_next_to_each_other() {
        let jobs =
            ["--caps b --set x.y=1", "--caps a --set x.y=1", "--caps b --set x.y=2"].map(job);
        let mut sorted: Vec<&Job> = jobs.iter().collect();
        sort(&mut sorted);
        let ids: Vec<&str> = sorted.iter().map(|job| job.id.as_str()).collect();
        assert_eq!(ids, [&*jobs[0].id, &*jobs[2].id, &*jobs[1].id]);
    }

    #[test]
    fn a_family_has_enough_jobs_that_differ_in_costs_only() {
        let of = |key: &str, count: usize| -> Vec<Job> {
            let flags = |n| format!("--core karu64 --caps scalar --set {key}={n}");
            (1..=count).map(|n| job(&flags(n))).collect()
        };
        let numbers = |jobs: &[Job]| -> Vec<Option<usize>> {
            let members = members(&jobs.iter().collect::<Vec<_>>()).unwrap();
            members.into_iter().map(|m| m.map(|m| m.number)).collect()
        };
        let every: Vec<Option<usize>> = (0..FEWEST).map(Some).collect();
        assert_eq!(numbers(&of("dcache.miss", FEWEST)), every);
        assert_eq!(numbers(&of("dcache.miss", FEWEST - 1)), vec![None; FEWEST - 1]);
        // The program can read how fast its clock is.
        assert_eq!(numbers(&of("frequency", FEWEST)), vec![None; FEWEST]);
    }
}
