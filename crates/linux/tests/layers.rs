//! The folders of this crate import each other in one direction, and only as listed here.

use capvec_layers::{differences, files, imports};
use std::path::{Path, PathBuf};

/// Each folder with the folders that it imports, all of which come before it.
const FOLDERS: [(&str, &[&str]); 13] = [
    ("base", &[]),
    ("interface", &["base"]),
    ("elsewhere", &["interface"]),
    ("fs", &["base", "interface"]),
    ("space", &["base", "fs"]),
    ("load", &["base", "interface", "space"]),
    ("net", &["base", "fs", "space"]),
    ("netlink", &["base", "fs"]),
    ("signal", &[]),
    ("sysv_ipc", &["base", "fs", "space"]),
    ("process", &["base", "fs", "interface", "sysv_ipc", "signal", "space"]),
    (
        "kernel",
        &[
            "base",
            "fs",
            "interface",
            "sysv_ipc",
            "load",
            "net",
            "netlink",
            "process",
            "signal",
            "space",
        ],
    ),
    (
        "machine",
        &["base", "fs", "interface", "sysv_ipc", "kernel", "netlink", "process", "signal", "space"],
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
