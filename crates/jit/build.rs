//! Names this build of the engine: translations that another build has left in a file may refer to other layouts.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What generated code depends on, from the root of the repository: the instructions' semantics, which it calls, and the
/// structures that it accesses.
const SOURCES: [&str; 5] =
    ["crates/isa/src", "crates/sim/src", "crates/timing/src", "crates/jit/src", "Cargo.lock"];

/// What else decides the layout of structures, with the flags of the compiler.
const VARIABLES: [&str; 3] = ["TARGET", "OPT_LEVEL", "CARGO_CFG_TARGET_FEATURE"];

/// The flags of the compiler, without those that name the directory of the sources: where a package is built does not change it.
fn flags() -> Vec<String> {
    let all = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let decides = |flag: &&str| !flag.starts_with("--remap-path-prefix");
    all.split('\x1f').filter(decides).map(String::from).collect()
}

/// The files of a folder, or this file, in order.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.into()] };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    entries.iter().flat_map(|entry| files(entry)).collect()
}

/// Whether there is a code generator for the target.
fn translates() -> bool {
    let target = |name| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    target("OS") == "linux" && ["x86_64", "aarch64"].contains(&target("ARCH").as_str())
}

fn main() {
    println!("cargo:rustc-check-cfg=cfg(translates)");
    if translates() {
        println!("cargo:rustc-cfg=translates");
    }
    // Read at run time: in a target directory that was copied to another checkout, this program was built for the first one.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs this");
    let root = Path::new(&package).join("../..");
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        let path = root.join(source);
        println!("cargo:rerun-if-changed={}", path.display());
        for file in files(&path) {
            let name = file.strip_prefix(&root).unwrap_or(&file);
            (name, std::fs::read(&file).unwrap_or_default()).hash(&mut hasher);
        }
    }
    VARIABLES.map(|name| (name, std::env::var(name).ok())).hash(&mut hasher);
    flags().hash(&mut hasher);
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().map(|output| output.stdout);
    version.unwrap_or_default().hash(&mut hasher);
    println!("cargo:rustc-env=CAPVEC_ENGINE={:016x}", hasher.finish());
}
