//! The report for people.

use crate::findings::{Finding, Step};
use crate::report::Report;
use crate::verdict::Gap;
use std::fmt::Write;

fn place(step: &Step) -> String {
    let file = step.object.rsplit('/').next().unwrap_or_default();
    let source = step.source.as_ref().map_or(String::new(), |s| format!(" {s}"));
    format!("{}+{:#x} ({file} {:#x}){source}", step.function, step.offset, step.address)
}

/// Findings, numbered.
pub fn findings(all: &[Finding]) -> String {
    let mut out = String::new();
    for (k, f) in all.iter().enumerate() {
        let times = if f.count == 1 { "once".into() } else { format!("{} times", f.count) };
        let left = f.left_in.as_ref().map_or(String::new(), |place| format!(" in {place}"));
        let _ = writeln!(out, "{}. {}{left}, {times}", k + 1, f.kind.text());
        let _ = writeln!(out, "   {}   {}", f.at.instruction, place(&f.at));
        let _ = writeln!(out, "   called through {}", f.path.join(" > "));
        let _ = writeln!(out, "   the secret: {}", f.secret);
        for step in &f.chain {
            let _ = writeln!(out, "     {}   {}", step.instruction, place(step));
        }
        out.push('\n');
    }
    out
}

/// The report as text; `gaps`: what was not checked.
pub fn text(report: &Report, gaps: &[Gap]) -> String {
    let mut out = findings(&report.findings);
    for unused in report.unused() {
        let _ = writeln!(out, "unused: {unused}");
    }
    if !report.assumed.is_empty() {
        let names = report.assumed.join(", ");
        let _ = writeln!(
            out,
            "assumed: the time of the instructions of {names} does not depend on operands"
        );
    }
    out + &report.verdict(gaps) + "\n"
}
