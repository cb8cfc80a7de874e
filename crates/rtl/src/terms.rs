//! The terms of expressions in SystemVerilog: conjuncts, disjuncts, addends and the like, each with the operator that goes
//! with it when a mutant drops it.

use std::ops::Range;

/// Binary operators, those that bind least first; a row binds equally. Terms are those of the first ones only.
const OPERATORS: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>", ">>>"],
    &["+", "-"],
];
/// Rows whose operands are not terms: comparisons and shifts.
const NO_TERMS: Range<usize> = 5..8;

/// A part of an expression: an operator of a row, a sign that ends every operand, or anything else.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Operator(usize),
    End,
    Other,
}

fn part(word: &str) -> Part {
    match word {
        "?" | ":" => Part::End,
        _ => match OPERATORS.iter().position(|row| row.contains(&word)) {
            Some(row) => Part::Operator(row),
            None => Part::Other,
        },
    }
}

/// The words of an expression that are outside parentheses within it, with their places. `code` has no comments.
fn words(code: &str, expression: &Range<usize>) -> Vec<(Range<usize>, Part)> {
    let mut all = Vec::new();
    let mut depth = 0;
    let mut start = expression.start;
    let text = &code[expression.clone()];
    let ends = text.char_indices().map(|(n, c)| (expression.start + n, c));
    for (at, c) in ends.chain([(expression.end, ' ')]) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if depth == 0 && (c.is_whitespace() || c == ',') => {
                if start < at {
                    all.push((start..at, part(&code[start..at])));
                }
                if c == ',' {
                    all.push((at..at + 1, Part::End));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    all
}

/// What to remove from an expression so that one of its terms is missing, for each term, also in parentheses within it.
pub(crate) fn droppable(code: &str, expression: Range<usize>) -> Vec<Range<usize>> {
    let words = words(code, &expression);
    let mut all = Vec::new();
    for (n, (place, part)) in words.iter().enumerate() {
        if let Part::Operator(row) = part
            && !NO_TERMS.contains(row)
            && n > 0
        {
            all.extend(around(&words, n, *row));
        }
        // Parentheses and concatenations, but no index.
        let mut at = place.start;
        while let Some(open) = code[at..place.end].find(['(', '{', '[']).map(|k| at + k) {
            let Some(close) = crate::code::closing(code, open) else { break };
            if !code[open..].starts_with('[') {
                all.extend(droppable(code, open + 1..close));
            }
            at = close + 1;
        }
    }
    all
}

/// The operator at `n` with its right operand and, if no operator of the row is before it, with its left one.
fn around(words: &[(Range<usize>, Part)], n: usize, row: usize) -> Vec<Range<usize>> {
    let ends = |part: Part, least: usize| match part {
        Part::Operator(r) => r <= least,
        Part::End => true,
        Part::Other => false,
    };
    let right = words[n + 1..].iter().take_while(|(_, p)| !ends(*p, row)).last();
    let first = words[..n].iter().rposition(|(_, p)| ends(*p, row)).map_or(0, |k| k + 1);
    let begins_chain = first == 0 || words[first - 1].1 != Part::Operator(row);
    let mut all = Vec::new();
    if let Some((last, _)) = right {
        all.push(words[n - 1].0.end..last.end);
        if begins_chain && first < n {
            all.push(words[first].0.start..words[n + 1].0.start);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, want: &[&str]) {
        let without = |r: Range<usize>| format!("{}{}", &code[..r.start], &code[r.end..]);
        let made: Vec<String> = droppable(code, 0..code.len()).into_iter().map(without).collect();
        let tidy = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(made.iter().map(tidy).collect::<Vec<_>>(), want);
    }

    #[test]
    fn each_term_is_dropped_once() {
        check("a && b && c", &["a && c", "b && c", "a && b"]);
        check("a\n    || b == c && d", &["a", "b == c && d", "a || b == c", "a || d"]);
        check(
            "a ? b + c : d - 1",
            &["a ? b : d - 1", "a ? c : d - 1", "a ? b + c : d", "a ? b + c : 1"],
        );
    }

    #[test]
    fn parentheses_are_looked_into_but_not_indices_and_comparisons() {
        check("f(a[i + 1], b | c)", &["f(a[i + 1], b)", "f(a[i + 1], c)"]);
        check("{a, b ^ c} <= d", &["{a, b} <= d", "{a, c} <= d"]);
        check("a << b", &[]);
    }
}
