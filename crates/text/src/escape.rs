//! Foreign text in a terminal, a table or a CSV. A record or a case may hold escape sequences, which would move the
//! cursor and overwrite other output, and characters that reverse the direction of writing.

use std::borrow::Cow;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Whether a terminal, or a reader, may take a character for something else: control characters, line ends, and
/// characters that set the direction of writing (Unicode's Bidi_Control).
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, is_unsafe: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_unsafe(c) {
            // In JSON's notation, so that JSON stays JSON. None of these needs more than four digits.
            true => out += &format!("\\u{:04x}", u32::from(c)),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text on one line: for a cell, a field, a name.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_unsafe)
}

/// A path on one line; each byte that is not text becomes `\xff`.
pub fn path(path: &Path) -> String {
    let chunks = path.as_os_str().as_bytes().utf8_chunks();
    let shown = chunks.flat_map(|chunk| {
        let bytes = chunk.invalid().iter().map(|b| format!("\\x{b:02x}"));
        std::iter::once(line(chunk.valid()).into_owned()).chain(bytes)
    });
    shown.collect()
}

/// Text of several lines: line ends and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_unsafe(c) && !matches!(c, '\n' | '\t'))
}

/// Text for an element or a quoted attribute of HTML or XML. What a reader may take for something else, and what XML forbids, is
/// shown as U+FFFD.
pub fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(c),
            c if is_unsafe(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let text = "<script>alert(\"1\")</script> & 'x' \u{202e}\u{0}\u{ffff}";
        let safe = markup(text);
        let bad = ['<', '>', '"', '\'', '\u{202e}', '\u{0}', '\u{ffff}'];
        assert!(!safe.contains(bad), "{safe}");
        assert_eq!(markup("a & b"), "a &amp; b");
    }

    #[test]
    fn control_characters_are_escaped() {
        // ESC, CR, BEL, DEL, CSI in one character, LINE SEPARATOR, RIGHT-TO-LEFT OVERRIDE.
        let text = "a\u{1b}[2Jb\rc\u{7}\u{7f}\u{9b}\u{2028}\u{202e}é→\n\t";
        let shown = r"a\u001b[2Jb\u000dc\u0007\u007f\u009b\u2028\u202eé→";
        assert_eq!(line(text), format!(r"{shown}\u000a\u0009"));
        assert_eq!(lines(text), format!("{shown}\n\t"));
        assert!(matches!(line("zvkb → –"), Cow::Borrowed(_)));
        // Text inside JSON stays JSON.
        let json = serde_json::to_string(text).unwrap();
        assert_eq!(serde_json::from_str::<String>(&lines(&json)).unwrap(), text);
    }
}
