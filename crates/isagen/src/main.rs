//! Generates from `isa/*.toml` the Rust tables of the instruction set, the tables of libcapvec and the decoder of the
//! RTL.
//!
//! `capvec-isagen` writes the generated files; `capvec-isagen --check` fails if a file differs from what would be
//! written. Both work from any directory inside the repository.

mod asm;
mod caps;
mod emit;
mod encoding;
mod inline;
mod model;
#[cfg(test)]
mod pages;
mod rtl;
mod rtl_core;
#[cfg(test)]
mod walkthrough;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(other) => bail!("unknown argument {other}; the only option is --check"),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table = model::Table::load(&root.join("isa"))?;
    let mut drifted = Vec::new();
    for (path, text) in emit::files(&table)? {
        let full: PathBuf = root.join(&path);
        let current = std::fs::read_to_string(&full).unwrap_or_default();
        if current == text {
            continue;
        }
        if check {
            drifted.push(path);
        } else {
            std::fs::create_dir_all(full.parent().expect("generated files lie in a directory"))?;
            std::fs::write(&full, text).with_context(|| format!("writing {}", full.display()))?;
            eprintln!("wrote {path}");
        }
    }
    if !drifted.is_empty() {
        bail!("out of date: {}; run `make generate` and commit the result", drifted.join(", "));
    }
    Ok(())
}
