//! The inputs of a build: compiler and source.

use crate::backend::debian_toolchain;
use anyhow::{Context, Result};
use capvec_record::Arch;
use capvec_sysroot::{DEFAULT_SUITE, Request, Store};
use capvec_text::escape;
use capvec_util::digest;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A compiler, and its identity.
pub struct Compiler {
    /// The command with its arguments.
    pub command: Vec<String>,
    /// Arguments of Configure that name the compiler's programs.
    pub variables: Vec<String>,
    /// The name for display.
    pub shown: String,
    /// The identity.
    pub id: String,
}

/// The compiler that the user named, or Debian's.
pub fn compiler(
    store: &Store,
    arch: Arch,
    cc: Option<&str>,
    progress: &mut dyn FnMut(&str),
) -> Result<Compiler> {
    if let Some(cc) = cc {
        let mut words = cc.split_whitespace();
        let program = words.next().context("CAPVEC_CC: it names no compiler")?;
        let output =
            Command::new(program).args(words).arg("--version").stdin(Stdio::null()).output();
        let output = output.with_context(|| format!("CAPVEC_CC: running {program} --version"))?;
        let version =
            String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or("").to_string();
        let shown = format!("{cc}: {version}");
        let command = cc.split_whitespace().map(String::from).collect();
        let variables = vec![format!("CC={cc}")];
        return Ok(Compiler { command, variables, id: shown.clone(), shown });
    }
    let t = debian_toolchain(store, arch, progress)?;
    let tool = |variable: &str, name: &str| format!("{variable}={}", t.bin.join(name).display());
    let variables = vec![tool("CC", "gcc"), tool("AR", "ar"), tool("RANLIB", "ranlib")];
    let gcc = |p: &&String| {
        p.starts_with("gcc-14-") || p.starts_with("gcc-14 ") || p.starts_with("binutils-")
    };
    let shown = t.packages.iter().filter(gcc).cloned().collect::<Vec<_>>().join(", ");
    let command = vec![t.bin.join("gcc").display().to_string()];
    Ok(Compiler { command, variables, shown, id: t.id })
}

/// `--source` names something that does not exist, or is not a source tree.
#[derive(Debug, thiserror::Error)]
#[error("--source {path}: {why}; name a source tree, or an archive of one")]
pub struct NoSource {
    path: String,
    why: String,
}

impl NoSource {
    /// The error for this path.
    pub fn of(path: &Path, why: impl Into<String>) -> NoSource {
        NoSource { path: escape::path(path), why: why.into() }
    }
}

/// Checks that the user's source exists.
///
/// # Errors
/// It does not.
pub fn there(path: &Path) -> Result<(), NoSource> {
    let no = |error: std::io::Error| NoSource::of(path, error.to_string());
    std::fs::metadata(path).map(|_| ()).map_err(no)
}

/// The path of the source, and its identity: the user's, or Debian's `package`.
pub fn source(
    store: &Store,
    package: &str,
    given: Option<&Path>,
    progress: &mut dyn FnMut(&str),
) -> Result<(PathBuf, String)> {
    let Some(path) = given else {
        let request = Request { suite: Some(DEFAULT_SUITE.into()), ..Request::default() };
        let fetched = store.source(&request, package, &mut |p| progress(&p.to_string()));
        let s = fetched.with_context(|| {
            format!(
                "Debian's source package {package} cannot be fetched; name another with --source"
            )
        })?;
        let (version, sha256) = (s.version, s.sha256);
        let shown = format!(
            "Debian {DEFAULT_SUITE} {package} {version}, original archive, SHA-256 {sha256}"
        );
        return Ok((s.orig, shown));
    };
    let path = std::fs::canonicalize(path)?;
    if path.is_dir() {
        // A tree may be edited at any time, so it is built anew each time.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_nanos();
        return Ok((path.clone(), format!("{} at {now}", path.display())));
    }
    let shown = format!("{}, SHA-256 {}", path.display(), digest(&path)?);
    Ok((path, shown))
}
