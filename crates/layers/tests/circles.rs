//! No modules of a folder import each other in a circle, in any crate.

use capvec_layers::{circles, circles_of_folders, files, imports, report};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The modules of circles that remain, by crate, each with the reason.
const KNOWN: [(&str, &[&str], &str); 3] = [
    (
        "isa",
        &["ext_set", "generated", "row"],
        "the instruction table: the generated rows have the types that are defined by hand, which name generated rows",
    ),
    (
        "sim",
        &["hart", "insn", "machine", "vector"],
        "a hart has vector and machine state, and their instructions are functions of the hart",
    ),
    (
        "timing",
        &["batch", "first_order", "static_cost", "vector"],
        "the model of a core has a vector unit, and the costs of a block are computed with both",
    ),
];

pub fn crates() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = std::fs::read_dir(dir).expect("a directory").map(|e| e.expect("readable").path());
    let mut crates: Vec<PathBuf> = entries.filter(|path| path.join("src").is_dir()).collect();
    crates.sort();
    crates
}

#[test]
fn modules_of_a_folder_import_each_other_in_no_circle() {
    let mut found = Vec::new();
    let mut known: BTreeSet<(&str, &[&str])> =
        KNOWN.iter().map(|(name, modules, _)| (*name, *modules)).collect();
    for dir in crates() {
        let name = dir.file_name().expect("a name").to_str().expect("UTF-8").to_owned();
        for circle in circles_of_folders(&files(&dir.join("src"))) {
            let modules: Vec<String> = circle.keys().map(|module| module.join("::")).collect();
            let before = known.len();
            known.retain(|(other, listed)| *other != name || modules != *listed);
            if known.len() == before {
                found.push(format!("{name}:\n{}", report(&circle)));
            }
        }
    }
    assert!(found.is_empty(), "these modules import each other:\n{}", found.concat());
    assert!(known.is_empty(), "these circles are gone: {known:?}");
}

/// Crates in which even a folder's `mod.rs` is in no circle with the folder's files: what these share is defined in
/// separate files.
const STRICT: [&str; 9] =
    ["bench", "doctor", "guest", "jit", "kat", "linux", "record", "report", "targets"];

#[test]
fn files_import_each_other_in_no_circle() {
    let mut found = String::new();
    for dir in crates().iter().filter(|dir| STRICT.iter().any(|name| dir.ends_with(name))) {
        let lines = report(&circles(imports(&files(&dir.join("src")))));
        if !lines.is_empty() {
            found.push_str(&format!("{}:\n{lines}", dir.display()));
        }
    }
    assert!(found.is_empty(), "these files import each other:\n{found}");
}
