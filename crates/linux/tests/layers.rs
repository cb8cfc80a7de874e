//! Imports between the folders of this crate run one way.

use std::path::{Path, PathBuf};

/// The folders, each of which may use only those before it.
const FOLDERS: [&str; 11] = [
    "base", "fs", "space", "load", "net", "netlink", "signal", "ipc", "process", "kernel",
    "machine",
];

fn sources(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory").map(|e| e.expect("readable").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The folders that a source file names, in code.
fn used(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter_map(|line| line.split("//").next());
    let rest = code.flat_map(|line| line.split("crate::").skip(1));
    rest.filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next())
}

#[test]
fn imports_run_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rank = |name: &str| FOLDERS.iter().position(|folder| *folder == name);
    let mut folders: Vec<String> = std::fs::read_dir(&root)
        .expect("a directory")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"))
        .filter(|name| name != "lib.rs")
        .collect();
    folders.sort();
    let mut known = FOLDERS.map(str::to_owned);
    known.sort();
    assert_eq!(folders, known);
    let mut imports = 0;
    for (own, folder) in FOLDERS.iter().enumerate() {
        let tests = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "tests");
        for file in sources(&root.join(folder)).iter().filter(|file| !tests(file)) {
            let text = std::fs::read_to_string(file).expect("UTF-8");
            for other in used(&text).filter_map(rank) {
                assert!(other <= own, "{} uses {}", file.display(), FOLDERS[other]);
                imports += 1;
            }
        }
    }
    assert!(imports > 300, "{imports} imports: has the way they are written changed?");
}
