//! Configures and compiles libcrypto.

use super::NoSource;
use anyhow::{Context, Result, bail};
use capvec_util::pool;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The name of the library in OpenSSL's Makefile.
const LIBRARY_TARGET: &str = "libcrypto.so";

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

/// Configures and compiles the shared libcrypto.
pub fn make(
    tree: &Path,
    made: &Path,
    arguments: &[String],
    log: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    progress("configuring OpenSSL");
    let mut out = File::create(log).with_context(|| format!("writing {}", log.display()))?;
    let mut perl = Command::new("perl");
    perl.arg(tree.join("Configure")).args(arguments).current_dir(made);
    logged(&mut perl, &mut out, log, &mut |_| ()).context(
        "OpenSSL's Configure needs perl with its standard modules (on Debian and Ubuntu: apt install perl)",
    )?;
    let mut make = Command::new("make");
    make.arg(format!("-j{}", pool::processors())).args(["build_generated", LIBRARY_TARGET]);
    make.current_dir(made).env_remove("MAKEFLAGS").env_remove("MFLAGS");
    let mut units = 0;
    logged(&mut make, &mut out, log, &mut |line| {
        units += usize::from(line.contains(" -c -o "));
        progress(&format!("compiling OpenSSL's libcrypto: {units} files, of about 900"));
    })
}

fn logged(
    command: &mut Command,
    out: &mut File,
    log: &Path,
    line: &mut dyn FnMut(&str),
) -> Result<()> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let errors = out.try_clone()?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors);
    let mut child = command.spawn().with_context(|| format!("running {shown}"))?;
    if let Some(stdout) = child.stdout.take() {
        for text in BufReader::new(stdout).split(b'\n') {
            let text = String::from_utf8_lossy(&text?).into_owned();
            line(&text);
            writeln!(out, "{text}")?;
        }
    }
    let status = child.wait()?;
    if status.success() {
        return Ok(());
    }
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let from = text.lines().count().saturating_sub(8);
    let last: Vec<&str> = text.lines().skip(from).collect();
    bail!("{shown} ended with {status}; the end of {}:\n{}", log.display(), last.join("\n"))
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
