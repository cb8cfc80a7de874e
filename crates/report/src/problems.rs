//! What a reader must know before the figures.

use crate::found::Found;
use crate::html::escape;
use capvec_record::read::Loaded;
use capvec_record::view::table::MOST_WARNINGS;

/// A list of everything wrong; nothing if nothing is.
pub fn problems(runs: &[Loaded], found: &[Found]) -> String {
    let mut all = Vec::new();
    let several = runs.len() + found.len() > 1;
    let mut add = |name: &str, warnings: Vec<String>| {
        let prefix = if several { format!("{name}: ") } else { String::new() };
        all.extend(warnings.into_iter().map(|p| prefix.clone() + &p));
    };
    runs.iter().for_each(|run| add(&run.name, run.record.warnings()));
    found.iter().for_each(|f| add(&f.name, f.warnings()));
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
