//! The paths that pages name exist.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages() -> Vec<PathBuf> {
    let named =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "crypto/README.md"];
    let docs = std::fs::read_dir(root().join("docs")).expect("docs");
    let docs = docs.map(|e| e.expect("readable").path());
    let docs = docs.filter(|p| p.extension().is_some_and(|e| e == "md"));
    named.iter().map(|name| root().join(name)).chain(docs).collect()
}

/// The paths in backquotes, without placeholders, patterns and the example of CONTRIBUTING.md.
fn quoted(text: &str) -> Vec<&str> {
    let path = |s: &&str| {
        let plain = s.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
        plain && s.contains('/') && !s.contains("NAME") && !s.contains("xexample")
    };
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(path).collect()
}

/// The targets of links to files.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|t| !t.is_empty() && !t.contains("://") && !t.contains(' ')).collect()
}

/// Whether a path begins with a directory of the repository or with a crate's name, and leads nowhere. After a crate's
/// name, `src/` may be left out. Other paths are those of a guest or a host.
fn dangling(path: &str) -> bool {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let member = root().join("crates").join(first);
    let made = ["target", "out", "dist"].contains(&first);
    let ours = !first.is_empty() && !first.starts_with('.') && !made;
    let ours = ours && (root().join(first).is_dir() || member.is_dir());
    let places =
        [root().join(path), root().join("crates").join(path), member.join("src").join(rest)];
    ours && !places.iter().any(|p| p.exists())
}

#[test]
fn paths_in_pages_exist() {
    let mut found = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("UTF-8");
        let dir = page.parent().expect("a directory");
        let gone =
            quoted(&text).into_iter().filter(|path| dangling(path) && !dir.join(path).exists());
        let broken = links(&text).into_iter().filter(|path| !dir.join(path).exists());
        found.extend(gone.chain(broken).map(|path| format!("{}: {path}", page.display())));
    }
    assert!(found.is_empty(), "correct these paths: {found:#?}");
}

#[test]
fn paths_are_recognised() {
    let text = "See `crates/layers/nowhere.rs`, `layers/nowhere.rs`, `/dev/null`, `docs/*.md`, [a](b.md#c) and [d](https://e/f).";
    assert_eq!(quoted(text), ["crates/layers/nowhere.rs", "layers/nowhere.rs", "/dev/null"]);
    assert_eq!(links(text), ["b.md"]);
    assert!(dangling("crates/layers/nowhere.rs") && dangling("layers/nowhere.rs"));
    assert!(
        !dangling("/dev/null") && !dangling("sim/mem/mod.rs") && !dangling("jit/tests/layers.rs")
    );
}
