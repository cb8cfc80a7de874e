//! The same measurements in several random layouts of memory.

use super::results::{CaseResult, Measure, Results};
use crate::case::Case;
use crate::driver_protocol::{Counts, Taken};
use crate::run::{Configuration, Runner};
use anyhow::Result;

/// Measures a configuration in this many layouts. Each figure is that of the layout with the median of the cycles (of an even
/// number, the lower one of the two in the middle), and has the cycles of all layouts. An answer that is wrong in any
/// layout is wrong.
///
/// # Errors
/// The guest cannot be run at all.
pub fn measure(
    runner: &Runner,
    cases: &[&Case],
    bytes: &[usize],
    c: &Configuration,
    count: u64,
) -> Result<Results> {
    let one = |seed| {
        let c = Configuration { layout: Some(seed), ..c.clone() };
        Results::measure(runner, cases, bytes, &c)
    };
    let mut first = one(0)?;
    let others = (1..count).map(one).collect::<Result<Vec<Results>>>()?;
    merge(&mut first, &others);
    Ok(first)
}

fn merge(first: &mut Results, others: &[Results]) {
    for other in others {
        if first.self_check.is_ok() {
            first.self_check = other.self_check.clone();
        }
    }
    for (place, case) in first.cases.iter_mut().enumerate() {
        let same: Vec<&CaseResult> = others.iter().filter_map(|o| o.cases.get(place)).collect();
        for answer in same.iter().flat_map(|o| &o.answers) {
            if !case.answers.contains(answer) {
                case.answers.push(answer.clone());
            }
        }
        for m in &mut case.measures {
            let like = |o: &&Measure| (o.direction, o.bytes) == (m.direction, m.bytes);
            let more = same.iter().filter_map(|o| o.measures.iter().find(like));
            let all: Vec<_> = std::iter::once(&m.taken).chain(more.map(|o| &o.taken)).collect();
            let (taken, by_layout) = median(&all);
            (m.taken, m.cycles_by_layout) = (taken, by_layout);
        }
    }
}

/// The counts with the median of the cycles, and the cycles of all; the first reason why something was not measured in a layout.
fn median(all: &[&Result<Taken, String>]) -> (Result<Taken, String>, Vec<u64>) {
    let mut counts: Vec<&Counts> = Vec::new();
    for taken in all {
        match taken {
            Ok(Taken::Counts(c)) => counts.push(c),
            other => return ((*other).clone(), Vec::new()),
        }
    }
    let cycles = counts.iter().map(|c| c.cycles).collect();
    counts.sort_by_key(|c| c.cycles);
    let middle = counts.len().saturating_sub(1) / 2;
    match counts.get(middle) {
        Some(c) => (Ok(Taken::Counts(**c)), cycles),
        None => (Err("it was measured in no layout".into()), cycles),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Operation;
    use capvec_targets::Probe;

    fn results(cycles: Result<u64, &str>, answer: Option<&str>) -> Results {
        let counts =
            |cycles| Taken::Counts(Counts { instret: cycles / 2, cycles, wire_bytes: None });
        let taken = cycles.map(counts).map_err(String::from);
        let measure = Measure {
            direction: Operation::Encrypt,
            bytes: 64,
            repeats: 2,
            taken,
            mix: Default::default(),
            functions: Vec::new(),
            each: Vec::new(),
            cycles_by_layout: Vec::new(),
        };
        let answers = answer.into_iter().map(String::from).collect();
        let cases = vec![CaseResult { answers, measures: vec![measure] }];
        Results { version: "3".into(), self_check: Ok(()), probe: Probe::default(), cases }
    }

    #[test]
    fn a_figure_is_that_of_the_median_layout_and_has_all_cycles() {
        let mut first = results(Ok(70), None);
        merge(&mut first, &[results(Ok(90), None), results(Ok(20), None), results(Ok(30), None)]);
        let m = &first.cases[0].measures[0];
        // In order 20, 30, 70, 90: the lower one in the middle, with its own instructions.
        let median = Taken::Counts(Counts { instret: 15, cycles: 30, wire_bytes: None });
        assert_eq!((&m.taken, &m.cycles_by_layout[..]), (&Ok(median), &[70, 90, 20, 30][..]));
    }

    #[test]
    fn what_fails_in_one_layout_fails() {
        let mut first = results(Ok(70), None);
        merge(&mut first, &[results(Ok(90), Some("wrong")), results(Err("died"), Some("wrong"))]);
        assert_eq!(first.cases[0].answers, ["wrong"]);
        assert_eq!(first.cases[0].measures[0].taken, Err("died".into()));
        let mut bad = results(Ok(1), None);
        bad.self_check = Err("off by one".into());
        let mut first = results(Ok(70), None);
        merge(&mut first, &[bad]);
        assert!(first.self_check.is_err());
    }
}
