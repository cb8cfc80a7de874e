//! Finds Verilator: on PATH, else Debian's, fetched as a package tree without root.

use anyhow::{Context, Result, bail};
use capvec_sysroot::Progress;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The release whose Verilator is fetched: the oldest with version 5, since a program needs the C library of its own
/// release or a newer one.
const SUITE: &str = "bookworm";
/// The major version that lint and model are made for.
const OLDEST: u32 = 5;

/// A working Verilator.
pub struct Verilator {
    program: PathBuf,
    /// The required VERILATOR_ROOT; none if Verilator finds its files itself.
    root: Option<PathBuf>,
    /// The first line of its `--version`.
    pub version: String,
}

impl Verilator {
    /// The one on PATH if it is recent enough, else Debian's.
    ///
    /// # Errors
    /// Neither is available; says why.
    pub fn find(progress: &mut dyn FnMut(&Progress)) -> Result<Verilator> {
        if let Ok(found) = Verilator::at(PathBuf::from("verilator"), None) {
            return Ok(found);
        }
        let arch = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => {
                bail!("no Debian package of Verilator is known for {other}; put verilator on PATH")
            }
        };
        let tree = capvec_sysroot::ensure(&format!("{SUITE}-{arch}"), &["verilator"], progress)?;
        Verilator::at(tree.join("usr/bin/verilator_bin"), Some(tree.join("usr/share/verilator")))
    }

    fn at(program: PathBuf, root: Option<PathBuf>) -> Result<Verilator> {
        let mut found = Verilator { program, root, version: String::new() };
        let output = found.command().arg("--version").output();
        let output = output.with_context(|| format!("running {}", found.program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        found.version = text.lines().next().unwrap_or_default().to_string();
        match major(&found.version) {
            Some(n) if n >= OLDEST => Ok(found),
            _ => bail!(
                "{}: Verilator {OLDEST} or newer is needed, not {:?}",
                found.program.display(),
                found.version
            ),
        }
    }

    /// A command that runs it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("LC_ALL", "C").stdin(Stdio::null());
        if let Some(root) = &self.root {
            command.env("VERILATOR_ROOT", root);
        }
        command
    }
}

fn major(version: &str) -> Option<u32> {
    version.strip_prefix("Verilator ")?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed() {
        assert_eq!(major("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), Some(5));
        assert_eq!(major("Verilator 4.038 2020-07-11 rev v4.036-114-g0cd4a57ad"), Some(4));
        assert_eq!(major("verilator"), None);
    }
}
