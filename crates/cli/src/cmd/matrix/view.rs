//! The results as a table, CSV, JSON or Markdown.

use super::outcome::Verdict;
use crate::cmd::flags::{Format, terminal_width};
use anyhow::Result;
use capvec_text::csv;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::Serialize;

/// The width of the table where standard output is not a terminal.
const WIDTH: u16 = 120;

/// The version of the JSON.
pub const VERSION: u32 = 1;

/// One run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// The set's name.
    pub set: String,
    /// The hart's ISA string.
    pub isa: String,
    /// Vector register length in bits, if the hart has vector registers.
    pub vlen: Option<u32>,
    /// How it compares with the reference.
    pub result: Verdict,
    /// Exit status, as `capvec run` has it.
    pub exit_status: u8,
    /// Retired instructions.
    pub instructions: u64,
    /// Modelled cycles, including those in which all threads waited.
    pub cycles: u64,
    /// What is wrong.
    pub why: String,
    /// The function in which the program was ended by a fault, with its file, if a symbol names it; otherwise the file.
    pub function: Option<String>,
}

impl Row {
    /// Whether both runs did the same, at the same cost.
    pub fn is_like(&self, other: &Row) -> bool {
        let facts = |r: &Row| (r.result, r.exit_status, r.instructions, r.cycles);
        facts(self) == facts(other) && self.why == other.why
    }
}

/// All runs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Matrix {
    /// Version of the format.
    pub matrix: u32,
    /// Program and arguments.
    pub program: Vec<String>,
    /// The core model.
    pub core: String,
    /// The set and the VLEN whose run the others are compared with; null if no run ended by itself.
    pub reference: Option<(String, Option<u32>)>,
    /// Every run, set by set.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// Whether every run did what the reference did.
    pub fn agrees(&self) -> bool {
        self.rows.iter().all(|r| r.result == Verdict::Same)
    }

    /// The text to print.
    pub fn text(&self, format: Format) -> Result<String> {
        let width = terminal_width().unwrap_or(WIDTH);
        Ok(match format {
            Format::Table => self.page(presets::NOTHING, Some(width)),
            Format::Md => self.page(presets::ASCII_MARKDOWN, None),
            Format::Json => serde_json::to_string_pretty(self)? + "\n",
            Format::Csv => self.csv(),
        })
    }

    /// The groups of equal runs, what is wrong with each, and the summary.
    fn page(&self, preset: &str, width: Option<u16>) -> String {
        let groups = self.groups();
        let mut text = table(&groups, preset, width) + "\n\n";
        for (i, group) in groups.iter().enumerate().filter(|(_, g)| !g[0].why.is_empty()) {
            let row = group[0];
            text += &format!("{} {}: {}", i + 1, row.result.name(), row.why);
            text += &row.function.as_ref().map_or(String::new(), |f| format!(", in {f}"));
            text += "\n\n";
        }
        text + &self.summary() + "\n"
    }

    /// The runs with the same result, at the same cost, together, in order of the first of each group.
    fn groups(&self) -> Vec<Vec<&Row>> {
        let mut groups: Vec<Vec<&Row>> = Vec::new();
        for row in &self.rows {
            match groups.iter_mut().find(|g| g[0].is_like(row)) {
                Some(group) => group.push(row),
                None => groups.push(vec![row]),
            }
        }
        groups
    }

    fn csv(&self) -> String {
        let mut text =
            "set,isa,vlen,result,exit_status,instructions,cycles,why,function\n".to_string();
        for r in &self.rows {
            let vlen = r.vlen.map(|v| v.to_string()).unwrap_or_default();
            let numbers = format!("{},{},{}", r.exit_status, r.instructions, r.cycles);
            let (set, isa, why) = (csv::field(&r.set), csv::field(&r.isa), csv::field(&r.why));
            let function = csv::field(r.function.as_deref().unwrap_or_default());
            text += &format!("{set},{isa},{vlen},{},{numbers},{why},{function}\n", r.result.name());
        }
        text
    }

    /// What the user should know first, in a sentence or two.
    fn summary(&self) -> String {
        let count = |v| self.rows.iter().filter(|r| r.result == v).count();
        let all = self.rows.len();
        let reference = self.reference.as_ref().map(|(set, at)| match at {
            Some(vlen) => format!("{set} at VLEN {vlen}"),
            None => set.clone(),
        });
        if let Some(reference) = reference.as_ref().filter(|_| self.agrees()) {
            return format!("All {all} runs did the same as the one on {reference}.");
        }
        let counts: Vec<_> =
            [Verdict::Same, Verdict::Differs, Verdict::Killed, Verdict::Unfinished]
                .into_iter()
                .filter(|v| count(*v) > 0)
                .map(|v| format!("{} {}", count(v), v.name()))
                .collect();
        let counts = counts.join(", ");
        match reference {
            Some(reference) => {
                format!("{all} runs, compared with the one on {reference}: {counts}.")
            }
            None => format!(
                "{all} runs, none of which ended by itself, so there is nothing to compare with: {counts}."
            ),
        }
    }
}

fn table(groups: &[Vec<&Row>], preset: &str, width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_preset(preset);
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(["", "result", "instructions", "cycles", "runs", "sets"]);
    for column in [0, 2, 3, 4] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (i, group) in groups.iter().enumerate() {
        let row = group[0];
        table.add_row([
            (i + 1).to_string(),
            row.result.name().into(),
            row.instructions.to_string(),
            row.cycles.to_string(),
            group.len().to_string(),
            sets(group),
        ]);
    }
    table.trim_fmt()
}

/// The sets of a group's runs, each once, with their VLENs; adjacent sets with the same VLENs share one list of them.
fn sets(group: &[&Row]) -> String {
    let mut sets: Vec<(&str, Vec<u32>)> = Vec::new();
    for row in group {
        match sets.last_mut().filter(|(name, _)| *name == row.set) {
            Some((_, vlens)) => vlens.extend(row.vlen),
            None => sets.push((&row.set, row.vlen.into_iter().collect())),
        }
    }
    let parts = sets.chunk_by(|a, b| a.1 == b.1).map(|chunk| {
        let names: Vec<_> = chunk.iter().map(|(name, _)| *name).collect();
        let vlens: Vec<_> = chunk[0].1.iter().map(ToString::to_string).collect();
        match vlens.is_empty() {
            true => names.join(" "),
            false => format!("{} (VLEN {})", names.join(" "), vlens.join(", ")),
        }
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(set: &str, vlen: Option<u32>, result: Verdict, instructions: u64) -> Row {
        let why = if result == Verdict::Same { "" } else { "SIGILL, of \"x\"" };
        let (set, isa, why) = (set.into(), "rv64gc".into(), why.into());
        Row { set, isa, vlen, result, exit_status: 0, instructions, cycles: 7, why, function: None }
    }

    fn matrix() -> Matrix {
        let rows = vec![
            row("scalar", None, Verdict::Same, 10),
            row("v", Some(128), Verdict::Same, 5),
            row("v", Some(256), Verdict::Same, 5),
            row("zvkb", Some(128), Verdict::Same, 5),
            row("zvkb", Some(256), Verdict::Same, 5),
            row("zbb", None, Verdict::Same, 10),
            row("full", Some(128), Verdict::Killed, 3),
        ];
        let reference = Some(("scalar".into(), None));
        Matrix { matrix: VERSION, program: vec!["p".into()], core: "ideal".into(), reference, rows }
    }

    #[test]
    fn runs_of_equal_cost_share_a_line() {
        let text = matrix().text(Format::Table).unwrap();
        let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
        let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        assert_eq!(lines[1], words("1 same 10 7 2 scalar zbb"));
        assert_eq!(lines[2], words("2 same 5 7 4 v zvkb (VLEN 128, 256)"));
        assert_eq!(lines[3], words("3 killed 3 7 1 full (VLEN 128)"));
        assert_eq!(lines[5], words("3 killed: SIGILL, of \"x\""));
        assert_eq!(lines[7], words("7 runs, compared with the one on scalar: 6 same, 1 killed."));
    }

    #[test]
    fn without_a_run_that_ended_by_itself_there_is_no_reference() {
        let rows =
            vec![row("scalar", None, Verdict::Killed, 3), row("zbb", None, Verdict::Unfinished, 9)];
        let text = Matrix { reference: None, rows, ..matrix() }.text(Format::Table).unwrap();
        let last = text.lines().last().unwrap();
        let end = "none of which ended by itself, so there is nothing to compare with: 1 killed, 1 unfinished.";
        assert_eq!(last, format!("2 runs, {end}"));
    }

    /// `CAPVEC_WRITE=1 cargo test -p capvec schema` writes it.
    #[test]
    fn the_schema_is_that_of_the_type() {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let mut schema = settings.into_generator().into_root_schema_for::<Matrix>().to_value();
        schema["title"] = "JSON of capvec matrix".into();
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        capvec_util::testing::is_generated("docs/matrix.schema.json", &text);
    }

    #[test]
    fn csv_and_json_have_every_run() {
        let csv = matrix().text(Format::Csv).unwrap();
        assert_eq!(csv.lines().count(), 8);
        assert!(csv.contains("full,rv64gc,128,killed,0,3,7,\"SIGILL, of \"\"x\"\"\",\n"), "{csv}");
        let json: serde_json::Value =
            serde_json::from_str(&matrix().text(Format::Json).unwrap()).unwrap();
        assert_eq!(json["rows"].as_array().unwrap().len(), 7);
        assert_eq!(json["rows"][1]["vlen"], 128);
    }
}
