//! A board over ssh: the system's own client with its configuration, and a shell there.
//!
//! Files go to a temporary directory of the board. A session of its own keeps that: the shell there waits for the end of its
//! input, which comes however this program ends, and then removes the directory.

use super::build::{Built, Compiler, Recipe};
use super::{
    Arch, Ended, Facts, Kind, LIBRARY, Target, Work, for_program, process, together, toolchain,
};
use crate::compile::Program;
use crate::configuration::Configuration;
use crate::probe::Probe;
use anyhow::{Context, Result, bail};
use capvec_sysroot::Store;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What the client ends with if the connection fails (ssh(1), EXIT STATUS).
const LOST: i32 = 255;
/// Another command than `ssh`, with arguments.
const CLIENT: &str = "CAPVEC_SSH";
/// What Debian's static libcrypto needs.
const STATIC: [&str; 5] = ["-static", "-lcrypto", "-lz", "-lzstd", "-ldl"];

/// A board.
pub struct Ssh {
    facts: Facts,
    link: Link,
    keeper: Keeper,
    drivers: Vec<(Program, String)>,
    /// Whether a libcrypto was copied, for drivers to load.
    copied: bool,
}

/// The session that holds the directory.
struct Keeper {
    child: Child,
    dir: String,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The shell there removes the directory when its input ends.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// How a board is reached.
#[derive(Clone)]
struct Link {
    client: String,
    host: String,
}

/// The command that the user's environment names, or the system's.
fn client() -> String {
    std::env::var(CLIENT).unwrap_or_else(|_| "ssh".into())
}

impl Link {
    fn to(client: &str, host: &str) -> Result<Link> {
        if host.is_empty() || host.starts_with('-') {
            bail!("--target ssh:{host}: that is no host");
        }
        Ok(Link { client: client.into(), host: host.into() })
    }

    fn arch(&self) -> Result<Arch> {
        let machine = self.shell("uname -m", b"")?.stdout;
        Arch::parse(machine.trim()).with_context(|| format!("--target ssh:{}", self.host))
    }

    /// A client for the host: it never asks, since nobody may be there to answer.
    fn client(&self) -> Command {
        let host = &self.host;
        let mut words = self.client.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("ssh"));
        command.args(words).args([
            "-o",
            "BatchMode=yes",
            "-o",
            "ServerAliveInterval=15",
            "-T",
            "--",
            host,
        ]);
        command
    }

    /// What went wrong with a connection, and what to do.
    fn lost(&self, why: &str) -> anyhow::Error {
        let host = &self.host;
        anyhow::anyhow!(
            "--target ssh:{host}: the connection failed ({}); check that `ssh {host} true` works without asking. With --out, \
         what is finished is kept: the same command goes on from there",
            if why.is_empty() { "ssh says nothing of why" } else { why }
        )
    }

    /// Runs a script on the board.
    fn shell(&self, script: &str, input: &[u8]) -> Result<Ended> {
        let mut command = self.client();
        let ended = process::run_bytes(command.arg(script), input.to_vec())
            .context("running the ssh client")?;
        if ended.status == LOST {
            return Err(self.lost(&ended.stderr));
        }
        Ok(ended)
    }
}

/// Text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

impl Keeper {
    fn new(link: &Link) -> Result<Keeper> {
        let script = "d=$(mktemp -d \"${TMPDIR:-/tmp}/capvec.XXXXXX\") || exit 1; trap 'rm -rf \"$d\"' EXIT; \
                      trap 'exit 1' HUP INT TERM; echo \"$d\"; cat >/dev/null";
        let (host, mut command) = (&link.host, link.client());
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().context("running the ssh client: install openssh-client")?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.as_mut() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let dir = line.trim().to_string();
        if dir.starts_with('/') {
            return Ok(Keeper { child, dir });
        }
        drop(child.stdin.take());
        let output = child.wait_with_output()?;
        let why = String::from_utf8_lossy(&output.stderr).trim().to_string();
        match output.status.code() {
            Some(LOST) => Err(link.lost(&why)),
            _ => bail!("--target ssh:{host}: no temporary directory can be made there: {why}"),
        }
    }
}

impl Ssh {
    /// Copies drivers to the board, and the libcrypto of directory `library` if one is given. Without one, the drivers load
    /// the board's own; where there is none that fits, they are static ones with Debian's.
    ///
    /// # Errors
    /// The connection, the board's architecture, or what the compiler reports.
    pub fn new(
        host: &str,
        programs: &[Program],
        library: Option<PathBuf>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Ssh> {
        Ssh::by(&client(), host, programs, library, progress)
    }

    /// The architecture of a board.
    ///
    /// # Errors
    /// The connection; or it is of no architecture that is known here.
    pub fn arch_of(host: &str) -> Result<Arch> {
        Link::to(&client(), host)?.arch()
    }

    /// The same with this client, a command with arguments.
    ///
    /// # Errors
    /// As [`Ssh::new`].
    pub fn by(
        client: &str,
        host: &str,
        programs: &[Program],
        library: Option<PathBuf>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Ssh> {
        progress("asking the board");
        let link = Link::to(client, host)?;
        let arch = link.arch()?;
        let keeper = Keeper::new(&link)?;
        let store = Store::from_env()?;
        let toolchain = toolchain::debian(&store, arch, progress)?;
        let mut board = Ssh {
            facts: Facts {
                name: format!("ssh:{host}"),
                kind: Kind::Real,
                arch,
                packages: toolchain.packages.clone(),
                drivers: String::new(),
            },
            link,
            keeper,
            drivers: Vec::new(),
            copied: library.is_some(),
        };
        if let Some(dir) = &library {
            board.copy(&dir.join(LIBRARY), LIBRARY)?;
        }
        progress("compiling the driver (Debian's cross compiler)");
        for fixed in [false, true] {
            let libraries: Vec<String> = match fixed {
                false => vec!["-lcrypto".into()],
                true => STATIC.map(String::from).to_vec(),
            };
            let recipe =
                Recipe { compiler: Compiler::Cross(&toolchain), libraries, flags: Vec::new() };
            let built = recipe.all(programs, &store)?;
            progress("copying the driver to the board");
            if board.install(&built)? {
                return Ok(board);
            }
            if library.is_some() {
                bail!(
                    "--target ssh:{host}: the build cannot be loaded there; its C library may be older than Debian trixie's"
                )
            }
        }
        bail!("--target ssh:{host}: the static driver does not run there")
    }

    /// Copies drivers; whether they start.
    fn install(&mut self, built: &[Built]) -> Result<bool> {
        self.drivers.clear();
        for b in built {
            let name = format!("driver-{:?}", b.program).to_lowercase();
            self.copy(&b.path, &name)?;
            let started = self.link.shell(&self.command(&name, ""), b"")?;
            if started.status != 0 {
                return Ok(false);
            }
            self.drivers.push((b.program, name));
        }
        self.facts.drivers = together(built.iter().map(|b| b.id.as_str()));
        Ok(true)
    }

    fn copy(&self, from: &Path, name: &str) -> Result<()> {
        let bytes = std::fs::read(from).with_context(|| format!("reading {}", from.display()))?;
        let to = quoted(&format!("{}/{name}", self.keeper.dir));
        let ended = self.link.shell(&format!("cat > {to} && chmod 755 {to}"), &bytes)?;
        if ended.status != 0 {
            bail!(
                "--target {}: copying {name} to {} failed: {}",
                self.name(),
                self.keeper.dir,
                ended.stderr
            )
        }
        Ok(())
    }

    /// A driver with variables, as a shell's command.
    fn command(&self, driver: &str, variables: &str) -> String {
        let dir = quoted(&self.keeper.dir);
        let path = if self.copied { format!("LD_LIBRARY_PATH={dir} ") } else { String::new() };
        format!("cd {dir} && {path}{variables}exec ./{driver}")
    }
}

impl Target for Ssh {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn identity(&self) -> Result<(String, String)> {
        let machine = self.link.shell("uname -srm; cat /etc/machine-id 2>/dev/null", b"")?.stdout;
        let which = "p=$(ldconfig -p 2>/dev/null | sed -n 's/.*libcrypto.so.3 .*=> //p' | head -n 1); \
                     [ -n \"$p\" ] && sha256sum \"$p\"";
        let system = self.link.shell(which, b"")?.stdout;
        Ok((
            format!("{} {machine}", self.name()),
            if self.copied { "copied".into() } else { system },
        ))
    }

    fn libcrypto(&self, probe: &Probe) -> Result<Option<String>> {
        if probe.file.is_empty() {
            return Ok(None);
        }
        let ended = self.link.shell(&format!("sha256sum {}", quoted(&probe.file)), b"")?;
        Ok(ended.stdout.split(' ').next().filter(|d| d.len() == 64).map(String::from))
    }

    fn contents(&self, probe: &Probe) -> Result<Option<(String, Vec<u8>)>> {
        if probe.file.is_empty() {
            return Ok(None);
        }
        let mut command = self.link.client();
        command.arg(format!("cat {}", quoted(&probe.file))).stdin(Stdio::null());
        let output = command.output().context("running the ssh client")?;
        if !output.status.success() {
            bail!("--target {}: {} cannot be read there", self.name(), probe.file)
        }
        Ok(Some((probe.file.clone(), output.stdout)))
    }

    fn run(&self, c: &Configuration, work: Work) -> Result<Ended> {
        let (program, lines) = work.what.driver(self.name())?;
        let (_, driver) = for_program(&self.drivers, program, |d| d.0)?;
        let variable = c.capset.capstring.as_ref();
        let variable = variable.map(|v| format!("{}={} ", self.arch().variable(), quoted(v)));
        let script = self.command(driver, &variable.unwrap_or_default());
        self.link.shell(&script, lines.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("~0x1:~0x2"), "'~0x1:~0x2'");
        assert_eq!(quoted("a'b"), r"'a'\''b'");
    }

    #[test]
    fn an_option_is_no_host() {
        let e = Ssh::new("-oProxyCommand=x", &[], None, &mut |_| ()).map(|_| ()).unwrap_err();
        assert!(e.to_string().contains("no host"), "{e}");
    }
}
