//! What a reader must know before the figures.

use crate::html::escape;
use crate::load::Loaded;
use capvec_bench::table::MOST_WARNINGS;

/// A list of everything wrong; nothing if nothing is.
pub fn problems(runs: &[Loaded]) -> String {
    let mut all = Vec::new();
    for run in runs {
        let prefix = if runs.len() > 1 { format!("{}: ", run.name) } else { String::new() };
        all.extend(run.record.warnings().into_iter().map(|p| prefix.clone() + &p));
    }
    if all.is_empty() {
        return String::new();
    }
    let listed: String =
        all.iter().take(MOST_WARNINGS).map(|p| format!("<li>{}</li>\n", escape(p))).collect();
    let more = match all.len().saturating_sub(MOST_WARNINGS) {
        0 => String::new(),
        n => format!("<li>and {n} more</li>\n"),
    };
    format!(
        "<aside class=\"problems\"><h2>Before you read the figures</h2>\n<ul>\n{listed}{more}</ul></aside>\n"
    )
}
