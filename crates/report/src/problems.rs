//! What a reader must know before the figures.

use crate::html::escape;
use crate::load::Loaded;

/// More than this are counted, not listed.
const MOST: usize = 20;

fn of(run: &Loaded) -> Vec<String> {
    let r = &run.record;
    let mut found = Vec::new();
    if !r.self_check.is_empty() && r.self_check != "exact" {
        found.push(format!("Self-check of the instruction counter: {}", r.self_check));
    }
    for row in r.rows.iter().chain(&r.speed).filter(|row| !row.passed()) {
        let answers = if row.answers.is_empty() { "not known" } else { &row.answers };
        found.push(format!(
            "{} {} at VLEN {} with {}: answers: {answers}",
            row.case, row.direction, row.vlen, row.capset
        ));
    }
    for c in &r.configurations {
        let set = format!("Capability set {} at VLEN {}", c.capset, c.vlen);
        found.extend(c.disagreement.iter().map(|what| format!("{set}: {what}")));
        found.extend(c.warnings.iter().map(|what| format!("{set}: {what}")));
    }
    found
}

/// A list of everything wrong; nothing if nothing is.
pub fn problems(runs: &[Loaded]) -> String {
    let mut all = Vec::new();
    for run in runs {
        let prefix = if runs.len() > 1 { format!("{}: ", run.name) } else { String::new() };
        all.extend(of(run).into_iter().map(|p| prefix.clone() + &p));
    }
    if all.is_empty() {
        return String::new();
    }
    let listed: String =
        all.iter().take(MOST).map(|p| format!("<li>{}</li>\n", escape(p))).collect();
    let more = match all.len().saturating_sub(MOST) {
        0 => String::new(),
        n => format!("<li>and {n} more</li>\n"),
    };
    format!(
        "<aside class=\"problems\"><h2>Before you read the figures</h2>\n<ul>\n{listed}{more}</ul></aside>\n"
    )
}
