//! Comma-separated values.

use crate::escape;

/// A field, quoted if it must be (RFC 4180).
pub fn field(s: &str) -> String {
    let s = escape::line(s);
    if s.contains([',', '"']) { format!("\"{}\"", s.replace('"', "\"\"")) } else { s.into_owned() }
}

/// The fields of each line of a text, without empty lines. Quoted fields may hold commas, quotes and line ends.
///
/// # Errors
/// Says where a quote is misplaced.
pub fn lines(text: &str) -> Result<Vec<Vec<String>>, String> {
    let mut lines = vec![vec![String::new()]];
    let mut chars = text.chars().peekable();
    let (mut quoted, mut line) = (false, 1);
    while let Some(c) = chars.next() {
        if c == '\n' {
            line += 1;
        }
        let Some(field) = lines.last_mut().and_then(|l| l.last_mut()) else { break };
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            '"' => {
                let what = "a quote within a field that does not begin with one";
                return Err(format!("line {line}: {what}"));
            }
            c if quoted => field.push(c),
            ',' => lines.last_mut().into_iter().for_each(|l| l.push(String::new())),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => lines.push(vec![String::new()]),
            c => field.push(c),
        }
    }
    if quoted {
        return Err("a quoted field does not end".into());
    }
    lines.retain(|l| l.iter().any(|f| !f.is_empty()));
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_are_quoted() {
        assert_eq!(field("wrong, by \"one\""), "\"wrong, by \"\"one\"\"\"");
        assert_eq!(field("pass"), "pass");
        assert_eq!(field("a\n\u{1b}b"), r"a\u000a\u001bb");
    }
    #[test]
    fn quoted_text_stays_one_field() {
        let all = lines("a,b\r\n\"x, \"\"y\"\"\",\"two\nlines\"\n\n").unwrap();
        assert_eq!(all, [["a", "b"], ["x, \"y\"", "two\nlines"]]);
        assert!(lines("\"x").is_err() && lines("x\"y\"").is_err());
    }
}
