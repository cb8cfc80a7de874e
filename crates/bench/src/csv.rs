//! Comma-separated values.

/// A field, quoted if it must be (RFC 4180).
pub fn field(s: &str) -> String {
    if s.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", s.replace('"', "\"\""))
    } else {
        s.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_are_quoted() {
        assert_eq!(field("wrong, by \"one\""), "\"wrong, by \"\"one\"\"\"");
        assert_eq!(field("pass"), "pass");
    }
}
