//! Jobs that differ only in parameters of the core: replays measure them together (`capvec_bench::replay`).

use super::flags::parsed;
use crate::cmd::bench::cores;
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
pub fn members(jobs: &[&Job]) -> Vec<Option<Member>> {
    let same = |a: &&Job, b: &&Job| without_parameters(a) == without_parameters(b);
    jobs.chunk_by(same).flat_map(family).collect()
}

/// The same for jobs that differ only in parameters of the core.
fn family(jobs: &[&Job]) -> Vec<Option<Member>> {
    let none = vec![None; jobs.len()];
    if jobs.len() < FEWEST {
        return none;
    }
    // What is wrong with a job is reported when it runs.
    let cores = jobs.iter().map(|job| only_core(job).ok().flatten());
    match cores.collect::<Option<Vec<Core>>>() {
        Some(cores) => Family::of(&cores.iter().collect::<Vec<_>>()),
        None => none,
    }
}

/// The core of a job that measures one library on one core.
fn only_core(job: &Job) -> Result<Option<Core>> {
    let flags = parsed(&job.flags)?;
    if flags.subjects().len() != 1 {
        return Ok(None);
    }
    Ok(<[Core; 1]>::try_from(cores(&flags)?).ok().map(|[core]| core))
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
            let members = members(&jobs.iter().collect::<Vec<_>>());
            members.into_iter().map(|m| m.map(|m| m.number)).collect()
        };
        let every: Vec<Option<usize>> = (0..FEWEST).map(Some).collect();
        assert_eq!(numbers(&of("dcache.miss", FEWEST)), every);
        assert_eq!(numbers(&of("dcache.miss", FEWEST - 1)), vec![None; FEWEST - 1]);
        // A job of two cores, or of two libraries, has no core of its own.
        let two = |flag: &str| -> Vec<Job> {
            let flags = |n| format!("--core karu64 {flag} --set dcache.miss={n}");
            (1..=FEWEST).map(|n| job(&flags(n))).collect()
        };
        assert_eq!(numbers(&two("--set icache.miss=1,2")), vec![None; FEWEST]);
        assert_eq!(numbers(&two("--subject openssl,nettle")), vec![None; FEWEST]);
        // The program can read how fast its clock is.
        assert_eq!(numbers(&of("frequency", FEWEST)), vec![None; FEWEST]);
    }
}
