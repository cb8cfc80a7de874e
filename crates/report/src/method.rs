//! Machine and method: how each record was made.

use crate::tables::table;
use capvec_record::Host;
use capvec_record::Kind;
use capvec_record::best::distinct;
use capvec_record::grid::Grid;
use capvec_record::read::Loaded;
use capvec_record::shown::command;
use capvec_record::{ConfigurationRecord, Record, Row};
use capvec_text::escape::markup;
use std::collections::{BTreeSet, HashSet};

/// The VLENs of rows, in bits, in ascending order; empty if none is known.
pub fn vlens(rows: &[Row]) -> String {
    let all: BTreeSet<u32> = rows.iter().map(|r| r.vlen).filter(|v| *v > 0).collect();
    all.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

fn host(h: &Host) -> String {
    let known = [
        h.processor.clone().unwrap_or_default(),
        if h.processors > 0 { format!("{} processors", h.processors) } else { String::new() },
        h.architecture.clone(),
        h.system.clone().unwrap_or_default(),
        h.kernel.clone(),
    ];
    known.into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn facts(run: &Loaded) -> Vec<(&'static str, String)> {
    let r = &run.record;
    let rows = if r.rows.is_empty() { &r.speed } else { &r.rows };
    let command = if r.command.is_empty() { String::new() } else { command(&r.command) };
    let vectors = match r.vectors {
        0 => String::new(),
        n => format!(
            "{n} vectors of capvec kat in every configuration, in addition to the known answers of each case"
        ),
    };
    let mut all = vec![
        ("Record", run.name.clone()),
        ("Command", command),
        ("Tool", r.tool.clone()),
        ("Target", distinct(rows, |r| r.target.clone())),
        ("Core", cores(run).join(", ")),
        ("VLEN in bits", vlens(rows)),
        ("Subject", distinct(rows, subject)),
        ("Packages", r.packages.join(", ")),
        ("What the figures are", r.method.clone()),
        ("Answers", vectors),
        ("Driver, SHA-256", r.driver.clone()),
        ("The tool ran on", host(&r.machine)),
    ];
    all.splice(4..4, r.provenance());
    all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// More settings of a core are only counted.
const MOST_SETTINGS: usize = 8;

/// The cores of a record's rows. Of a core with many settings, how many there are, and of what.
pub fn cores(run: &Loaded) -> Vec<String> {
    let record = &run.record;
    let mut bases: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut seen = HashSet::new();
    let labels = record.rows.iter().chain(&record.speed).map(|r| r.core.as_str());
    for label in labels.filter(|label| !label.is_empty() && seen.insert(*label)) {
        let base = record.cores.iter().find(|c| c.label == label).map_or(label, |c| &c.base);
        match bases.iter_mut().find(|(known, _)| *known == base) {
            Some((_, labels)) => labels.push(label),
            None => bases.push((base, vec![label])),
        }
    }
    let said = |(base, labels): (&str, Vec<&str>)| match labels.len() {
        0..=MOST_SETTINGS => labels.into_iter().map(String::from).collect(),
        n => vec![format!("{base} with {n} settings of {}", record.settings().join(", "))],
    };
    bases.into_iter().flat_map(said).collect()
}

/// A library with its version; code of the user's own has none.
fn subject(row: &Row) -> String {
    match row.version.as_str() {
        "" => row.subject.clone(),
        version => format!("{} ({version})", row.subject),
    }
}

/// The configuration of a library that was given none. One that reports no capabilities is not known to detect any.
fn unconfigured(c: &ConfigurationRecord) -> &'static str {
    match c.reports_capabilities {
        Some(false) => "–",
        _ => "nothing: it detected",
    }
}

fn configurations(record: &Record, id: &str) -> String {
    if record.configurations.is_empty() {
        return String::new();
    }
    // Only a modelled hart lacks what its set lacks; on other targets only the library is limited.
    let extensions = match record.target.kind {
        Kind::Modelled => "extensions of the hart",
        Kind::Emulated | Kind::Real => "extensions of the set",
    };
    let head = [
        "subject",
        "core",
        "capability set",
        "VLEN",
        "library configuration",
        extensions,
        "the library says",
    ];
    let vlens = record.configurations.iter().any(|c| c.vlen > 0);
    let differ = |f: fn(&ConfigurationRecord) -> &str| {
        record.configurations.windows(2).any(|w| f(&w[0]) != f(&w[1]))
    };
    let (subjects, cores) = (differ(|c| &c.subject), differ(|c| &c.core));
    let body = record.configurations.iter().map(|c| {
        let ConfigurationRecord { library, .. } = c;
        let star = if c.beyond_core { " *" } else { "" };
        vec![
            c.subject.clone(),
            c.core.clone(),
            format!("{}{star}", c.capset),
            c.vlen.to_string(),
            c.capstring.clone().unwrap_or_else(|| unconfigured(c).into()),
            c.hart.clone(),
            library.clone(),
        ]
    });
    let mut grid = Grid { head: head.map(String::from).to_vec(), body: body.collect() };
    // From the last, so that earlier indices stay valid.
    for (place, shown) in [(3, vlens), (1, cores), (0, subjects)] {
        if !shown {
            grid.remove(place);
        }
    }
    format!(
        "<details><summary>Configurations ({})</summary>\n{}</details>\n",
        record.configurations.len(),
        table(&grid, "Configurations", id)
    )
}

/// How a record was made.
pub fn method(run: &Loaded, number: usize) -> String {
    let facts = facts(run).into_iter().map(|(name, value)| {
        let value = markup(&value);
        let value = if name == "Command" { format!("<code>{value}</code>") } else { value };
        format!("<dt>{name}</dt><dd>{value}</dd>\n")
    });
    let id = format!("configurations-{number}");
    format!("<dl>\n{}</dl>\n{}", facts.collect::<String>(), configurations(&run.record, &id))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same set for two libraries or cores does not give the same line twice.
    #[test]
    fn configurations_name_what_they_differ_in() {
        let of = |subject: &str, core: &str| ConfigurationRecord {
            subject: subject.into(),
            core: core.into(),
            capset: "full".into(),
            ..ConfigurationRecord::default()
        };
        let shown = |configurations: [ConfigurationRecord; 2]| {
            let record = Record { configurations: configurations.to_vec(), ..Record::default() };
            let html = super::configurations(&record, "x");
            ["subject", "core", "VLEN"].map(|h| html.contains(&format!(">{h}</th>")))
        };
        assert_eq!(shown([of("a", "x"), of("a", "x")]), [false; 3]);
        assert_eq!(shown([of("a", "x"), of("a", "y")]), [false, true, false]);
        assert_eq!(shown([of("a", "x"), of("b", "x")]), [true, false, false]);
    }
}
