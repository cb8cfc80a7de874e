//! The source tree of a project: a directory, or the content of an archive.

use super::NoSource;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How a source tree is recognised: a file in it, and the name of the project.
pub type Mark = (&'static str, &'static str);
/// OpenSSL's.
pub const OPENSSL: Mark = ("Configure", "OpenSSL");

/// The source tree: the path itself, or the content of the archive.
pub fn tree(
    source: &Path,
    work: &Path,
    (file, what): Mark,
    progress: &mut dyn FnMut(&str),
) -> Result<PathBuf> {
    let lacks = || NoSource::of(source, format!("it has no {file}, which {what} has"));
    if source.is_dir() {
        return Some(source.to_path_buf()).filter(|d| d.join(file).is_file()).with_context(lacks);
    }
    progress("unpacking the source");
    let to = work.join("source");
    std::fs::create_dir(&to)?;
    let mut tar = Command::new("tar");
    tar.arg("-xf").arg(source).arg("-C").arg(&to).stdin(Stdio::null());
    let output = tar.output().context("running tar")?;
    if !output.status.success() {
        // The first line gives the reason, the others only its consequences.
        let said = String::from_utf8_lossy(&output.stderr);
        let why = said.lines().next().unwrap_or_default().trim_start_matches("tar: ");
        bail!(NoSource::of(source, format!("tar cannot unpack it as {what} ({why})")));
    }
    let inside = std::fs::read_dir(&to)?.flatten().map(|e| e.path());
    inside.chain([to.clone()]).find(|d| d.join(file).is_file()).with_context(lacks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_a_wrong_source_names_the_flag() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("x.tar");
        std::fs::write(&file, "no archive").unwrap();
        let e = tree(&file, dir.path(), OPENSSL, &mut |_| ()).unwrap_err();
        assert!(e.is::<NoSource>(), "an error of usage");
        let e = format!("{e:#}");
        let flag = format!("--source {}: tar cannot unpack it as OpenSSL (", file.display());
        assert!(e.starts_with(&flag) && e.contains("name a source tree"), "{e}");
        assert!(!e.contains('\n'), "tar's other lines are left out: {e}");
        let e = tree(dir.path(), dir.path(), OPENSSL, &mut |_| ()).unwrap_err().to_string();
        assert!(e.contains("it has no Configure, which OpenSSL has; name"), "{e}");
    }
}
