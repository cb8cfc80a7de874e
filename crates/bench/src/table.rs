//! The table for people: one line a case, scalar against the best capability set.

use crate::capset::CapSet;
use crate::record::{Record, Row};
use crate::{comparison, explain, fit, operations};
use anyhow::Result;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::HashMap;
use std::hash::Hash;

/// One line: the two rows that it compares.
struct Line<'a> {
    scalar: Option<&'a Row>,
    best: &'a Row,
}

/// A set counts as reaching the best speed if it is within this part of it: what a call costs differs by some
/// cycles from set to set, by alignment alone.
pub(crate) const SAME_SPEED: f64 = 0.005;

/// The smallest set that reaches the best speed of a case.
pub(crate) fn best<'a>(rows: &[&'a Row], capsets: &[CapSet]) -> Option<&'a Row> {
    let size = |r: &Row| capsets.iter().find(|c| c.name == r.capset).map_or(0, CapSet::size);
    let speed = |r: &Row| r.ops_per_s.unwrap_or(0.0);
    let most = rows.iter().map(|r| speed(r)).fold(0.0, f64::max);
    let fast = rows.iter().copied().filter(|r| speed(r) >= most * (1.0 - SAME_SPEED));
    fast.min_by(|a, b| size(a).cmp(&size(b)).then(speed(b).total_cmp(&speed(a))))
}

/// Rows with the same key together, in the order in which the keys first come.
pub(crate) fn groups<'a, K: Hash + Eq>(
    rows: impl Iterator<Item = &'a Row>,
    key: impl Fn(&Row) -> K,
) -> Vec<Vec<&'a Row>> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let place = *places.entry(key(row)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

fn lines<'a>(record: &'a Record, capsets: &[CapSet]) -> Vec<Line<'a>> {
    // Decryption is in the CSV: here it would double the lines to say nearly the same.
    let shown = record.rows.iter().filter(|r| r.direction == "enc" && r.bytes > 0);
    groups(shown, |r| (r.vlen, r.case.clone(), r.bytes))
        .into_iter()
        .filter_map(|rows| {
            let failed = rows.iter().copied().find(|r| !r.passed());
            let best = match failed {
                Some(r) => r,
                None => best(&rows, capsets)?,
            };
            Some(Line { scalar: rows.iter().copied().find(|r| r.capset == "scalar"), best })
        })
        .collect()
}

pub(crate) fn fixed(v: Option<f64>, digits: usize) -> String {
    v.map_or("–".into(), |v| format!("{v:.digits$}"))
}

/// At least three significant digits.
fn short(v: Option<f64>) -> String {
    fixed(
        v,
        v.map_or(0, |v| {
            if v < 1.0 {
                3
            } else if v < 100.0 {
                2
            } else {
                1
            }
        }),
    )
}

fn arrow(a: Option<f64>, b: Option<f64>) -> String {
    format!("{} → {}", short(a), short(b))
}

const HEAD: [&str; 9] = [
    "case",
    "algorithm",
    "scalar kB/s",
    "best capability set",
    "best kB/s",
    "speed-up",
    "insns/byte scalar → best",
    "cycles/byte scalar → best",
    "answers",
];

/// The cells of a line.
fn cells(line: &Line) -> Vec<String> {
    let (s, b) = (line.scalar, line.best);
    vec![
        b.case.clone(),
        b.algorithm.clone(),
        fixed(s.and_then(|r| r.kbps), 1),
        b.capset.clone(),
        fixed(b.kbps, 1),
        fixed(b.speedup, 2),
        arrow(s.and_then(|r| r.insns_per_byte), b.insns_per_byte),
        arrow(s.and_then(|r| r.cycles_per_byte), b.cycles_per_byte),
        b.answers.clone(),
    ]
}

/// Whether the rows differ in this.
pub(crate) fn several<T: PartialEq>(rows: &[Row], f: impl Fn(&Row) -> T) -> bool {
    rows.windows(2).any(|w| f(&w[0]) != f(&w[1]))
}

/// Head and lines, with VLEN and size where more than one was measured.
fn grid(record: &Record, capsets: &[CapSet]) -> Grid {
    let sized: Vec<usize> = record.rows.iter().map(|r| r.bytes).filter(|b| *b > 0).collect();
    let sizes = sized.windows(2).any(|w| w[0] != w[1]);
    let vlens = several(&record.rows, |r| r.vlen);
    let with = |mut cells: Vec<String>, vlen: String, bytes: String| {
        if sizes {
            cells.insert(1, bytes);
        }
        if vlens {
            cells.insert(1, vlen);
        }
        cells
    };
    let head = HEAD.iter().map(|s| s.to_string()).collect();
    let lines = lines(record, capsets);
    let body =
        lines.iter().map(|l| with(cells(l), l.best.vlen.to_string(), l.best.bytes.to_string()));
    Grid { body: body.collect(), head: with(head, "VLEN".into(), "bytes".into()) }
}

/// A table before it is drawn.
pub(crate) struct Grid {
    pub head: Vec<String>,
    pub body: Vec<Vec<String>>,
}

/// Columns that hold words; the others hold numbers and are aligned to the right.
const WORDS: [&str; 10] = [
    "case",
    "algorithm",
    "operation",
    "best capability set",
    "capability set",
    "answers",
    "adds",
    "on the chain",
    "adds nothing",
    "slows",
];

impl Grid {
    /// For a terminal, folded to `width`, or for a file.
    fn text(&self, width: Option<u16>) -> String {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING).set_header(&self.head).add_rows(&self.body);
        match width {
            Some(w) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(w),
            None => table.set_content_arrangement(ContentArrangement::Disabled),
        };
        for (i, name) in self.head.iter().enumerate() {
            if !WORDS.contains(&name.as_str())
                && let Some(column) = table.column_mut(i)
            {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.trim_fmt() + "\n"
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<String> = self.head.iter().map(|_| "---".into()).collect();
        line(&self.head) + &line(&rule) + &self.body.iter().map(|c| line(c)).collect::<String>()
    }
}

/// Every table of a record, with what its columns mean.
fn sections(record: &Record, capsets: &[CapSet]) -> Result<Vec<(Grid, &'static str)>> {
    let mut sections = vec![(grid(record, capsets), LEGEND)];
    sections.retain(|(g, _)| !g.body.is_empty());
    if let Some(operations) = operations::grid(record, capsets) {
        sections.push((operations, operations::LEGEND));
    }
    if let Some(fits) = fit::grid(&record.rows, &record.fits, capsets) {
        sections.push((fits, fit::LEGEND));
    }
    if let Some([chains, verdicts]) = explain::grids(&record.rows, &record.explanations) {
        sections.push((chains, ""));
        sections.push((verdicts, explain::LEGEND));
    }
    if let Some(published) = comparison::grid(record)? {
        sections.push((published, comparison::LEGEND));
    }
    Ok(sections)
}

/// As text; `width` folds columns to a terminal.
pub fn text(record: &Record, capsets: &[CapSet], width: Option<u16>) -> Result<String> {
    let mut parts = Vec::new();
    for (grid, legend) in sections(record, capsets)? {
        parts.push(grid.text(width));
        parts.extend((!legend.is_empty()).then(|| legend.to_string()));
    }
    Ok(parts.join("\n"))
}

/// As Markdown tables.
pub fn markdown(record: &Record, capsets: &[CapSet]) -> Result<String> {
    let grids = sections(record, capsets)?;
    Ok(grids.iter().map(|(g, _)| g.markdown()).collect::<Vec<_>>().join("\n"))
}

/// What the columns mean.
const LEGEND: &str = "\
best: the smallest set within 0.5 % of the fastest. insns/byte: retired instructions, exact.
cycles/byte and kB/s (1000 bytes/s): of the core model, not of silicon.
";

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row of a core that does one instruction a cycle at 1 MHz.
    pub(crate) fn row(case: &str, capset: &str, bytes: usize, insns: f64) -> Row {
        let kbps = bytes as f64 / insns * 1e3;
        Row {
            target: "sim".into(),
            subject: "openssl".into(),
            version: "OpenSSL 3".into(),
            core: "ideal".into(),
            vlen: 256,
            case: case.into(),
            algorithm: case.to_uppercase(),
            direction: "enc".into(),
            bytes,
            capset: capset.into(),
            capstring: String::new(),
            insns_per_op: Some(insns),
            cycles_per_op: Some(insns),
            insns_per_byte: Some(insns / bytes as f64),
            cycles_per_byte: Some(insns / bytes as f64),
            kbps: Some(kbps),
            speedup: None,
            answers: "pass".into(),
            published_kbps: None,
            ratio: None,
            ops_per_s: Some(1e6 / insns),
        }
    }

    #[test]
    fn the_smallest_of_equally_fast_sets_is_best() {
        let isa = "rv64gcv".parse().unwrap();
        let sets: Vec<CapSet> = ["scalar", "full", "zvkg", "zvkb_zvkg"]
            .iter()
            .map(|n| CapSet::parse(n, &isa).unwrap())
            .collect();
        let costs = [100.0, 10.0, 10.03, 10.0];
        let rows: Vec<Row> =
            sets.iter().zip(costs).map(|(s, cost)| row("x", &s.name, 64, cost)).collect();
        let all: Vec<&Row> = rows.iter().collect();
        assert_eq!(best(&all, &sets).unwrap().capset, "zvkg");
    }

    #[test]
    fn groups_keep_their_order() {
        let rows = [row("b", "s", 1, 1.0), row("a", "s", 1, 1.0), row("b", "s", 2, 1.0)];
        let groups = groups(rows.iter(), |r| r.case.clone());
        let sizes: Vec<_> = groups.iter().map(|g| (g[0].case.as_str(), g.len())).collect();
        assert_eq!(sizes, [("b", 2), ("a", 1)]);
    }
}
