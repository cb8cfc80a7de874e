//! Reports on cases, in one document.

use crate::findings::Finding;
use crate::report::Report;
use serde::Serialize;

/// Version of the format.
const SCHEMA: u32 = 1;

/// Checks of cases in several configurations, as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Document {
    /// Version of this format.
    pub schema: u32,
    /// The checked library, as `--subject` names it.
    pub subject: String,
    /// One for each case in each configuration.
    pub rows: Vec<Row>,
    /// What depends on secrets, each once. Counts and call paths are those of the first row.
    pub findings: Vec<Finding>,
}

/// A case in a configuration.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// The case.
    pub case: String,
    /// The capability set.
    pub caps: String,
    /// VLEN in bits; absent without vector instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vlen: Option<u32>,
    /// What agnostic elements become; absent without vector instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agnostic: Option<&'static str>,
    /// Why nothing was checked; absent if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_checked: Option<String>,
    /// Indices of the findings; none if the case is clean.
    pub findings: Vec<usize>,
    /// Number of findings that are declared harmless.
    pub suppressed: usize,
    /// With --timing: the case's operations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timings: Vec<Timing>,
}

/// An operation with several keys and inputs on a core model.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Timing {
    /// The operation.
    pub operation: &'static str,
    /// Its modelled cycles, each number once: constant if there is one.
    pub cycles: Vec<u64>,
    /// Number of keys and inputs.
    pub inputs: usize,
    /// The first block at which two runs diverge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divergence: Option<String>,
    /// Why the cycles may vary: because of something public.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_vary: Option<String>,
}

impl Timing {
    /// Whether the cycles vary although nothing public does.
    pub fn leaks(&self) -> bool {
        self.cycles.len() > 1 && self.may_vary.is_none()
    }
}

impl Document {
    /// No rows yet.
    pub fn new(subject: &str) -> Document {
        Document { schema: SCHEMA, subject: subject.into(), rows: Vec::new(), findings: Vec::new() }
    }

    /// Adds a row with what a run has shown, or why nothing was checked.
    pub fn add(&mut self, row: Row, outcome: &Result<Report, String>) {
        let row = match outcome {
            Err(why) => Row { not_checked: Some(why.clone()), ..row },
            Ok(report) => Row {
                findings: report.findings.iter().map(|f| self.number(f)).collect(),
                suppressed: report.suppressed.len(),
                ..row
            },
        };
        self.rows.push(row);
    }

    fn number(&mut self, finding: &Finding) -> usize {
        let known = self.findings.iter().position(|known| known.same(finding));
        known.unwrap_or_else(|| {
            self.findings.push(finding.clone());
            self.findings.len() - 1
        })
    }

    /// The document as text.
    ///
    /// # Errors
    /// Never in practice: strings and numbers can be written.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

/// One report with the findings of all, each once.
pub fn merged<'a>(reports: impl Iterator<Item = &'a Report>) -> Report {
    let mut all = Report::new(Vec::new());
    for report in reports {
        for finding in &report.findings {
            match all.findings.iter_mut().find(|known| known.same(finding)) {
                Some(known) => known.count += finding.count,
                None => all.findings.push(finding.clone()),
            }
        }
        for suppressed in &report.suppressed {
            match all.suppressed.iter_mut().find(|k| k.finding.same(&suppressed.finding)) {
                Some(known) => known.finding.count += suppressed.finding.count,
                None => all.suppressed.push(suppressed.clone()),
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::testing::{finding, schema};

    #[test]
    fn the_schema_is_that_of_the_types() {
        schema::<Document>("ct-cases", "JSON of capvec ct --cases");
    }

    #[test]
    fn a_finding_of_several_rows_is_one() {
        let other = Finding { kind: Kind::Address, ..finding() };
        let reports =
            [vec![finding()], vec![other.clone(), finding()]].map(|all| Ok(Report::new(all)));
        let mut document = Document::new("capvec");
        reports.iter().for_each(|r| document.add(Row::default(), r));
        document.add(Row::default(), &Err("why".into()));
        let rows: Vec<&[usize]> = document.rows.iter().map(|r| &*r.findings).collect();
        assert_eq!(rows, [&[0][..], &[1, 0], &[]]);
        assert_eq!(document.rows[2].not_checked.as_deref(), Some("why"));
        assert_eq!(document.findings, [finding(), other.clone()]);
        let one = merged(reports.iter().flatten());
        assert_eq!(one.findings, [Finding { count: 6, ..finding() }, other]);
    }
}
