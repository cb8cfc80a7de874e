//! Figures are formatted by `capvec_text::digits` alone, so that the rules of all columns, sentences and plots are in one file.

use capvec_layers::sources;
use std::path::Path;

/// Crates that print figures about capvec itself, for developers: the speed of the engines, and of campaigns.
const EXEMPT: [&str; 2] = ["differential", "speed"];

/// Whether the line has a format string with a precision, such as `:.2`.
fn has_precision(line: &str) -> bool {
    let precise = |at: usize| {
        let (before, after) = (&line[..at], &line[at + 1..]);
        let digits = after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '*');
        digits && before.ends_with([':', '+'])
    };
    line.contains('"') && line.match_indices('.').any(|(at, _)| precise(at))
}

#[test]
fn nothing_else_formats_figures() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for own in std::fs::read_dir(&crates).expect("a directory").map(|e| e.expect("readable").path())
    {
        if EXEMPT.iter().any(|name| own.ends_with(name)) {
            continue;
        }
        for file in sources(&own.join("src")) {
            if file.extension().is_none_or(|e| e != "rs")
                || file.ends_with("text/src/digits/mod.rs")
            {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("UTF-8");
            let lines = text.lines().filter(|l| has_precision(l));
            found.extend(lines.map(|l| format!("{}: {l}", file.display())));
        }
    }
    assert!(found.is_empty(), "use capvec_text::digits: {found:#?}");
}

#[test]
fn the_check_finds_precision() {
    assert!(has_precision("format!(\"{v:.2} s\")") && has_precision("format!(\"{v:+.digits$}\")"));
    assert!(has_precision("format!(\"{v:.*}\")") && !has_precision("let v = \"a: ..\"; 0..2"));
}
