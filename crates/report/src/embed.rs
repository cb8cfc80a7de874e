//! JSON and scripts in a page, so that nothing in a record becomes markup or script.

use base64ct::{Base64, Encoding};
use capvec_text::escape::is_unsafe;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// JSON for a `script` element: nothing in it ends the element, begins a comment, or changes how the page's source is
/// displayed.
pub fn json(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        match c {
            // These occur only in strings, where JSON allows escapes.
            c if matches!(c, '<' | '>' | '&') || is_unsafe(c) => {
                out += &format!("\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// A script's source for `Content-Security-Policy`: its SHA-256.
pub fn script_source(script: &str) -> String {
    format!("'sha256-{}'", Base64::encode_string(&Sha256::digest(script.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_json_and_ends_no_script() {
        let value = serde_json::json!({"a</script><!--": "<&>\u{2028}\"\\"});
        let text = json(&value);
        assert!(!text.contains(['<', '>', '&', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        // ESC, DEL, CSI in one character, marks and overrides of direction.
        let all = "\u{1b}\u{7f}\u{9b}\u{61c}\u{200e}\u{200f}\u{202e}\u{2066}\u{2069}\r\n\t";
        let value = serde_json::json!({ all: [all] });
        let text = json(&value);
        assert!(text.is_ascii() && !text.contains(char::is_control), "{text:?}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    /// The example in the Content Security Policy specification (Level 2, section 7.17.1).
    #[test]
    fn policies_name_scripts_by_digest() {
        assert_eq!(
            script_source("alert('Hello, world.');"),
            "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
        );
    }
}
