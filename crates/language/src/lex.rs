//! Text to tokens.

use crate::error::{FAULTS, Fault, Span};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// A number, and the width that its suffix gives.
    Number(u128, Option<u32>),
    Text(&'a str),
    /// Something faulty, which is reported already.
    Bad,
    Symbol(&'static str),
    End,
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "++", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "..", "^=", "+=",
    "-=", "*=", "&=", "|=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "(",
    ")", "[", "]", "{", "}", ",", ";", ":",
];

/// The tokens, the last of which is `End`.
pub(crate) fn lex<'a>(text: &'a str, faults: &mut Vec<Fault>) -> Vec<(Token<'a>, Span)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += space(&text[at..]);
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let (token, length) = match first {
            '0'..='9' => number(rest),
            '"' => string(rest),
            c if c.is_ascii_alphabetic() || c == '_' => {
                let length = word(rest);
                (Ok(Token::Word(&rest[..length])), length)
            }
            c => symbol(rest, c),
        };
        let span = Span { start: at as u32, end: (at + length) as u32 };
        match token {
            Ok(token) => tokens.push((token, span)),
            Err((what, remedy)) => {
                if faults.len() < FAULTS {
                    faults.push(Fault { span, what, remedy });
                }
                tokens.push((
                    if first.is_ascii_digit() { Token::Number(0, None) } else { Token::Bad },
                    span,
                ));
            }
        }
        at += length;
    }
    let end = text.trim_end().len() as u32;
    tokens.push((Token::End, Span { start: end, end }));
    tokens
}

type Found<'a> = (Result<Token<'a>, (String, String)>, usize);

/// The length of white space and comments.
fn space(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if !rest.starts_with("//") {
            return text.len() - rest.len();
        }
        rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
    }
}

fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn symbol<'a>(rest: &str, first: char) -> Found<'a> {
    // Symbols of other languages, which would be read as two of this one.
    for (foreign, remedy) in [
        (">>>", "write sra(x, n) to shift copies of the sign in"),
        ("/*", "comments start with //"),
    ] {
        if rest.starts_with(foreign) {
            return (
                Err((format!("`{foreign}` has no meaning here"), remedy.into())),
                foreign.len(),
            );
        }
    }
    if let Some(s) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
        return (Ok(Token::Symbol(s)), s.len());
    }
    let remedy = match first {
        '@' => "write a ++ b for a concatenation",
        '?' => "write if c { a } else { b }",
        '#' | ';' => "comments start with //",
        '\'' => "the width follows the number: 0x1fu8 has 8 bits",
        '.' => "a slice is x[7..0], a loop is for i in 0..8",
        _ => "docs/semantics.md lists the operators",
    };
    let shown = if first.is_control() { first.escape_default().to_string() } else { first.into() };
    (Err((format!("`{shown}` has no meaning here"), remedy.into())), first.len_utf8())
}

fn string(rest: &str) -> Found<'_> {
    let inner = &rest[1..];
    match inner.find(['"', '\n']) {
        Some(end) if inner.as_bytes()[end] == b'"' => (Ok(Token::Text(&inner[..end])), end + 2),
        end => {
            let length = 1 + end.unwrap_or(inner.len());
            (
                Err(("a text without an end".into(), "close it with \" on the same line".into())),
                length,
            )
        }
    }
}

fn number(rest: &str) -> Found<'_> {
    let length = word(rest);
    let all = &rest[..length];
    let (digits, suffix) = match all.split_once('u') {
        Some((digits, suffix)) => (digits, Some(suffix)),
        None => (all, None),
    };
    let bad = |what: &str, remedy: &str| (Err((format!("{what}: {all}"), remedy.into())), length);
    let (radix, digits) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        _ => (10, digits),
    };
    let digits: String = digits.chars().filter(|c| *c != '_').collect();
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return bad("not a number", "write 10, 0x1f, 0b101 or, with a width, 0x1fu8");
    }
    let Ok(value) = u128::from_str_radix(&digits, radix) else {
        return bad("a number of more than 128 bits", "divide it into parts of at most 128 bits");
    };
    let Some(suffix) = suffix else { return (Ok(Token::Number(value, None)), length) };
    match suffix.parse::<u32>() {
        Ok(width @ 1..=128) if value <= u128::MAX >> (128 - width) => {
            (Ok(Token::Number(value, Some(width))), length)
        }
        Ok(width @ 1..=128) => {
            bad(&format!("a number that does not fit in {width} bits"), "write a greater width")
        }
        _ => bad("not a width", "write u1 to u128 after the digits"),
    }
}
