//! The report, for people and for programs.

use crate::findings::{Finding, Step};
use serde::Serialize;
use std::fmt::Write;

/// What a run has shown.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// What depends on secrets, in the order in which it was found.
    pub findings: Vec<Finding>,
    /// Whether anything was secret.
    pub marked: bool,
    /// Symbols that no program or library of the run has.
    pub unresolved: Vec<String>,
    /// The host had no memory to follow everything.
    pub incomplete: bool,
}

/// The report as JSON.
///
/// # Errors
/// Never in practice: strings and numbers can be written.
pub fn json(report: &Report) -> serde_json::Result<String> {
    serde_json::to_string_pretty(report).map(|text| text + "\n")
}

fn place(step: &Step) -> String {
    let file = step.object.rsplit('/').next().unwrap_or_default();
    format!("{}+{:#x} ({file} {:#x})", step.function, step.offset, step.address)
}

/// The report as text.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    for (k, f) in report.findings.iter().enumerate() {
        let times = if f.count == 1 { "once".into() } else { format!("{} times", f.count) };
        let _ = writeln!(out, "{}. {}, {times}", k + 1, f.kind.text());
        let _ = writeln!(out, "   {}   {}", f.at.instruction, place(&f.at));
        let _ = writeln!(out, "   called through {}", f.path.join(" > "));
        let _ = writeln!(out, "   the secret: {}", f.secret);
        for step in &f.chain {
            let _ = writeln!(out, "     {}   {}", step.instruction, place(step));
        }
        out.push('\n');
    }
    let verdict = match report.findings.len() {
        0 => "no finding: nothing that was checked depends on a secret".into(),
        1 => "1 finding".into(),
        n => format!("{n} findings"),
    };
    out + &verdict + "\n"
}
