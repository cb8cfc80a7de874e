//! The names of capability variables are defined in one place.

use capvec_isa::variable::{
    CAPVEC_CAPS, CAPVEC_TUNE, OPENSSL_ARMCAP, OPENSSL_IA32CAP, OPENSSL_RISCVCAP,
};
use std::path::{Path, PathBuf};

fn sources(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a directory").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") && !is_test(&path) {
            into.push(path);
        }
    }
}

fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests")
        || path.file_stem().is_some_and(|s| s.to_string_lossy().ends_with("tests"))
}

#[test]
fn each_name_is_one_constant() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates/");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(crates).expect("a directory").flatten() {
        let src = entry.path().join("src");
        if src.is_dir() {
            sources(&src, &mut files);
        }
    }
    assert!(files.len() > 300, "{}", files.len());
    for name in [OPENSSL_RISCVCAP, OPENSSL_ARMCAP, OPENSSL_IA32CAP, CAPVEC_CAPS, CAPVEC_TUNE] {
        let [alone, assigned] = [format!("\"{name}\""), format!("\"{name}=\"")];
        let with = |f: &&PathBuf| {
            let text = std::fs::read_to_string(f).expect("a file");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            code.contains(&alone) || code.contains(&assigned)
        };
        let found: Vec<_> = files.iter().filter(with).collect();
        assert_eq!(found, [&crates.join("isa/src/variable.rs")], "{name}");
    }
}
