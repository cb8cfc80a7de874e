//! Where unit tests are: see CONTRIBUTING.md, "Rules".

use crate::circles::crates;
use std::path::{Path, PathBuf};

/// Longer tests have a file of their own.
const MOST_LINES: usize = 100;

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory").map(|e| e.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The number of lines of the tests inside a text.
fn lines(text: &str) -> usize {
    text.split_once("\nmod tests {\n").map_or(0, |(_, tests)| tests.lines().count())
}

#[test]
fn long_unit_tests_have_a_file_of_their_own() {
    let all = crates().into_iter().flat_map(|dir| files(&dir.join("src")));
    let long = |path: &PathBuf| {
        let rust = path.extension().is_some_and(|e| e == "rs");
        rust && lines(&std::fs::read_to_string(path).expect("UTF-8")) > MOST_LINES
    };
    let found: Vec<PathBuf> = all.filter(long).collect();
    assert!(found.is_empty(), "move these tests into tests.rs: {found:#?}");
    assert_eq!(lines("fn f() {}\n\n#[cfg(test)]\nmod tests {\n    x\n}\n"), 2);
}
