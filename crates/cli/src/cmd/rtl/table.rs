//! The figures of the RTL in each format.

use crate::cmd::flags::{Format, terminal_width};
use anyhow::Result;
use capvec_record::grid::Grid;
use capvec_rtl::Compared;
use capvec_targets::host;
use capvec_text::csv;
use capvec_text::digits::{PER_BLOCK, PERCENT};
use serde::Serialize;

const HEAD: [&str; 12] = [
    "VLEN",
    "DLEN",
    "case",
    "blocks",
    "insns",
    "cycles, cold",
    "cycles",
    "cycles/block",
    "predicted",
    "error %",
    "Marian: cycles",
    "Marian: insns",
];

const LEGEND: &str = "\
cycles, insns: of the second run; cold: of the first. predicted: by the core model zvku, and its error. Marian: as published.
";

/// The contents of the JSON.
#[derive(Serialize)]
struct Document {
    /// The tool, with its version.
    tool: &'static str,
    /// The command line.
    command: Vec<String>,
    /// The figures.
    rows: Vec<Compared>,
}

fn number(n: Option<u64>) -> String {
    n.map_or(String::new(), |n| n.to_string())
}

const FIELDS: [&str; 10] = [
    "vlen",
    "dlen",
    "case",
    "blocks",
    "insns",
    "cold_cycles",
    "cycles",
    "predicted_cycles",
    "published_cycles",
    "published_insns",
];

fn fields(c: &Compared) -> [String; FIELDS.len()] {
    [
        c.vlen.to_string(),
        c.dlen.to_string(),
        c.case.clone(),
        c.blocks.to_string(),
        c.insns.to_string(),
        c.cold_cycles.to_string(),
        c.cycles.to_string(),
        c.predicted_cycles.to_string(),
        number(c.published_cycles),
        number(c.published_insns),
    ]
}

/// The fields, with what is computed from them.
fn cells(c: &Compared) -> Vec<String> {
    let mut cells = fields(c).to_vec();
    cells.insert(8, PERCENT.text(c.error()));
    cells.insert(7, PER_BLOCK.text(c.per_block()));
    cells
}

/// The figures in this format.
pub fn text(format: Format, tool: &'static str, rows: Vec<Compared>) -> Result<String> {
    let grid =
        || Grid { head: HEAD.map(String::from).to_vec(), body: rows.iter().map(cells).collect() };
    Ok(match format {
        Format::Table => format!("{}\n{LEGEND}", grid().text(terminal_width())),
        Format::Md => format!("{}\n{LEGEND}", grid().markdown()),
        Format::Csv => {
            let line = |fields: [String; FIELDS.len()]| -> String {
                fields.map(|f| csv::field(&f)).join(",") + "\n"
            };
            let lines: String = rows.iter().map(|c| line(fields(c))).collect();
            line(FIELDS.map(String::from)) + &lines
        }
        Format::Json => {
            let document = Document { tool, command: host::command(), rows };
            serde_json::to_string_pretty(&document)? + "\n"
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Compared {
        Compared {
            vlen: 256,
            dlen: 128,
            case: "vghsh, vl 16".into(),
            blocks: 256,
            insns: 147,
            cold_cycles: 300,
            cycles: 296,
            predicted_cycles: 299,
            published_cycles: None,
            published_insns: Some(53),
        }
    }

    #[test]
    fn programs_read_the_counts() {
        let csv = text(Format::Csv, "capvec", vec![row()]).unwrap();
        let line = "256,128,\"vghsh, vl 16\",256,147,300,296,299,,53";
        assert_eq!(csv, format!("{}\n{line}\n", FIELDS.join(",")));
        let json = text(Format::Json, "capvec", vec![row()]).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let object = json["rows"][0].as_object().unwrap();
        assert!(FIELDS.iter().all(|name| object.contains_key(*name)), "{json}");
        assert_eq!((&object["cycles"], &object["published_cycles"]), (&296.into(), &().into()));
    }

    #[test]
    fn people_read_cycles_of_a_block_and_the_error_of_the_prediction() {
        let shown = text(Format::Md, "capvec", vec![row()]).unwrap();
        assert!(shown.contains("| 296 | 1.16 | 299 | 1.0 |  | 53 |\n"), "{shown}");
        assert!(shown.contains("|--:|--:|---|--:|--:|--:|"), "{shown}");
    }
}
