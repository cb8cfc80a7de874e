//! Rules of lowRISC's Verilog style guide for names and lines, which Verilator's lint does not have.

use crate::code::without_comments;
use std::ops::Range;

/// The most columns of a line.
const COLUMNS: usize = 100;
/// A module that is not generated has fewer lines than this.
const LINES: usize = 200;

/// What a file breaks, each with its line.
pub fn complaints(file: &str, text: &str) -> Vec<String> {
    let code = without_comments(text);
    let mut all = Vec::new();
    let mut complain = |line: usize, what: String| all.push(format!("{file}:{line}: {what}"));
    let lines = text.lines().count();
    if lines >= LINES && !text.starts_with("// Generated") {
        complain(lines, format!("{lines} lines, not fewer than {LINES}"));
    }
    for (n, (line, code)) in text.lines().zip(code.lines()).enumerate() {
        let columns = line.chars().count();
        if columns > COLUMNS {
            complain(n + 1, format!("{columns} columns, more than {COLUMNS}"));
        }
        for what in [label(code), port(code), register(code), pair(code)].into_iter().flatten() {
            complain(n + 1, what);
        }
    }
    let loads = |register: &str, next: &str| {
        let load = |line: &str| {
            assignment(line, " <= ").is_some_and(|lhs| {
                names(&line[lhs.clone()]).any(|n| n == register)
                    && names(&line[lhs.end..]).any(|n| n == next)
            })
        };
        code.lines().any(load)
    };
    for (n, line) in code.lines().enumerate() {
        for name in names(line).filter(|name| name.ends_with("_d")) {
            let register = format!("{}_q", name.trim_end_matches("_d"));
            if !loads(&register, name) {
                complain(n + 1, format!("{name} is not what a register {register} gets"));
            }
        }
    }
    all
}

/// The names in a text, except those after a dot: ports and fields.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split_inclusive(move |c| !is_word(c)).scan(false, move |dot, part| {
        let name = part.trim_end_matches(move |c| !is_word(c));
        let field = std::mem::replace(dot, part.ends_with('.'));
        Some(if field { "" } else { name })
    })
}

/// Labels of generate blocks begin with `gen_`.
fn label(code: &str) -> Option<String> {
    let name = code.split_once("begin : ")?.1.trim();
    (!name.starts_with("gen_")).then(|| format!("the label {name} does not begin with gen_"))
}

/// Inputs of modules end in `_i` or, if they are active low, in `_ni`, and outputs in `_o`.
fn port(code: &str) -> Option<String> {
    let (direction, rest) = code.trim().split_once(' ')?;
    let ends: &[&str] = match direction {
        "input" => &["_i", "_ni"],
        "output" => &["_o"],
        _ => return None,
    };
    let name = names(rest).filter(|name| !name.is_empty()).last()?;
    let good = ends.iter().any(|end| name.ends_with(end));
    (!good).then(|| format!("the {direction} {name} does not end in {}", ends[0]))
}

/// Where the left-hand side of a line's assignment with this sign is, if there is one; a comparison is none.
fn assignment(code: &str, sign: &str) -> Option<Range<usize>> {
    let end = code.find(sign)?;
    let mut depth = 0;
    let outside = |(_, c): &(usize, char)| {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
        depth < 0 || (depth == 0 && *c == ' ')
    };
    let start = code[..end].char_indices().rev().find(outside).map_or(0, |(n, _)| n + 1);
    let before = code[..start].trim_end();
    let begins = ["begin", "else", "assign", ":", ")"].iter().any(|word| before.ends_with(word));
    (before.is_empty() || begins).then_some(start..end)
}

/// What is assigned at the clock's edge ends in `_q` (`_nq`, if it is active low), and nothing else does.
fn register(code: &str) -> Option<String> {
    if let Some(lhs) = assignment(code, " <= ") {
        let whole = outside_brackets(&code[lhs]);
        let name =
            names(&whole).find(|n| !n.is_empty() && !n.ends_with("_q") && !n.ends_with("_nq"));
        return Some(format!("the register {} does not end in _q", name?));
    }
    let whole = outside_brackets(&code[assignment(code, " = ")?]);
    let name = names(&whole).find(|n| n.ends_with("_q") || n.ends_with("_nq"))?;
    Some(format!("{name} ends in _q, but is not a register"))
}

/// Without indices.
fn outside_brackets(text: &str) -> String {
    let mut depth = 0;
    let outside = |c: &char| {
        depth += i32::from(*c == '[') - i32::from(*c == ']');
        depth == 0 && *c != ']'
    };
    text.chars().filter(outside).collect()
}

/// What a register `x_q` gets under the name of the register is `x_d`.
fn pair(code: &str) -> Option<String> {
    let lhs = assignment(code, " <= ")?;
    let stem = code[lhs.clone()].strip_suffix("_q")?;
    let next = code[lhs.end + " <= ".len()..].trim_end_matches([';', ' ']);
    (next == stem).then(|| format!("what {stem}_q gets is {stem}, not {stem}_d"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, want: &[&str]) {
        let want: Vec<String> = want.iter().map(|w| format!("a.sv:{w}")).collect();
        assert_eq!(complaints("a.sv", text), want);
    }

    #[test]
    fn names_and_lines_are_checked() {
        check(
            "module a (\n  input logic clk_i,\n  input logic rst_ni,\n  output logic y_o\n);\n",
            &[],
        );
        check(
            "  input  logic [W-1:0] a_o,  // x_i\n  output x_t b,\n",
            &["1: the input a_o does not end in _i", "2: the output b does not end in _o"],
        );
        check("  for (genvar i = 0; i < W; i++) begin : gen_one\n", &[]);
        check("  if (A) begin : g_on\n", &["1: the label g_on does not begin with gen_"]);
        check(&"x".repeat(101), &["1: 101 columns, more than 100"]);
        check(&"\n".repeat(199), &[]);
        check(&"\n".repeat(200), &["200: 200 lines, not fewer than 200"]);
        check(&format!("// Generated\n{}", "\n".repeat(300)), &[]);
    }

    #[test]
    fn registers_and_what_they_get_are_checked() {
        for good in [
            "    if (a_i <= b_i) x_q <= a_i;\n",
            "  always_ff @(posedge clk_i) x_q[8*k+:8] <= y;\n",
            "    else {x_q, y_q} <= {a, x_q};\n",
            "  x_d = x_q + 1'b1;\n  if (go) x_q <= x_d;\n",
            "  assign y = a <= b || c <= d;\n",
            "    rst_nq <= rst_ni;\n",
        ] {
            check(good, &[]);
        }
        check("    if (en_i) tag <= a;\n", &["1: the register tag does not end in _q"]);
        check("    {x_q, y[1]} <= a;\n", &["1: the register y does not end in _q"]);
        check("  assign x_q = a;\n", &["1: x_q ends in _q, but is not a register"]);
        check("  if (go) x_q <= x;\n", &["1: what x_q gets is x, not x_d"]);
        check("  assign x_d = a;\n", &["1: x_d is not what a register x_q gets"]);
    }
}
