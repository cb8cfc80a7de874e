//! Runs the programs of the last table.

use crate::stock_programs::{JAVA, Program};
use crate::timed::{Run, timed};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The command line of `capvec run`, up to the guest's command; `core: None` is the ideal core. `writable`: the guest may
/// write to the directory of inputs.
pub fn guest(
    capvec: &Path,
    core: Option<&str>,
    sysroot: &str,
    dir: &Path,
    writable: bool,
) -> Command {
    let mode = if writable { "rw" } else { "ro" };
    let mut command = Command::new(capvec);
    command.args(["run", "--core", core.unwrap_or("ideal"), "--sysroot", sysroot, "--no-cwd"]);
    command.args(["--bind", &format!("{}:/w:{mode}", dir.display()), "--"]);
    command.stdin(Stdio::null());
    command
}

/// A directory, among the inputs, with what `java` needs of its installation. Debian's installation uses absolute links
/// for it, which QEMU does not look up in the sysroot.
pub const JAVA_HOME: &str = "java_home";

/// What runs a program.
pub enum Runner {
    /// qemu-riscv64 with the processor on which it is fastest. With `max`, perl takes 3.3 s instead of 1.0 s (records/jit.md).
    Qemu(PathBuf),
    /// capvec with the cycles of a core.
    Capvec(PathBuf, String),
}

impl Runner {
    /// Runs the program, with the sysroot of this name and root and these inputs.
    ///
    /// # Errors
    /// The program does not run.
    pub fn run(
        &self,
        program: &Program,
        (sysroot, root): (&str, &Path),
        dir: &Path,
    ) -> anyhow::Result<Run> {
        match self {
            Runner::Capvec(capvec, core) => {
                let mut command = guest(capvec, Some(core), sysroot, dir, false);
                timed(command.arg(program.path).args(program.args))
            }
            Runner::Qemu(qemu) => {
                let mut command = Command::new(qemu);
                command.args(["-cpu", "rv64,v=off", "-L"]).arg(root);
                command.arg(root.join(program.path.trim_start_matches('/')));
                if program.path == JAVA {
                    command.arg(format!("-Djava.home={}", dir.join(JAVA_HOME).display()));
                }
                let here = dir.display().to_string();
                let args = program.args.iter().map(|arg| arg.replace("/w", &here));
                timed(command.args(args).stdin(Stdio::null()))
            }
        }
    }
}
