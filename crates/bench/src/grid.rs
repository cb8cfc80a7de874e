//! A table before it is drawn, as text or as Markdown.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// A table before it is drawn.
pub struct Grid {
    /// Names of the columns.
    pub head: Vec<String>,
    /// Lines.
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
    pub fn text(&self, width: Option<u16>) -> String {
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

    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<String> = self.head.iter().map(|_| "---".into()).collect();
        line(&self.head) + &line(&rule) + &self.body.iter().map(|c| line(c)).collect::<String>()
    }
}

/// A number with so many decimals, or a dash.
pub fn fixed(v: Option<f64>, digits: usize) -> String {
    v.map_or("–".into(), |v| format!("{v:.digits$}"))
}
