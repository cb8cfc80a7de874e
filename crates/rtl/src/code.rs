//! Expressions in SystemVerilog, as far as changing them needs it.

use std::ops::Range;

/// The text with its comments blanked, so that no punctuation in them counts.
pub(crate) fn without_comments(text: &str) -> String {
    let line = |line: &str| {
        let code = line.find("//").unwrap_or(line.len());
        let (code, comment) = line.split_at(code);
        let blank = |c: char| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) };
        code.to_string() + &comment.chars().map(blank).collect::<String>()
    };
    text.split_inclusive('\n').map(line).collect()
}

/// The parenthesis that closes the one at `open`.
pub(crate) fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    code[open..].char_indices().find_map(|(n, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(open + n)
    })
}

/// Going back from `at`: the parentheses that are open there, innermost first, and the start of the statement.
fn context(code: &str, at: usize) -> (Vec<usize>, usize) {
    const STARTS: [&str; 7] =
        ["begin", "end", "endcase", "always_comb", "else", "endfunction", "endgenerate"];
    let (mut open, mut depth) = (Vec::new(), 0);
    for (n, c) in code[..at].char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' | '[' | '{' => open.push(n),
            ';' if depth == 0 => return (open, n + 1),
            ' ' | '\n' if depth == 0 && open.is_empty() => {
                let word = |s: &&str| code[..n].ends_with(*s);
                if STARTS.iter().any(word) {
                    return (open, n);
                }
            }
            _ => {}
        }
    }
    (open, 0)
}

/// The right-hand side of the assignment, the condition or the connection of a port that the text at `at` is in, unless it is
/// a constant expression.
pub(crate) fn expression(code: &str, at: usize) -> Option<Range<usize>> {
    let (open, start) = context(code, at);
    let inside = |paren: usize| Some(paren + 1..closing(code, paren)?);
    for &paren in &open {
        let before = code[..paren].trim_end();
        let word = before.rsplit(|c: char| !(c.is_alphanumeric() || "_.#".contains(c))).next()?;
        match word {
            "if" => {
                let span = inside(paren)?;
                let generates = code[span.end + 1..].trim_start().starts_with("begin : ");
                return (!generates).then_some(span);
            }
            "for" | "case" | "casez" | "#" => return None,
            // A connection: not one of a parameter, which is in #().
            w if w.starts_with('.') => {
                let outer = open.iter().find(|p| **p < paren)?;
                let parameter = code[..*outer].trim_end().ends_with('#');
                return if parameter { None } else { inside(paren) };
            }
            _ => {}
        }
    }
    if open.iter().any(|p| code[*p..].starts_with('[')) {
        return None;
    }
    let statement = &code[start..at];
    if ["localparam", "parameter", "genvar", "typedef", "unused"]
        .iter()
        .any(|w| statement.contains(w))
    {
        return None;
    }
    // The first assignment outside parentheses.
    let mut depth = 0;
    let from = statement.char_indices().find_map(|(n, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        let rest = &statement[n..];
        let sign = [" = ", " <= "].into_iter().find(|s| depth == 0 && rest.starts_with(s))?;
        Some(start + n + sign.len())
    })?;
    let mut depth = 0;
    let length = code[from..].char_indices().find_map(|(n, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        (depth == 0 && c == ';').then_some(n)
    })?;
    Some(from..from + length)
}
