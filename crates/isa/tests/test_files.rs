//! Every test file is compiled and run. Cargo does not report a file that no `mod` names, and `make test` runs programs by
//! patterns.

use std::path::{Path, PathBuf};

fn entries(dir: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(dir).expect("a directory").flatten().map(|e| e.path()).collect()
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "rs")
}

/// The files in `dir` that neither `root` declares as modules nor `manifest` as programs, also in directories of modules.
fn forgotten(dir: &Path, root: &Path, manifest: &str) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(root).expect("UTF-8");
    let mut all = Vec::new();
    for path in entries(dir).into_iter().filter(|p| p != root) {
        let name = path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
        let own = if path.is_dir() { path.join("mod.rs") } else { path.clone() };
        if !is_rust(&own) || !own.exists() {
            continue;
        }
        let declared = text.lines().any(|l| l.trim_start_matches("pub ") == format!("mod {name};"));
        if !declared && !manifest.contains(&format!("path = \"tests/{name}.rs\"")) {
            all.push(own.clone());
        }
        if path.is_dir() {
            all.extend(forgotten(&path, &own, ""));
        } else if dir.join(&name).is_dir() && !dir.join(&name).join("mod.rs").exists() {
            all.extend(forgotten(&dir.join(&name), &own, ""));
        }
    }
    all
}

#[test]
fn every_file_is_part_of_a_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/");
    let (mut merged, mut lost) = (0, Vec::new());
    for dir in entries(crates) {
        let manifest = std::fs::read_to_string(dir.join("Cargo.toml")).expect("a manifest");
        if manifest.contains("\nautotests = false\n") {
            merged += 1;
            let tests = dir.join("tests");
            lost.extend(forgotten(&tests, &tests.join("main.rs"), &manifest));
        }
    }
    assert!(lost.is_empty(), "declare them with `mod` in main.rs or mod.rs: {lost:?}");
    assert!(merged > 5, "{merged}");
}

/// The programs of tests that a manifest names, and those that Cargo finds by itself.
fn programs(dir: &Path) -> Vec<String> {
    let manifest = std::fs::read_to_string(dir.join("Cargo.toml")).expect("a manifest");
    let name = |section: &str| {
        let line = section.lines().find_map(|l| l.strip_prefix("name = \""));
        line.and_then(|l| l.strip_suffix('"')).expect("a name").to_owned()
    };
    let mut all: Vec<String> = manifest.split("[[test]]").skip(1).map(name).collect();
    if !manifest.contains("\nautotests = false\n") && dir.join("tests").is_dir() {
        let files = entries(&dir.join("tests")).into_iter().filter(|p| is_rust(p));
        all.extend(files.map(|p| p.file_stem().expect("a name").to_string_lossy().into_owned()));
    }
    all
}

/// `make test` runs the program `cli` next to all others, which it selects by the patterns `[!c]*` and `c[!l]*`.
#[test]
fn make_test_runs_every_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/");
    let names: Vec<String> = entries(crates).iter().flat_map(|dir| programs(dir)).collect();
    let lost: Vec<&String> =
        names.iter().filter(|n| *n == "c" || n.starts_with("cl") && *n != "cli").collect();
    assert!(
        names.len() > 20 && lost.is_empty(),
        "of {}, the Makefile misses {lost:?}",
        names.len()
    );
}
