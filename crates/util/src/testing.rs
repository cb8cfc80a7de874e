//! What tests share: skipping those that lack something, and files that tests generate.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// The variable that names what must not be missing: tests that need it are not skipped.
const NO_SKIP: &str = "CAPVEC_NO_SKIP";

/// Reports that a test is skipped because `needed`, such as a program, is missing, and why. The report appears although the
/// harness captures what a test prints.
///
/// # Panics
/// `CAPVEC_NO_SKIP` is `1` or names what is needed.
pub fn skipped(needed: &str, why: impl Display) {
    let forbidden = std::env::var(NO_SKIP).is_ok_and(|names| forbids(&names, needed));
    assert!(!forbidden, "no {needed}: {why} ({NO_SKIP} forbids skipping this test)");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // A report that cannot be written is no failure of the test.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: no {needed}: {why}");
}

/// What was found, or `None` with the report of [`skipped`].
pub fn found<T, E: Display>(needed: &str, found: Result<T, E>) -> Option<T> {
    found.map_err(|why| skipped(needed, why)).ok()
}

/// Whether the variable's value, `1` or names separated by commas, forbids skipping tests that lack what is needed.
fn forbids(names: &str, needed: &str) -> bool {
    names == "1" || names.split(',').any(|name| name.trim() == needed)
}

/// Checks that a committed file, a path from the root of the repository, has the text that a test has generated.
/// `CAPVEC_WRITE=1 cargo test …` writes it.
///
/// # Panics
/// They differ, or the file cannot be written.
pub fn is_generated(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    if std::env::var_os("CAPVEC_WRITE").is_some() {
        let written = std::fs::write(&path, text);
        assert!(written.is_ok(), "{file}: {written:?}");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "{file} is not what this test generates; CAPVEC_WRITE=1 writes it");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_forbids_every_skip_and_a_list_those_that_it_names() {
        assert!(forbids("1", "node") && forbids("sshd, node", "node") && forbids("node", "node"));
        assert!(!forbids("", "node") && !forbids("0", "node") && !forbids("sshd,nodejs", "node"));
        assert_eq!(found("node", Ok::<u32, String>(1)), Some(1));
    }
}
