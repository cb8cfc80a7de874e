//! What the checks of cases have shown, for people and for programs.

use super::check::{Checked, Plan};
use capvec_ct::{Document, Row, Timing, findings};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The checks as a document.
pub fn document(plan: &Plan, subject: &str, all: &[Checked]) -> Document {
    let mut document = Document::new(subject);
    for c in all {
        document.add(row(plan, c), &c.outcome);
    }
    document
}

/// What the times have shown, as a document.
pub fn timing_document(plan: &Plan, subject: &str, all: Vec<(Checked, Vec<Timing>)>) -> Document {
    let mut document = Document::new(subject);
    for (c, timings) in all {
        document.add(Row { timings, ..row(plan, &c) }, &c.outcome);
    }
    document
}

fn row(plan: &Plan, c: &Checked) -> Row {
    Row {
        case: plan.cases.get(c.case).map_or(String::new(), |case| case.id.clone()),
        caps: c.capset.name.clone(),
        vlen: c.vector.map(|(vlen, _)| vlen),
        agnostic: c.vector.map(|(_, policy)| policy.name()),
        ..Row::default()
    }
}

/// A line for each operation whose cycles vary and each configuration that was not timed, then the totals.
pub fn timing_text(document: &Document) -> String {
    let mut out = String::new();
    let [mut all, mut vary, mut may] = [0; 3];
    for row in &document.rows {
        if let Some(why) = &row.not_checked {
            let _ = writeln!(out, "{}: not checked: {why}", configuration(row, &row.case));
        }
        for t in &row.timings {
            all += 1;
            let (Some(least), Some(most)) = (t.cycles.first(), t.cycles.last()) else { continue };
            if t.cycles.len() == 1 {
                continue;
            }
            vary += 1;
            may += usize::from(!t.leaks());
            let divergence = t.divergence.as_deref().unwrap_or("where they diverge is unknown");
            let why = t.may_vary.as_ref().map_or(String::new(), |w| format!("; public: {w}"));
            let _ = writeln!(
                out,
                "{}: {least} to {most} cycles; {divergence}{why}",
                configuration(row, &format!("{} {}", row.case, t.operation))
            );
        }
    }
    let _ = writeln!(
        out,
        "{all} operations: {} take the same number of cycles with every key and input, {vary} do not, {may} of these because of public values; \
        configurations not checked: {}",
        all - vary,
        unchecked(document)
    );
    out
}

/// `what`, and the configuration of the row.
fn configuration(row: &Row, what: &str) -> String {
    let vlen = row.vlen.map_or(String::new(), |v| format!(", VLEN {v}"));
    let agnostic = row.agnostic.map_or(String::new(), |a| format!(", agnostic {a}"));
    format!("{what} with {}{vlen}{agnostic}", row.caps)
}

/// Number of rows that were not checked.
fn unchecked(document: &Document) -> usize {
    document.rows.iter().filter(|r| r.not_checked.is_some()).count()
}

/// A line for each case, then every finding once, then the totals.
pub fn text(document: &Document) -> String {
    let mut cases: Vec<&str> = document.rows.iter().map(|r| r.case.as_str()).collect();
    cases.sort_unstable();
    cases.dedup();
    let width = cases.iter().map(|c| c.len()).max().unwrap_or(0);
    let mut out = String::new();
    for case in cases {
        let own: Vec<&Row> = document.rows.iter().filter(|r| r.case == case).collect();
        let _ = writeln!(out, "{case:width$}  {}", line(document, &own));
    }
    out.push('\n');
    out += &findings(&document.findings);
    let leaks = document.rows.iter().filter(|r| !r.findings.is_empty()).count();
    let (found, checks) = (document.findings.len(), document.rows.len());
    let unchecked = unchecked(document);
    let _ = writeln!(out, "{checks} checks: {found} findings in {leaks}; {unchecked} not made");
    out
}

/// A summary of a case's rows.
fn line(document: &Document, own: &[&Row]) -> String {
    let clean = own.iter().filter(|r| r.not_checked.is_none() && r.findings.is_empty()).count();
    let mut words = vec![format!("clean in {clean} of {} configurations", own.len())];
    // Sets that leak alike share a line.
    let mut leaks: BTreeMap<BTreeSet<&str>, BTreeSet<&str>> = BTreeMap::new();
    for row in own.iter().filter(|r| !r.findings.is_empty()) {
        let found = row.findings.iter().filter_map(|n| document.findings.get(*n));
        leaks.entry(found.map(|f| f.at.function.as_str()).collect()).or_default().insert(&row.caps);
    }
    let joined = |all: BTreeSet<&str>| all.into_iter().collect::<Vec<_>>().join(", ");
    let leaks = leaks.into_iter();
    words.extend(leaks.map(|(f, sets)| format!("leaks with {} in {}", joined(sets), joined(f))));
    let reasons: BTreeSet<&str> = own.iter().filter_map(|r| r.not_checked.as_deref()).collect();
    words.extend(reasons.into_iter().map(|why| format!("not checked: {why}")));
    words.join("; ")
}
