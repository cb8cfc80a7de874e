//! Builds drivers with a compiler of this machine.

use super::Toolchain;
use anyhow::{Context, Result, bail};
use capvec_guest::{self as guest, Program};
use capvec_sysroot::Store;
use capvec_util::build_cache::{is_whole, keep};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How to build a driver.
pub struct Recipe<'a> {
    /// The compiler: `cc` of this machine, or one for another architecture.
    pub compiler: Compiler<'a>,
    /// Linked after the objects.
    pub libraries: Vec<String>,
    /// Flags in addition to those of all drivers.
    pub flags: Vec<String>,
}

/// A compiler.
pub enum Compiler<'a> {
    /// This machine's.
    Host,
    /// For another architecture.
    Cross(&'a Toolchain),
}

/// A driver that was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The program that it is.
    pub program: Program,
    /// The file.
    pub path: PathBuf,
    /// Digest of its inputs.
    pub id: String,
}

/// `CAPVEC_TIMED` selects the code that measures outside the simulator.
const FLAGS: [&str; 4] = ["-O2", "-Wall", "-DCAPVEC_TIMED", "-DCAPVEC_ANY"];

impl Recipe<'_> {
    fn command(&self) -> Command {
        match &self.compiler {
            Compiler::Host => Command::new("cc"),
            Compiler::Cross(toolchain) => toolchain.gcc(),
        }
    }

    /// The identity of the compiler.
    fn identity(&self) -> Result<String> {
        match &self.compiler {
            Compiler::Cross(toolchain) => Ok(toolchain.id.clone()),
            Compiler::Host => {
                let output = self.command().arg("--version").stdin(Stdio::null()).output();
                let output = output.context(
                    "running cc: install a C compiler (on Debian and Ubuntu: apt install gcc libc6-dev)",
                )?;
                Ok(String::from_utf8_lossy(&output.stdout).into_owned())
            }
        }
    }

    /// The drivers of these programs, kept in the store.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn all(&self, programs: &[Program], store: &Store) -> Result<Vec<Built>> {
        let kept = store.drivers();
        programs.iter().map(|p| self.build(*p, &kept)).collect()
    }

    /// The driver, from the directory `kept`; built there if necessary.
    ///
    /// # Errors
    /// The compiler's messages.
    fn build(&self, program: Program, kept: &Path) -> Result<Built> {
        let files = program.timed();
        let mut hash = Sha256::new();
        for (name, text) in &files {
            hash.update(format!("{name}\n{text}\n"));
        }
        hash.update(format!(
            "{FLAGS:?} {:?} {:?} {:?}\n{}",
            program.defines(),
            self.flags,
            self.libraries,
            self.identity()?
        ));
        let id = hex::encode(hash.finalize());
        let dir = kept.join(&id[..16]);
        let path = dir.join(guest::PROGRAM);
        if !is_whole(&dir, guest::PROGRAM) {
            keep(kept, &dir, guest::PROGRAM, |work| {
                for (name, text) in &files {
                    std::fs::write(work.join(name), text)?;
                }
                let units = files.iter().map(|(name, _)| *name).filter(|n| n.ends_with(".c"));
                let mut command = self.command();
                command.current_dir(work).args(FLAGS).args(program.defines());
                command.args(&self.flags).args(units);
                command.args(["-o", guest::PROGRAM]).args(&self.libraries);
                run(&mut command)
            })?;
        }
        Ok(Built { program, path, id })
    }
}

/// Runs a compiler to its end.
fn run(command: &mut Command) -> Result<()> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("running {shown}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let first: Vec<&str> = text.lines().filter(|l| l.contains("rror")).take(5).collect();
    bail!("{shown} ended with {}:\n{}", output.status, first.join("\n"))
}
