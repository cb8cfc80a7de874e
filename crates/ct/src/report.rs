//! What a run has shown.

use crate::findings::Finding;
use crate::suppress::Suppressions;
use serde::Serialize;
use std::collections::BTreeSet;

/// Version of the format of [`json`].
const SCHEMA: u32 = 1;

/// What a run has shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Version of this format.
    pub schema: u32,
    /// What depends on secrets, in the order in which it was found.
    pub findings: Vec<Finding>,
    /// Findings that a file declares harmless.
    pub suppressed: Vec<Suppressed>,
    /// Lines of that file with suppressions that applied to no finding.
    pub unused_suppressions: Vec<usize>,
    /// What was to be made public, by functions that were never called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unused_declassifications: Vec<String>,
    /// Extensions whose instructions were assumed to take the same time for all operands, although neither Zkt nor Zvkt lists them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumed: Vec<String>,
    /// Whether anything was secret.
    pub marked: bool,
    /// Symbols that no program or library of the run has.
    pub unresolved: Vec<String>,
    /// Flags that mark secrets or look for leftovers and had no effect, each with the reason.
    pub without_effect: Vec<String>,
    /// The host had no memory to follow everything.
    pub incomplete: bool,
    /// The status with which the program ended; unless it is 0, not everything was checked.
    pub status: u8,
}

/// A finding that is declared harmless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Suppressed {
    /// Why it is harmless.
    pub reason: String,
    /// The finding.
    pub finding: Finding,
}

impl Report {
    /// A report of these findings.
    pub fn new(findings: Vec<Finding>) -> Report {
        Report {
            schema: SCHEMA,
            findings,
            suppressed: Vec::new(),
            unused_suppressions: Vec::new(),
            unused_declassifications: Vec::new(),
            assumed: Vec::new(),
            marked: false,
            unresolved: Vec::new(),
            without_effect: Vec::new(),
            incomplete: false,
            status: 0,
        }
    }

    /// Moves what the file declares harmless to `suppressed`.
    pub fn suppress(&mut self, suppressions: &Suppressions) {
        let mut used = BTreeSet::new();
        for finding in std::mem::take(&mut self.findings) {
            match suppressions.of(&finding) {
                None => self.findings.push(finding),
                Some((number, reason)) => {
                    used.insert(number);
                    self.suppressed.push(Suppressed { reason: reason.into(), finding });
                }
            }
        }
        let unused = suppressions.lines().enumerate().filter(|(number, _)| !used.contains(number));
        self.unused_suppressions = unused.map(|(_, line)| line).collect();
    }

    /// What the user can take out of a file or a command line.
    pub(crate) fn unused(&self) -> Vec<String> {
        let suppression =
            |line| format!("the suppression in line {line} applies to no finding; remove it");
        let declassification = |flag| format!("--declassify {flag}: the function was never called");
        let suppressions = self.unused_suppressions.iter().map(suppression);
        suppressions.chain(self.unused_declassifications.iter().map(declassification)).collect()
    }
}

/// The report as JSON.
///
/// # Errors
/// Never in practice: strings and numbers can be written.
pub fn json(report: &Report) -> serde_json::Result<String> {
    serde_json::to_string_pretty(report).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, schema};

    #[test]
    fn the_schema_is_that_of_the_types() {
        schema::<Report>("ct", "JSON of capvec ct");
    }

    #[test]
    fn suppressed_findings_are_kept_apart_and_unused_suppressions_named() {
        let other = Finding { kind: crate::Kind::Address, ..finding() };
        let mut report = Report::new(vec![finding(), other.clone()]);
        let rule = |kind: &str| {
            format!("[[suppress]]\nkind = '{kind}'\nfunction = 'leak'\nreason = 'public'\n")
        };
        let text = rule("branch") + &rule("jump-target");
        report.suppress(&Suppressions::parse(&text).unwrap());
        assert_eq!(report.findings, [other]);
        assert_eq!(report.suppressed[0].finding, finding());
        assert_eq!(report.suppressed[0].reason, "public");
        assert_eq!(report.unused_suppressions, [5]);
    }
}
