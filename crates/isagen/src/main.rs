//! Generates from `isa/*.toml` the Rust tables of the instruction set, the tables of libcapvec and the decoders of the
//! RTL.
//!
//! `capvec-isagen` writes the generated files; `capvec-isagen --check` fails if a file differs from what would be
//! written. Both work from any directory inside the repository.

mod asm;
mod caps;
mod emit;
mod inline;
#[cfg(test)]
mod links;
mod model;
mod rtl;
mod rtl_core;
#[cfg(test)]
mod walkthrough;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The generated files that differ from what would be written: their paths and their new text.
fn drifted() -> Result<Vec<(String, String)>> {
    let table = model::Table::load(&root().join("isa"))?;
    let differs = |path: &str, text: &str| {
        std::fs::read_to_string(root().join(path)).unwrap_or_default() != text
    };
    let mut files = emit::files(&table)?;
    files.retain(|(path, text)| differs(path, text));
    Ok(files)
}

fn check() -> Result<()> {
    let paths: Vec<String> = drifted()?.into_iter().map(|(path, _)| path).collect();
    if !paths.is_empty() {
        bail!("out of date: {}; run `make generate` and commit the result", paths.join(", "));
    }
    Ok(())
}

fn write() -> Result<()> {
    for (path, text) in drifted()? {
        let full = root().join(&path);
        std::fs::create_dir_all(full.parent().expect("generated files lie in a directory"))?;
        std::fs::write(&full, text).with_context(|| format!("writing {}", full.display()))?;
        eprintln!("wrote {path}");
    }
    Ok(())
}

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        None => write(),
        Some("--check") => check(),
        Some(other) => bail!("unknown argument {other}; the only option is --check"),
    }
}

/// `make check-generated`, as a part of `make test`.
#[test]
fn generated_files_are_up_to_date() -> Result<()> {
    check()
}
