//! `unsafe` occurs only where docs/soundness.md says.

use std::path::{Path, PathBuf};

fn all_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory").map(|e| e.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { all_files(&path) } else { vec![path] }).collect()
}

/// Whether the line uses `unsafe` outside of a comment.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"].iter().any(|u| code.contains(u))
}

#[test]
fn unsafe_code_is_where_the_documentation_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/soundness.md")).expect("the page");
    let table = text.split("## Unsafe code").nth(1).expect("a chapter");
    let table = table.split("\n## ").next().expect("its text");
    let mut found = 0;
    for source in all_files(&root.join("crates")) {
        let path = source.strip_prefix(root.join("crates")).expect("within").to_string_lossy();
        if !path.ends_with(".rs") || !path.contains("/src/") {
            continue;
        }
        if std::fs::read_to_string(&source).expect("UTF-8").lines().any(is_unsafe) {
            found += 1;
            assert!(table.contains(&format!("`{path}`")), "{path} is not in docs/soundness.md");
        }
    }
    assert_eq!(
        found,
        table.matches(".rs`").count() - 1,
        "the page lists files without unsafe code"
    );
}
