//! A table before it is drawn, as text or as Markdown.

use capvec_text::escape;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::borrow::Cow;

/// A table before it is drawn.
pub struct Grid {
    /// Names of the columns.
    pub head: Vec<String>,
    /// Lines.
    pub body: Vec<Vec<String>>,
}

/// A table with its heading and legend.
pub struct Section {
    /// Heading, if there is one.
    pub title: &'static str,
    /// The table.
    pub grid: Grid,
    /// What the columns mean; empty if the legend of the next table says so.
    pub legend: Cow<'static, str>,
}

impl Section {
    /// With its heading and its legend, for a terminal, folded to `width`, or for a file.
    pub fn text(&self, width: Option<u16>) -> String {
        format!("{}\n{}{}", self.title, self.grid.text(width), self.legend)
    }

    /// The same as Markdown.
    pub fn markdown(&self) -> String {
        format!("## {}\n\n{}\n{}", self.title, self.grid.markdown(), self.legend)
    }
}

/// Columns that hold words; the others hold numbers and are aligned to the right.
const WORDS: &[&str] = &[
    "case",
    "subject",
    "algorithm",
    "option",
    "operation",
    "best capability set",
    "capability set",
    "published set",
    "agnostic elements",
    "program",
    "answers",
    "figure",
    "first",
    "finding",
    "result",
    "where",
    "instruction",
    "address",
    "verdict",
    "target",
    "subject",
    "version",
    "core",
    "direction",
    "capset",
    "capstring",
    "library configuration",
    "extensions of the hart",
    "extensions of the set",
    "extensions",
    "source of best published",
    "the library says",
    "adds",
    "on the chain",
    "adds nothing",
    "only with",
    "not measured",
    "slows",
    "as scalar",
    "why",
    "reason",
    "parameter",
    "source",
    "what to do",
    "file",
    "linkage",
    "contains",
    "instructions",
    "function",
    "region",
    "runtime",
    "unused",
    "by",
    "what",
    "functions",
    "operation",
];

impl Grid {
    /// A table with these columns.
    pub fn of(head: &[&str], body: Vec<Vec<String>>) -> Grid {
        Grid { head: head.iter().map(|name| name.to_string()).collect(), body }
    }

    /// Whether a column holds numbers.
    pub fn is_number(&self, column: usize) -> bool {
        let word = |name: &String| WORDS.contains(&name.as_str()) || name.ends_with(": set");
        self.head.get(column).is_some_and(|name| !word(name))
    }

    /// Removes a column.
    pub fn remove(&mut self, column: usize) {
        for line in std::iter::once(&mut self.head).chain(&mut self.body) {
            if column < line.len() {
                line.remove(column);
            }
        }
    }

    /// The table without these columns.
    pub fn without(mut self, names: &[&str]) -> Grid {
        for name in names {
            if let Some(column) = self.head.iter().position(|head| head == name) {
                self.remove(column);
            }
        }
        self
    }

    /// For a terminal, folded to `width`, or for a file.
    pub fn text(&self, width: Option<u16>) -> String {
        let mut table = Table::new();
        let cells = |line: &Vec<String>| -> Vec<String> {
            line.iter().map(|c| escape::line(c).into_owned()).collect()
        };
        table.load_preset(presets::NOTHING).set_header(cells(&self.head));
        table.add_rows(self.body.iter().map(cells));
        match width {
            Some(w) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(w),
            None => table.set_content_arrangement(ContentArrangement::Disabled),
        };
        for i in 0..self.head.len() {
            if self.is_number(i)
                && let Some(column) = table.column_mut(i)
            {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.trim_fmt() + "\n"
    }

    /// Numbers are aligned to the right.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> =
                cells.iter().map(|c| escape::line(c).replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = |i| if self.is_number(i) { "--:" } else { "---" };
        let rule: Vec<&str> = (0..self.head.len()).map(rule).collect();
        let rule = format!("|{}|\n", rule.join("|"));
        line(&self.head) + &rule + &self.body.iter().map(|c| line(c)).collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_aligns_numbers_and_keeps_bars_in_their_cells() {
        let head = ["case", "kB/s"].map(String::from).to_vec();
        let grid = Grid { head, body: vec![vec!["a|b".into(), "1.0".into()]] };
        assert_eq!(grid.markdown(), "| case | kB/s |\n|---|--:|\n| a\\|b | 1.0 |\n");
    }

    #[test]
    fn no_cell_moves_the_cursor_or_breaks_the_line() {
        let head = ["case", "kB/s"].map(String::from).to_vec();
        let grid = Grid { head, body: vec![vec!["a\u{1b}[2A\nb".into(), "1.0".into()]] };
        for text in [grid.text(None), grid.text(Some(80)), grid.markdown()] {
            assert!(text.contains(r"a\u001b[2A\u000ab") && !text.contains('\u{1b}'), "{text:?}");
        }
    }
}
