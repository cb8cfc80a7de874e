//! `capvec-vectorgen` writes the generated files of `vectors/` and the list of all files; `capvec-vectorgen --check`
//! fails if one differs from what would be written. Both work from any directory.

use anyhow::{Context, Result, bail};
use capvec_vectorgen::generate;

fn main() -> Result<()> {
    let check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(other) => bail!("unknown argument {other}: the only one is --check"),
    };
    let drifted = generate::drifted()?;
    if check && !drifted.is_empty() {
        let names: Vec<_> = drifted.iter().map(|(path, _)| path.as_str()).collect();
        bail!("out of date: {}; run `make vectors` and commit the result", names.join(", "));
    }
    for (path, text) in drifted {
        let full = generate::root().join(&path);
        let dir = full.parent().context("vectors lie in directories")?;
        std::fs::create_dir_all(dir).with_context(|| format!("making {}", dir.display()))?;
        std::fs::write(&full, text).with_context(|| format!("writing {}", full.display()))?;
        eprintln!("wrote {path}");
    }
    Ok(())
}
