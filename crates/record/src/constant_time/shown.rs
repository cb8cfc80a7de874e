//! What checks for constant time show.

use super::matrix::{Line, Outcome};
use super::{Checks, Finding, Timing};
use crate::grid::{Grid, Section};
use crate::shown::{Summary, Tables};
use anyhow::Result;

const MATRIX: &str = "\
clean: nothing that was checked depends on a secret, under both policies for agnostic elements. leaks: something does, in the functions \
that \"where\" names. VLEN: that of each set with vector instructions. Findings are not judged here: some may be harmless or false \
(docs/constant-time.md).
";
const FINDINGS: &str = "\
count: in the configuration where it was found first. address: of the instruction in its file.
";
const CYCLES: &str = "\
cycles: on the core model, with as many random keys and inputs as \"inputs\" says. public: they vary with values that are public.
";

fn joined<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    all.into_iter().map(|one| one.to_string()).collect::<Vec<_>>().join(", ")
}

fn line(line: Line) -> Vec<String> {
    let (result, place) = match line.outcome {
        Outcome::Clean => ("clean", String::new()),
        Outcome::Leaks(functions) => ("leaks", joined(functions)),
        Outcome::NotChecked(why) => ("not checked", why),
    };
    vec![line.case, result.into(), place, joined(line.sets), joined(line.vlens)]
}

fn finding(f: &Finding) -> Vec<String> {
    let source = f.source.as_ref().map_or(String::new(), |s| format!("{}:{}", s.file, s.line));
    vec![
        f.kind.clone(),
        f.function.clone(),
        f.instruction.clone(),
        source,
        format!("{} {:#x}", f.object, f.address),
        f.count.to_string(),
    ]
}

fn cycles(t: &Timing) -> [String; 3] {
    let (least, most) = (t.cycles.iter().min(), t.cycles.iter().max());
    let range = match (least, most) {
        (Some(least), Some(most)) if least != most => format!("{least} to {most}"),
        (Some(one), _) => one.to_string(),
        _ => String::new(),
    };
    let verdict = match (&t.may_vary, least == most) {
        (_, true) => "one number",
        (Some(_), false) => "public",
        (None, false) => "vary",
    };
    [t.inputs.to_string(), range, verdict.into()]
}

impl Checks {
    fn timings(&self) -> Vec<Vec<String>> {
        let all = self.rows.iter().flat_map(|r| r.timings.iter().map(move |t| (r, t)));
        let line = |(r, t): (&super::Row, &Timing)| {
            let vlen = r.vlen.map_or(String::new(), |v| v.to_string());
            let own = [r.case.clone(), t.operation.clone(), r.caps.clone(), vlen];
            own.into_iter().chain(cycles(t)).collect()
        };
        all.map(line).collect()
    }
}

impl Tables for Checks {
    /// A line for each outcome of a case, then the findings, then the cycles; those that are there.
    fn sections(&self) -> Result<Vec<Section>> {
        let section = |title, head: &[&str], body, legend: &'static str| Section {
            title,
            grid: Grid::of(head, body),
            legend: legend.into(),
        };
        let all = [
            section(
                "Constant time",
                &["case", "result", "where", "capability set", "VLEN"],
                self.matrix().into_iter().map(line).collect(),
                MATRIX,
            ),
            section(
                "What depends on secrets",
                &["finding", "function", "instruction", "source", "address", "count"],
                self.findings.iter().map(finding).collect(),
                FINDINGS,
            ),
            section(
                "Cycles with random keys and inputs",
                &["case", "operation", "capability set", "VLEN", "inputs", "cycles", "verdict"],
                self.timings(),
                CYCLES,
            ),
        ];
        Ok(all.into_iter().filter(|s| !s.grid.body.is_empty()).collect())
    }
}

impl Summary for Checks {
    fn facts(&self) -> Vec<(&'static str, String)> {
        let [leaks, unchecked, all] = self.counted();
        let mut facts = vec![("Subject", self.subject.clone())];
        if all > 0 {
            facts.push(("Checks", format!("{all}: {leaks} leak, {unchecked} were not made")));
        }
        facts
    }

    fn warnings(&self) -> Vec<String> {
        let leaks = self.matrix().into_iter().filter_map(|l| match l.outcome {
            Outcome::Leaks(functions) => {
                let (sets, functions) = (joined(l.sets), joined(functions));
                Some(format!("{} with {sets}: something depends on secrets in {functions}", l.case))
            }
            _ => None,
        });
        leaks.collect()
    }

    fn place(&self) -> Option<String> {
        None
    }

    fn headline(&self, on: &str) -> Vec<(String, String)> {
        let [leaks, _, all] = self.counted();
        let tile = (format!("{leaks} of {all}"), format!("checks for constant time leak{on}"));
        if all == 0 { Vec::new() } else { vec![tile] }
    }
}
