//! Files that appear whole or not at all.

use anyhow::{Context, Result};
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Replaces the file at `path` by one with this text, through a temporary neighbour, readable as the user's mask
/// says.
///
/// # Errors
/// The neighbour cannot be made, written or moved; the old file is untouched then.
pub fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mode = Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(mode).tempfile_in(dir)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Writes a file of `--out`.
///
/// # Errors
/// Names the flag and the file.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let fail = || format!("--out: cannot write {}; name a writable directory", path.display());
    replace(path, text).with_context(fail)
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
