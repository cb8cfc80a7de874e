//! The table for people: one line a case, scalar against the best capability set.

use crate::capset::CapSet;
use crate::published;
use crate::record::{Record, Row};
use anyhow::Result;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// One line: the two rows that it compares.
struct Line<'a> {
    scalar: Option<&'a Row>,
    best: &'a Row,
}

/// The fastest set of a case; of equally fast ones, that with the fewest extensions.
fn best<'a>(rows: &[&'a Row], capsets: &[CapSet]) -> Option<&'a Row> {
    let size = |r: &Row| capsets.iter().find(|c| c.name == r.capset).map_or(0, CapSet::size);
    rows.iter().copied().reduce(|best, r| {
        let (new, old) = (r.kbps.unwrap_or(0.0), best.kbps.unwrap_or(0.0));
        let better = new > old || (new == old && size(r) < size(best));
        if better { r } else { best }
    })
}

fn lines<'a>(record: &'a Record, capsets: &[CapSet]) -> Vec<Line<'a>> {
    let key = |r: &Row| (r.vlen, r.case.clone(), r.direction.clone(), r.bytes);
    let mut keys = Vec::new();
    for r in &record.rows {
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

fn fixed(v: Option<f64>, digits: usize) -> String {
    v.map_or("–".into(), |v| format!("{v:.digits$}"))
}

/// At least three significant digits.
fn short(v: Option<f64>) -> String {
    fixed(v, v.map_or(0, |v| if v < 1.0 { 3 } else if v < 100.0 { 2 } else { 1 }))
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

const PUBLISHED_HEAD: [&str; 6] = [
    "published scalar",
    "published set",
    "published best",
    "ratio scalar",
    "ratio best",
    "ratio speed-up",
];

/// The cells of a line; with the published figures and predicted/published if `published` is given.
fn cells(line: &Line, record: &Record, published: Option<&[published::Row]>) -> Vec<String> {
    let (s, b) = (line.scalar, line.best);
    let scalar_kbps = s.and_then(|r| r.kbps);
    let mut cells = vec![
        b.case.clone() + if b.direction == "dec" { " (dec)" } else { "" },
        b.algorithm.clone(),
        fixed(scalar_kbps, 1),
        b.capset.clone(),
        fixed(b.kbps, 1),
        fixed(b.speedup, 2),
        arrow(s.and_then(|r| r.insns_per_byte), b.insns_per_byte),
        arrow(s.and_then(|r| r.cycles_per_byte), b.cycles_per_byte),
        b.answers.clone(),
    ];
    let Some(published) = published else {
        return cells;
    };
    let row = published.iter().find(|p| p.case == b.case && b.direction == "enc");
    // The published set's own prediction, even where another set is faster here.
    let same_set = row.and_then(|p| {
        let same = |r: &&Row| {
            r.capset == p.best_capset && r.case == b.case && r.bytes == b.bytes && r.direction == "enc"
        };
        record.rows.iter().filter(|r| r.vlen == b.vlen).find(same)
    });
    let ratio_scalar = s.and_then(|r| r.ratio);
    let ratio_best = same_set.and_then(|r| r.ratio);
    cells.extend([
        fixed(row.map(|p| p.scalar_kbps), 1),
        row.map_or("–".into(), |p| p.best_capset.clone()),
        fixed(row.map(|p| p.best_kbps), 1),
        fixed(ratio_scalar, 2),
        fixed(ratio_best, 2),
        fixed(ratio_best.zip(ratio_scalar).map(|(b, s)| b / s), 2),
    ]);
    cells
}

/// Whether every row stands beside a published figure: then the table shows them.
fn has_published(record: &Record) -> bool {
    record.rows.iter().any(|r| r.published_kbps.is_some())
}

fn grid(record: &Record, capsets: &[CapSet]) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let published = if has_published(record) { Some(published::karu64()?) } else { None };
    let mut head: Vec<String> = HEAD.iter().map(|s| s.to_string()).collect();
    if published.is_some() {
        head.extend(PUBLISHED_HEAD.iter().map(|s| s.to_string()));
    }
    let lines = lines(record, capsets);
    let several = |f: fn(&Row) -> String| {
        let mut seen: Vec<String> = record.rows.iter().map(f).collect();
        seen.dedup();
        seen.sort();
        seen.dedup();
        seen.len() > 1
    };
    let (vlens, sizes) = (several(|r| r.vlen.to_string()), several(|r| r.bytes.to_string()));
    if sizes {
        head.insert(1, "bytes".into());
    }
    if vlens {
        head.insert(1, "VLEN".into());
    }
    let body = lines
        .iter()
        .map(|l| {
            let mut c = cells(l, record, published.as_deref());
            if sizes {
                c.insert(1, l.best.bytes.to_string());
            }
            if vlens {
                c.insert(1, l.best.vlen.to_string());
            }
            c
        })
        .collect();
    Ok((head, body))
}

/// As text; `width` folds columns to a terminal.
pub fn text(record: &Record, capsets: &[CapSet], width: Option<u16>) -> Result<String> {
    let (head, body) = grid(record, capsets)?;
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_header(&head).add_rows(body);
    match width {
        Some(w) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(w),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    for (i, name) in head.iter().enumerate() {
        let words = ["case", "algorithm", "best capability set", "published set", "answers"];
        if !words.contains(&name.as_str())
            && let Some(column) = table.column_mut(i)
        {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    Ok(table.trim_fmt() + "\n")
}

/// As a Markdown table.
pub fn markdown(record: &Record, capsets: &[CapSet]) -> Result<String> {
    let (head, body) = grid(record, capsets)?;
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<String> = head.iter().map(|_| "---".into()).collect();
    Ok(line(&head) + &line(&rule) + &body.iter().map(|c| line(c)).collect::<String>())
}

/// What the columns mean, below the table.
pub fn legend(record: &Record) -> String {
    let mut s = String::from(
        "insns/byte: retired instructions, exact. cycles/byte and kB/s (1000 bytes/s): of the core model, not of \
         silicon.\n",
    );
    if has_published(record) {
        s += "published: Karu64 on an FPGA, published/karu64_openssl.csv. ratio: predicted over published; 1.00 is \
              a right prediction.\n";
    }
    s
}
