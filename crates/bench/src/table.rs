//! The table for people: one line a case, scalar against the best capability set.

use crate::capset::CapSet;
use crate::comparison;
use crate::operations;
use crate::record::{Record, Row};
use anyhow::Result;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// One line: the two rows that it compares.
struct Line<'a> {
    scalar: Option<&'a Row>,
    best: &'a Row,
}

/// A set counts as reaching the best speed if it is within this part of it: what a call costs differs by some
/// cycles from set to set, by alignment alone.
const SAME_SPEED: f64 = 0.005;

/// The smallest set that reaches the best speed of a case.
pub(crate) fn best<'a>(rows: &[&'a Row], capsets: &[CapSet]) -> Option<&'a Row> {
    let size = |r: &Row| capsets.iter().find(|c| c.name == r.capset).map_or(0, CapSet::size);
    let speed = |r: &Row| r.ops_per_s.unwrap_or(0.0);
    let most = rows.iter().map(|r| speed(r)).fold(0.0, f64::max);
    let fast = rows.iter().copied().filter(|r| speed(r) >= most * (1.0 - SAME_SPEED));
    fast.min_by(|a, b| size(a).cmp(&size(b)).then(speed(b).total_cmp(&speed(a))))
}

fn lines<'a>(record: &'a Record, capsets: &[CapSet]) -> Vec<Line<'a>> {
    let key = |r: &Row| (r.vlen, r.case.clone(), r.direction.clone(), r.bytes);
    let mut keys = Vec::new();
    // Decryption is in the CSV: here it would double the lines to say nearly the same.
    for r in record.rows.iter().filter(|r| r.direction == "enc" && r.bytes > 0) {
        if !keys.contains(&key(r)) {
            keys.push(key(r));
        }
    }
    keys.into_iter()
        .filter_map(|k| {
            let rows: Vec<&Row> = record.rows.iter().filter(|r| key(r) == k).collect();
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
pub(crate) fn several<T: PartialEq>(record: &Record, f: impl Fn(&Row) -> T) -> bool {
    let mut rows = record.rows.iter();
    let first = rows.next().map(&f);
    rows.any(|r| Some(f(r)) != first)
}

/// Whether messages of several sizes were measured; operations without one do not count.
fn several_sizes(record: &Record) -> bool {
    let mut sizes = record.rows.iter().map(|r| r.bytes).filter(|b| *b > 0);
    let first = sizes.next();
    sizes.any(|b| Some(b) != first)
}

/// Head and lines, with VLEN and size where more than one was measured.
fn grid(record: &Record, capsets: &[CapSet]) -> Grid {
    let (vlens, sizes) = (several(record, |r| r.vlen), several_sizes(record));
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
const WORDS: [&str; 6] =
    ["case", "algorithm", "operation", "best capability set", "capability set", "answers"];

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

/// As text; `width` folds columns to a terminal.
pub fn text(record: &Record, capsets: &[CapSet], width: Option<u16>) -> Result<String> {
    let mut s = String::new();
    let sized = grid(record, capsets);
    if !sized.body.is_empty() {
        s += &sized.text(width);
        s += "\n";
        s += LEGEND;
    }
    if let Some(operations) = operations::grid(record, capsets) {
        s += if s.is_empty() { "" } else { "\n" };
        s += &operations.text(width);
        s += "\n";
        s += operations::LEGEND;
    }
    if let Some(published) = comparison::grid(record)? {
        s += "\n";
        s += &published.text(width);
        s += "\n";
        s += comparison::LEGEND;
    }
    Ok(s)
}

/// As Markdown tables.
pub fn markdown(record: &Record, capsets: &[CapSet]) -> Result<String> {
    let mut s = String::new();
    let sized = grid(record, capsets);
    if !sized.body.is_empty() {
        s += &sized.markdown();
    }
    if let Some(operations) = operations::grid(record, capsets) {
        s += if s.is_empty() { "" } else { "\n" };
        s += &operations.markdown();
    }
    if let Some(published) = comparison::grid(record)? {
        s += "\n";
        s += &published.markdown();
    }
    Ok(s)
}

/// What the columns mean.
const LEGEND: &str = "\
best: the smallest set within 0.5 % of the fastest. insns/byte: retired instructions, exact.
cycles/byte and kB/s (1000 bytes/s): of the core model, not of silicon.
";
