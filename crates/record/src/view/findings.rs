//! What a reader must know before reading the figures, and what makes `capvec bench` fail.

use crate::best::several;
use crate::view::meaning::at_vlen;
use crate::view::unused;
use crate::{ConfigurationRecord, Kind, NotOffered, Record, Row};
use std::collections::HashSet;

/// If there are more findings than this, the rest are counted, not listed.
const MOST: usize = 20;

/// Something that is wrong, or that a reader must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A description in one line.
    pub text: String,
    /// Whether figures are wrong or misleading; the exit status is then 1.
    pub fails: bool,
    /// Whether it was known before the measurement.
    pub foreseen: bool,
}

impl Finding {
    fn new(fails: bool, text: String) -> Finding {
        Finding { text, fails, foreseen: false }
    }
}

/// Everything that is wrong with a record: the counter, the machine, answers, capability sets.
pub fn findings(record: &Record) -> Vec<Finding> {
    let mut found = Vec::new();
    let check = &record.self_check;
    if record.target.kind == Kind::Modelled && !matches!(check.as_str(), "" | "exact") {
        let text = format!("self-check of the instruction counter: {check}");
        found.push(Finding::new(true, text));
    }
    found.extend(record.target.warnings.iter().map(|w| Finding::new(false, w.clone())));
    let wrong = record.rows.iter().chain(&record.speed).filter(|row| !row.passed());
    // `openssl speed` is not run for a figure with wrong answers; its row repeats the reason.
    let mut said = HashSet::new();
    let subjects = several(&record.rows, |r| r.subject.clone());
    found.extend(wrong.map(|r| answer(r, subjects)).filter(|f| said.insert(f.text.clone())));
    found.extend(record.configurations.iter().flat_map(|c| configuration(c, subjects)));
    found.extend(record.not_offered.iter().map(not_offered));
    found.extend(unused::libraries(record).into_iter().map(uses_nothing));
    found
}

/// What begins a finding about a library where there are several.
fn of(subject: &str, several: bool) -> String {
    if several { format!("{subject}: ") } else { String::new() }
}

fn answer(row: &Row, subjects: bool) -> Finding {
    let answers = if row.answers.is_empty() { "not known" } else { &row.answers };
    let (of, at) = (of(&row.subject, subjects), at_vlen(row.vlen));
    let (case, operation, set) = (&row.case, &row.direction, &row.capset);
    let text = format!("{of}{case} {operation}{at} with {set}: answers: {answers}");
    Finding::new(true, text)
}

fn not_offered(lacks: &NotOffered) -> Finding {
    let (subject, cases) = (&lacks.subject, lacks.cases.join(", "));
    Finding::new(false, format!("{subject} does not offer {cases}"))
}

fn uses_nothing(subject: &str) -> Finding {
    let text = format!(
        "{subject} uses none of the core's extensions: with every capability set, each case retires the same instructions"
    );
    Finding::new(false, text)
}

fn configuration(c: &ConfigurationRecord, subjects: bool) -> Vec<Finding> {
    let of = of(&c.subject, subjects);
    let set = format!("{of}capability set {}{}", c.capset, at_vlen(c.vlen));
    // A library that detected capabilities, or got the user's own value, does as it should. One that reports nothing cannot be
    // checked.
    let fails = c.capstring.is_some() && !c.verbatim && c.reports_capabilities != Some(false);
    let disagrees = c.disagreement.iter().map(|what| Finding::new(fails, format!("{set}: {what}")));
    let warnings = c
        .warnings
        .iter()
        .map(|what| Finding { foreseen: true, ..Finding::new(false, format!("{set}: {what}")) });
    let unchanged = (!c.unchanged.is_empty()).then(|| {
        let cases = c.unchanged.join(", ");
        let text = format!(
            "{set}: {cases} cost the same as with the largest set, though their dispatch asks for what this set lacks"
        );
        Finding::new(false, text)
    });
    disagrees.chain(warnings).chain(unchanged).collect()
}

/// The first of these lines, and how many more there are.
pub fn listed(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::row;

    #[test]
    fn wrong_answers_a_wrong_counter_and_a_library_that_ignores_its_configuration_fail() {
        let fails = |record: &Record| findings(record).iter().map(|f| f.fails).collect::<Vec<_>>();
        let given = |capstring: Option<&str>, verbatim| ConfigurationRecord {
            capset: "zbb".into(),
            capstring: capstring.map(String::from),
            disagreement: Some("it uses zba".into()),
            library: "OPENSSL_riscvcap=RV64GC_ZBA".into(),
            warnings: vec!["w".into()],
            verbatim,
            ..ConfigurationRecord::default()
        };
        let mut record = Record { rows: vec![row("x", "zbb", 64, 64.0)], ..Record::default() };
        record.self_check = "exact".into();
        assert_eq!(findings(&record), []);
        record.configurations = vec![given(Some("rv64gc_zbb"), false)];
        assert_eq!(fails(&record), [true, false]);
        assert!(findings(&record)[1].foreseen);
        let silent =
            ConfigurationRecord { reports_capabilities: Some(false), ..given(Some("x"), false) };
        record.configurations = vec![given(None, false), given(Some("x"), true), silent];
        assert_eq!(fails(&record), [false; 6]);
        record.configurations.clear();
        record.self_check = "1001 instead of 1000".into();
        record.target.warnings = vec!["noisy".into()];
        record.rows[0].answers = "wrong".into();
        // `openssl speed` did not measure the case for the same reason; that is not a second finding.
        record.speed = record.rows.clone();
        assert_eq!(fails(&record), [true, false, true]);
        assert_eq!(findings(&record)[2].text, "x enc at VLEN 256 with zbb: answers: wrong");
        // Of several libraries, it says which.
        record.rows.push(Row { subject: "nettle".into(), ..row("x", "zbb", 64, 64.0) });
        record.configurations =
            vec![ConfigurationRecord { subject: "nettle".into(), ..given(Some("x"), false) }];
        let of = format!("{}: x enc at VLEN 256 with zbb: answers: wrong", record.rows[0].subject);
        assert_eq!(findings(&record)[2].text, of);
        let disagrees = &findings(&record)[3].text;
        assert!(disagrees.starts_with("nettle: capability set zbb"), "{disagrees}");
    }

    #[test]
    fn many_findings_are_counted() {
        let lines = |n: usize| listed(vec!["x".to_string(); n]);
        assert_eq!((lines(20).len(), lines(22).len()), (20, 21));
        assert_eq!(lines(22)[20], "and 2 more");
    }
}
