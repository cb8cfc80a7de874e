//! Files that appear whole or not at all.

use anyhow::{Context, Result};
use std::io::Write;
use std::path::Path;

/// Writes `text` to `path` through a temporary neighbour.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let fail = || format!("--out: cannot write {}; name a writable directory", path.display());
    let mut file = tempfile::NamedTempFile::new_in(dir).with_context(fail)?;
    file.write_all(text.as_bytes()).with_context(fail)?;
    file.as_file().sync_all().with_context(fail)?;
    file.persist(path).map_err(|e| e.error).with_context(fail)?;
    Ok(())
}

/// Makes the directory of `--out`, so that an unwritable one is noticed before hours of measuring.
pub fn prepare(dir: &Path) -> Result<()> {
    let fail = || format!("--out {}: not a writable directory", dir.display());
    std::fs::create_dir_all(dir).with_context(fail)?;
    tempfile::NamedTempFile::new_in(dir).with_context(fail)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_the_way_of_the_directory_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        write(&file, "x").unwrap();
        let e = format!("{:#}", prepare(&file).unwrap_err());
        assert!(e.contains("--out") && e.contains("/f"), "{e}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "x");
    }
}
