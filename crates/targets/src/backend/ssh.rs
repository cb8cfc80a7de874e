//! A board over ssh: the system's own client with its configuration, and a shell there.
//!
//! Files go to a temporary directory on the board. A session of its own keeps the directory: the shell there waits for
//! the end of its input, which comes however this program ends, and then removes the directory.

use super::compile::{Built, Compiler, Recipe};
use super::ssh_link::{Keeper, Link, client, quoted};
use super::{Arch, Ended, Facts, Kind, LIBRARY, Opened, Work, for_program, together, toolchain};
use crate::Limits;
use crate::probe::Probe;
use anyhow::{Context, Result, bail};
use capvec_guest::Program;
use capvec_sysroot::Store;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// What Debian's static libcrypto needs.
const STATIC: [&str; 5] = ["-static", "-lcrypto", "-lz", "-lzstd", "-ldl"];

/// A board.
pub struct Ssh {
    facts: Facts,
    link: Link,
    keeper: Keeper,
    drivers: Vec<(Program, String)>,
    /// Whether a libcrypto was copied for the drivers to load.
    copied: bool,
}

impl Ssh {
    /// Copies drivers to the board, and the libcrypto of the directory `library`, if given. Otherwise the drivers load
    /// the board's own; if the board has none that fits, static drivers with Debian's are used.
    ///
    /// # Errors
    /// The connection fails, the board's architecture is unknown, or the compiler fails.
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
    /// The connection fails, or the architecture is unknown.
    pub fn arch_of(host: &str) -> Result<Arch> {
        Link::to(&client(), host)?.arch()
    }

    /// As [`Ssh::new`], with this client: a command with its arguments.
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
            let flags = Vec::from_iter(fixed.then(|| "-DCAPVEC_STATIC".into()));
            let recipe = Recipe { compiler: Compiler::Cross(&toolchain), libraries, flags };
            let built = recipe.all(programs, &store)?;
            progress("copying the driver to the board");
            let Some(ended) = board.install(&built)? else { return Ok(board) };
            if library.is_some() {
                bail!("{}", does_not_start(host, "the driver with this library", &ended))
            }
            if fixed {
                bail!("{}", does_not_start(host, "the static driver", &ended))
            }
        }
        Ok(board)
    }

    /// Copies drivers; returns how one ended if it does not start.
    fn install(&mut self, built: &[Built]) -> Result<Option<Ended>> {
        self.drivers.clear();
        for b in built {
            let name = format!("driver-{:?}", b.program).to_lowercase();
            self.copy(&b.path, &name)?;
            let started = self.link.shell(&self.command(&name, ""), b"")?;
            if started.status != 0 {
                return Ok(Some(started));
            }
            self.drivers.push((b.program, name));
        }
        self.facts.drivers = together(built.iter().map(|b| b.id.as_str()));
        Ok(None)
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

    /// A driver with variables, as a shell command.
    fn command(&self, driver: &str, variables: &str) -> String {
        let dir = quoted(&self.keeper.dir);
        let path = if self.copied { format!("LD_LIBRARY_PATH={dir} ") } else { String::new() };
        format!("cd {dir} && {path}{variables}exec ./{driver}")
    }
}

impl Opened for Ssh {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn identity(&self) -> Result<(String, String)> {
        let machine = self.link.shell("uname -srm; cat /etc/machine-id 2>/dev/null", b"")?.stdout;
        let which = "p=$(ldconfig -p 2>/dev/null | sed -n 's/.*libcrypto.so.3 .*=> //p' | head -n 1); \
                     [ -n \"$p\" ] && sha256sum \"$p\"";
        let copied = format!("cd {} && sha256sum -- *.so*", quoted(&self.keeper.dir));
        let which = if self.copied { &copied } else { which };
        let library = self.link.shell(which, b"")?.stdout;
        Ok((format!("{} {machine}", self.name()), library))
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
        let output = command.output().with_context(|| self.link.absent())?;
        if !output.status.success() {
            bail!("--target {}: {} cannot be read there", self.name(), probe.file)
        }
        Ok(Some((probe.file.clone(), output.stdout)))
    }

    fn run(&self, c: &Limits, work: Work) -> Result<Ended> {
        let Work { program, lines, .. } = work;
        let (_, driver) = for_program(&self.drivers, program, |d| d.0)?;
        let variable = c.capstring.as_ref();
        let variable = variable.map(|v| format!("{}={} ", self.arch().variable(), quoted(v)));
        let script = self.command(driver, &variable.unwrap_or_default());
        self.link.shell(&script, lines.as_bytes())
    }
}

/// The error for a program that does not start on the board.
fn does_not_start(host: &str, what: &str, ended: &Ended) -> String {
    let said = if ended.stderr.is_empty() { "nothing" } else { &ended.stderr };
    format!(
        "--target ssh:{host}: {what} does not start there; it ended with status {} and printed: {said}",
        ended.status
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loader's message is quoted, and the cause is not guessed.
    #[test]
    fn a_driver_that_does_not_start_is_quoted() {
        let loader = "./driver: libcrypto.so.3: cannot open shared object file";
        let ended = Ended { status: 127, stderr: loader.into(), ..Ended::default() };
        let text = does_not_start("board", "the driver with this library", &ended);
        assert!(text.contains("ssh:board") && text.contains("status 127"), "{text}");
        assert!(text.ends_with(loader), "{text}");
        let silent = does_not_start("board", "it", &Ended { stderr: String::new(), ..ended });
        assert!(silent.ends_with("printed: nothing"), "{silent}");
    }

    #[test]
    fn an_option_is_refused_as_host() {
        let e = Ssh::new("-oProxyCommand=x", &[], None, &mut |_| ()).map(|_| ()).unwrap_err();
        assert!(e.to_string().contains("not the name of a host"), "{e}");
    }
}
