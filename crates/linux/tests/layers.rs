//! The folders of this crate import each other in one direction, and only as listed here.

use capvec_layers::{differences, files, imports};
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

#[test]
fn imports_run_one_way() {
    let found = differences(&imports(&files(&root())), &[], &FOLDERS);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
