//! `capvec-vectorgen` writes the generated files of `vectors/` and the list of all files; `capvec-vectorgen --check`
//! fails if one differs from what would be written. Both work from any directory. `--acvp DIR` imports vectors from NIST's
//! files instead, `--acvp DIR OUT` all of them into another directory.

use anyhow::{Context, Result, bail};
use capvec_vectorgen::{acvp, generate};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let check = match words[..] {
        [] => false,
        ["--check"] => true,
        ["--acvp", dir] => {
            write(&generate::root(), acvp::files(Path::new(dir), false)?)?;
            // The list of files names them.
            false
        }
        ["--acvp", dir, out] => return write(Path::new(out), acvp::files(Path::new(dir), true)?),
        _ => bail!("unknown arguments: there are --check and --acvp DIR [OUT]"),
    };
    let drifted = generate::drifted()?;
    if check && !drifted.is_empty() {
        let names: Vec<_> = drifted.iter().map(|(path, _)| path.as_str()).collect();
        bail!("out of date: {}; run `make vectors` and commit the result", names.join(", "));
    }
    write(&generate::root(), drifted)
}

fn write(root: &Path, files: Vec<(String, String)>) -> Result<()> {
    for (path, text) in files {
        let full: PathBuf = root.join(&path);
        let dir = full.parent().context("vectors lie in directories")?;
        std::fs::create_dir_all(dir).with_context(|| format!("making {}", dir.display()))?;
        std::fs::write(&full, text).with_context(|| format!("writing {}", full.display()))?;
        eprintln!("wrote {path}");
    }
    Ok(())
}
