//! What a reader must know before reading the figures.

use crate::labels;
use crate::other_record::OtherRecord;
use capvec_record::read::Loaded;
use capvec_record::view::findings::{findings, listed};
use capvec_text::escape::markup;

/// A list of all findings and warnings; empty if there are none.
pub fn problems(runs: &[Loaded], others: &[OtherRecord]) -> String {
    let mut all = Vec::new();
    let several = runs.len() + others.len() > 1;
    let mut add = |name: &str, warnings: Vec<String>| {
        let prefix = if several { format!("{name}: ") } else { String::new() };
        all.extend(warnings.into_iter().map(|p| prefix.clone() + &p));
    };
    let warnings = |run: &Loaded| findings(&run.record).into_iter().map(|f| f.text).collect();
    let labels = labels(runs);
    for (i, run) in runs.iter().enumerate() {
        let label = labels.record(i);
        add(if label.is_empty() { &run.name } else { label }, warnings(run));
    }
    others.iter().for_each(|f| add(&f.name, f.warnings()));
    if all.is_empty() {
        return String::new();
    }
    let lines = listed(all).into_iter().map(|line| format!("<li>{}</li>\n", markup(&line)));
    format!(
        "<aside class=\"problems\"><h2>Before you read the figures</h2>\n<ul>\n{}</ul></aside>\n",
        lines.collect::<String>()
    )
}
