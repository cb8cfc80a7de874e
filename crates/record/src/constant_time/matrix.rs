//! The matrix: what each case does in each configuration, where those that do the same share a line.

use super::{Checks, Row};
use std::collections::{BTreeMap, BTreeSet};

/// What was found about a case in a configuration, under every policy for agnostic elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing depends on a secret.
    Clean,
    /// Something does, in these functions.
    Leaks(BTreeSet<String>),
    /// Nothing was checked, for this reason.
    NotChecked(String),
}

/// Configurations in which a case does the same.
pub struct Line {
    /// The case.
    pub case: String,
    /// What it does there.
    pub outcome: Outcome,
    /// Capability sets.
    pub sets: Vec<String>,
    /// VLENs of each of these sets; none without vector instructions.
    pub vlens: Vec<u32>,
}

impl Outcome {
    /// Of one row.
    fn of(checks: &Checks, row: &Row) -> Outcome {
        if let Some(why) = &row.not_checked {
            return Outcome::NotChecked(why.clone());
        }
        let found = row.findings.iter().filter_map(|n| checks.findings.get(*n));
        let functions: BTreeSet<String> = found.map(|f| f.function.clone()).collect();
        if functions.is_empty() { Outcome::Clean } else { Outcome::Leaks(functions) }
    }

    /// Of two policies together: a leak under either is one.
    fn and(self, other: Outcome) -> Outcome {
        match (self, other) {
            (Outcome::Leaks(a), Outcome::Leaks(b)) => {
                Outcome::Leaks(a.into_iter().chain(b).collect())
            }
            (leaks @ Outcome::Leaks(_), _) | (_, leaks @ Outcome::Leaks(_)) => leaks,
            (not @ Outcome::NotChecked(_), _) | (_, not @ Outcome::NotChecked(_)) => not,
            (Outcome::Clean, Outcome::Clean) => Outcome::Clean,
        }
    }
}

impl Checks {
    /// The lines of the matrix, by case.
    pub fn matrix(&self) -> Vec<Line> {
        let mut configurations: BTreeMap<(&str, &str, Option<u32>), Outcome> = BTreeMap::new();
        for row in self.rows.iter().filter(|r| r.timings.is_empty()) {
            let key = (row.case.as_str(), row.caps.as_str(), row.vlen);
            let own = Outcome::of(self, row);
            let all = match configurations.remove(&key) {
                Some(other) => own.and(other),
                None => own,
            };
            configurations.insert(key, all);
        }
        // The VLENs of a set with the same outcome, then the sets with the same VLENs.
        let mut vlens: BTreeMap<(&str, &Outcome, &str), Vec<u32>> = BTreeMap::new();
        for ((case, set, vlen), outcome) in &configurations {
            vlens.entry((case, outcome, set)).or_default().extend(vlen);
        }
        let mut sets: BTreeMap<(&str, &Outcome, Vec<u32>), Vec<String>> = BTreeMap::new();
        for ((case, outcome, set), vlens) in vlens {
            sets.entry((case, outcome, vlens)).or_default().push(set.into());
        }
        let line = |((case, outcome, vlens), sets): ((&str, &Outcome, _), _)| Line {
            case: case.into(),
            outcome: outcome.clone(),
            sets,
            vlens,
        };
        sets.into_iter().map(line).collect()
    }

    /// How many rows leak, how many were not checked, and how many there are.
    pub fn counted(&self) -> [usize; 3] {
        let rows = || self.rows.iter().filter(|r| r.timings.is_empty());
        let leaks = rows().filter(|r| !r.findings.is_empty()).count();
        let unchecked = rows().filter(|r| r.not_checked.is_some()).count();
        [leaks, unchecked, rows().count()]
    }
}
