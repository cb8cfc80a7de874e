//! Deliberate faults in SystemVerilog, one changed operator, constant or condition, or one missing term, at a time, to see
//! whether the tests find them.

use crate::Source;
use crate::code::{expression, without_comments};
use crate::terms::droppable;
use capvec_sim::testing::Rng;
use std::collections::BTreeSet;

/// A position in a file and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// File name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Offset of the changed text in the file, and its length.
    pub(crate) at: (usize, usize),
    /// The original text.
    pub from: String,
    /// The replacement.
    pub to: String,
}

/// Replacements of operators, longest first.
const OPERATORS: [(&str, &str); 17] = [
    (" >>> ", " >> "),
    (" << ", " >> "),
    (" >> ", " << "),
    (" && ", " || "),
    (" || ", " && "),
    (" == ", " != "),
    (" != ", " == "),
    (" >= ", " > "),
    (" < ", " >= "),
    (" > ", " >= "),
    (" + ", " - "),
    (" - ", " + "),
    (" & ", " | "),
    (" | ", " & "),
    (" ^ ", " | "),
    ("1'b0", "1'b1"),
    ("1'b1", "1'b0"),
];

/// Whether the line describes behaviour. Declarations, parameters, widths and tie-offs of unused signals do not.
fn is_behaviour(line: &str) -> bool {
    let code = line.trim_start();
    let starts = [
        "//",
        "logic ",
        "input ",
        "output ",
        "parameter ",
        "localparam ",
        "module ",
        "typedef ",
        "assign unused",
        "for (",
        "function ",
        "$fatal",
    ];
    !code.is_empty() && !starts.iter().any(|s| code.starts_with(s))
}

/// Every mutant of a file.
fn of_file(file: &str, text: &str) -> Vec<Mutant> {
    let mut all = Vec::new();
    let mut start = 0;
    for (n, line) in text.split_inclusive('\n').enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        if is_behaviour(line) {
            let mutant = |at: usize, from: &str, to: String| Mutant {
                file: file.to_string(),
                line: n + 1,
                at: (start + at, from.len()),
                from: from.to_string(),
                to,
            };
            for (from, to) in OPERATORS {
                all.extend(
                    code.match_indices(from).map(|(at, _)| mutant(at, from, to.to_string())),
                );
            }
            all.extend(
                code.match_indices("if (").map(|(at, from)| mutant(at, from, "if (!".into())),
            );
            all.extend(constants(code).map(|(at, from, to)| mutant(at, from, to)));
        }
        start += line.len();
    }
    all.extend(without_terms(file, text));
    all
}

/// Each term of each expression dropped.
fn without_terms(file: &str, text: &str) -> Vec<Mutant> {
    let code = without_comments(text);
    let mut dropped = BTreeSet::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        if is_behaviour(line) {
            let words = line.match_indices(' ').map(|(at, _)| start + at + 1);
            for e in words
                .filter_map(|at| expression(&code, at))
                .map(|e| (e.start, e.end))
                .collect::<BTreeSet<_>>()
            {
                dropped.extend(droppable(&code, e.0..e.1).into_iter().map(|r| (r.start, r.end)));
            }
        }
        start += line.len();
    }
    let mutant = |(start, end): (usize, usize)| Mutant {
        file: file.to_string(),
        line: 1 + text[..start].matches('\n').count(),
        at: (start, end - start),
        from: code[start..end].split_whitespace().collect::<Vec<_>>().join(" "),
        to: String::new(),
    };
    dropped.into_iter().map(mutant).collect()
}

/// Decimal constants with a width, and their value with the lowest bit inverted.
fn constants(code: &str) -> impl Iterator<Item = (usize, &str, String)> {
    code.match_indices("'d").filter_map(|(at, _)| {
        let digits = code[at + 2..].find(|c: char| !c.is_ascii_digit());
        let end = digits.map_or(code.len(), |n| at + 2 + n);
        let value: u64 = code[at + 2..end].parse().ok()?;
        Some((at, &code[at..end], format!("'d{}", value ^ 1)))
    })
}

/// Mutants of the files that `wanted` selects, except generated ones, in random order.
pub fn mutants(source: &Source, wanted: impl Fn(&str) -> bool, rng: &mut Rng) -> Vec<Mutant> {
    let mut all: Vec<Mutant> = source
        .files
        .iter()
        .filter(|(file, text)| wanted(file) && !text.starts_with("// Generated"))
        .flat_map(|(file, text)| of_file(file, text))
        .collect();
    for n in (1..all.len()).rev() {
        all.swap(n, rng.below(n as u64 + 1) as usize);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with the replacement.
    fn applied(m: &Mutant, text: &str) -> String {
        let mut text = text.to_string();
        text.replace_range(m.at.0..m.at.0 + m.at.1, &m.to);
        text
    }

    #[test]
    fn mutants_change_one_place() {
        let text = "  logic a;\n  assign a = b && c == 2'd1;  // a && b\n  if (a) x = 1'b0;\n";
        let source = Source { files: vec![("a.sv".into(), text.into())] };
        let mut rng = Rng::seeded(1);
        let all = mutants(&source, |_| true, &mut rng);
        let mut made: Vec<String> = all.iter().map(|m| applied(m, text)).collect();
        made.sort();
        made.dedup();
        assert_eq!(made.len(), 7);
        let changed = |what: &str| made.iter().any(|t| t.contains(what));
        assert!(changed("b || c == 2'd1;  // a && b") && changed("b && c != 2'd1"));
        assert!(changed("2'd0;") && changed("if (!a)") && changed("x = 1'b1"));
        assert!(changed("a = b;") && changed("a = c == 2'd1;"));
    }
}
