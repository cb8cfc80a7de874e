//! Every test file is compiled. Cargo does not report a file that no `mod` names.

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
