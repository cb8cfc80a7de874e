//! The folders of this crate import each other in one direction, and only as listed here.

use capvec_layers::sources;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each folder with the folders that it imports, all of which come before it.
const FOLDERS: [(&str, &[&str]); 11] = [
    ("base", &[]),
    ("fs", &["base"]),
    ("space", &["base", "fs"]),
    ("load", &["base", "space"]),
    ("net", &["base", "fs", "space"]),
    ("netlink", &["base", "fs"]),
    ("signal", &[]),
    ("sysv_ipc", &["base", "fs", "space"]),
    ("process", &["base", "fs", "sysv_ipc", "signal", "space"]),
    ("kernel", &["base", "fs", "sysv_ipc", "load", "net", "netlink", "process", "signal", "space"]),
    (
        "machine",
        &["base", "fs", "sysv_ipc", "kernel", "load", "netlink", "process", "signal", "space"],
    ),
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The names that come after `prefix` in the code of a source file.
fn names_after(file: &Path, prefix: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("UTF-8");
    let code = text.lines().filter_map(|line| line.split("//").next());
    let rest = code.flat_map(|line| line.split(prefix).skip(1));
    let name = |rest: &str| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    rest.map(name).collect()
}

#[test]
fn imports_run_one_way() {
    let mut folders: Vec<String> = std::fs::read_dir(root())
        .expect("a directory")
        .map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8"))
        .filter(|name| name != "lib.rs")
        .collect();
    folders.sort();
    let mut known = FOLDERS.map(|(folder, _)| folder.to_owned());
    known.sort();
    assert_eq!(folders, known);
    for (rank, (folder, allowed)) in FOLDERS.iter().enumerate() {
        let lower = |name: &str| FOLDERS[..rank].iter().any(|(f, _)| *f == name);
        assert!(
            allowed.iter().all(|name| lower(name)),
            "{folder} may import only folders before it"
        );
        let mut imported = BTreeSet::new();
        for file in sources(&root().join(folder)) {
            for name in names_after(&file, "crate::") {
                let other = FOLDERS.iter().any(|(f, _)| *f == name && f != folder);
                let listed = allowed.contains(&name.as_str());
                assert!(!other || listed, "{} imports {name}", file.display());
                imported.extend(other.then_some(name));
            }
        }
        let expected = allowed.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(
            imported, expected,
            "{folder} does not import every folder of its list: shorten the list"
        );
    }
}
