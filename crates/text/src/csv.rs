//! Comma-separated values.

use crate::escape;

/// A field, quoted if it must be (RFC 4180).
pub fn field(s: &str) -> String {
    let s = escape::line(s);
    if s.contains([',', '"']) { format!("\"{}\"", s.replace('"', "\"\"")) } else { s.into_owned() }
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
}
