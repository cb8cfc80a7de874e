//! The cycles of jobs, from what the driver read of its counters.

use crate::driver_protocol::Job;
use capvec_timing::replay::Counter;

/// Reads of a measured loop: `instret` and `cycle` before it, `cycle` and `instret` after it (`count` in
/// `crates/guest/driver/measure/main.c`).
const LOOP: [Counter; 4] = [Counter::Instret, Counter::Cycle, Counter::Cycle, Counter::Instret];
/// Reads of the loop that checks the counter.
const SELF_CHECK: [Counter; 2] = [Counter::Instret, Counter::Instret];

/// The loops of a job, of which the last one is the measured one; and the index of the empty one.
fn loops(job: &Job) -> Option<(usize, usize)> {
    match job {
        Job::Measure(_, _, _, 1) => Some((2, 0)),
        // One to warm up, an empty one, another to warm up.
        Job::Measure(..) => Some((4, 1)),
        _ => None,
    }
}

/// What a process with these jobs reads.
fn expected(jobs: &[Job]) -> Vec<Counter> {
    let of = |job: &Job| match (job, loops(job)) {
        (_, Some((count, _))) => LOOP.repeat(count),
        (Job::SelfCheck, _) => SELF_CHECK.to_vec(),
        _ => Vec::new(),
    };
    jobs.iter().flat_map(of).collect()
}

/// Cycles of each measuring job, less those of its empty loop, from the values that `cycle` had; `None` if the process read
/// something else.
pub fn cycles(jobs: &[Job], reads: &[Counter], values: &[u64]) -> Option<Vec<u64>> {
    if expected(jobs) != reads {
        return None;
    }
    let mut pairs = values.chunks_exact(2).map(|pair| pair[1] - pair[0]);
    let of = |(count, empty): (usize, usize)| {
        let taken: Vec<u64> = pairs.by_ref().take(count).collect();
        Some(taken.last()?.saturating_sub(*taken.get(empty)?))
    };
    jobs.iter().filter_map(loops).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Operation, select};

    #[test]
    fn cycles_are_those_of_the_last_loop_without_those_of_the_empty_one() {
        let case = &select(&["sha256".into()]).unwrap()[0];
        let measure = |repeats| Job::Measure(case, Operation::Encrypt, 64, repeats);
        let jobs = [Job::SelfCheck, measure(8), measure(1), Job::Version];
        let reads = [&SELF_CHECK[..], &LOOP.repeat(6)].concat();
        // Differences: 100, 5, 90, 80; then 7 and 70.
        let values = [0, 100, 0, 5, 0, 90, 10, 90, 3, 10, 0, 70];
        assert_eq!(cycles(&jobs, &reads, &values), Some(vec![75, 63]));
        assert_eq!(cycles(&jobs, &reads[1..], &values), None, "another read");
        assert_eq!(cycles(&jobs[3..], &[], &[]), Some(vec![]));
    }
}
