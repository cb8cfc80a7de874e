//! Generates the files of `vectors/` that have a generator, and the list of all of them.
//!
//! `capvec-vectorgen` writes them, `capvec-vectorgen --check` fails if one differs from what it would write. Both
//! work from any directory.

use anyhow::{Context, Result, bail};
use capvec_vectorgen::{lengths, write, wycheproof};
use std::path::Path;

fn main() -> Result<()> {
    let check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(other) => bail!("unknown argument {other}: the only one is --check"),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = wycheproof::files()?;
    files.extend(lengths::files()?);
    let mut drifted = Vec::new();
    for (path, text) in &files {
        keep(&root, path, text, check, &mut drifted)?;
    }
    let (path, text) = write::list(&root)?;
    keep(&root, &path, &text, check, &mut drifted)?;
    if !drifted.is_empty() {
        bail!("out of date: {}; run `make vectors` and commit the result", drifted.join(", "));
    }
    Ok(())
}

/// Writes `text` to `path` below `root`, or notes that it would.
fn keep(root: &Path, path: &str, text: &str, check: bool, drifted: &mut Vec<String>) -> Result<()> {
    let full = root.join(path);
    if std::fs::read_to_string(&full).unwrap_or_default() == text {
        return Ok(());
    }
    if check {
        drifted.push(path.into());
        return Ok(());
    }
    let dir = full.parent().context("vectors lie in directories")?;
    std::fs::create_dir_all(dir).with_context(|| format!("making {}", dir.display()))?;
    std::fs::write(&full, text).with_context(|| format!("writing {}", full.display()))?;
    eprintln!("wrote {path}");
    Ok(())
}
