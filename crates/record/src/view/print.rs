//! A record's tables as text and as Markdown.

use crate::shown::Tables;
use crate::view::findings::{findings, listed};
use crate::{Evaluated, Kind};
use anyhow::Result;
use capvec_text::escape;

/// As text; `width` folds columns to a terminal.
pub fn text(record: &Evaluated, width: Option<u16>) -> Result<String> {
    let mut parts = Vec::new();
    for s in record.sections()? {
        parts.push(s.grid.text(width));
        parts.extend((!s.legend.is_empty()).then(|| s.legend.to_string()));
    }
    Ok(parts.join("\n"))
}

/// As Markdown tables with headings and legends. What a reader must know comes first; where the figures were measured
/// comes last.
pub fn markdown(record: &Evaluated) -> Result<String> {
    let mut parts = Vec::new();
    let list = |all: &[String]| -> String {
        all.iter().map(|w| format!("- {}\n", escape::line(w))).collect()
    };
    let warnings = listed(findings(record).into_iter().map(|f| f.text).collect());
    if !warnings.is_empty() {
        parts.push(format!("### Before you read the figures\n\n{}", list(&warnings)));
    }
    for s in record.sections()? {
        parts.push(format!("### {}\n", s.title));
        parts.push(s.grid.markdown());
        parts.extend((!s.legend.is_empty()).then(|| s.legend.replace('*', "\\*")));
    }
    // In the simulator, the library is the sysroot's, and the record names its packages.
    if record.target.kind != Kind::Modelled {
        let facts = std::iter::once(("Target", record.target.name.clone()));
        let facts = facts.chain(record.provenance());
        let facts: Vec<String> = facts.map(|(name, value)| format!("{name}: {value}")).collect();
        parts.push(format!("### Where the figures were taken\n\n{}", list(&facts)));
    }
    Ok(parts.join("\n"))
}
