//! QEMU in user mode, with a sysroot: stock binaries of another architecture, counted exactly.

use super::compile::{Built, Compiler, Recipe};
use super::local::{Local, needs_linux};
use super::{Arch, Ended, Facts, Kind, Opened, Work, process, qemu_log, together, toolchain};
use crate::Limits;
use crate::defaults::sysroot_for;
use crate::probe::Probe;
use anyhow::{Context, Result};
use capvec_guest::Program;
use capvec_sysroot::Store;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Packages that the subject needs.
const PACKAGES: [&str; 2] = ["openssl", "libc6"];
/// Oldest release whose log has everything that [`qemu_log`] reads.
const OLDEST: u32 = 7;
/// Default VLEN in bits.
pub const VLEN: u32 = 256;

/// QEMU, a sysroot and drivers.
pub struct Qemu {
    facts: Facts,
    program: PathBuf,
    version: String,
    /// Model of the processor; by default the largest that QEMU has.
    cpu: Option<String>,
    root: PathBuf,
    local: Local,
}

/// The emulator: Debian's, or one on PATH that is recent enough.
fn find(store: &Store, arch: Arch, progress: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    let file = format!("qemu-{}", arch.name());
    needs_linux(&format!("qemu:{}", arch.name()))?;
    let sysroot = sysroot_for(Arch::host()?);
    match store.ensure(&sysroot, &["qemu-user"], &mut |p| progress(&p.to_string())) {
        Ok(root) => Ok(root.join("usr/bin").join(file)),
        Err(error) => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let mut on_path = std::env::split_paths(&path).map(|d| d.join(&file));
            let found = on_path.find(|p| version(p).is_ok_and(|v| major(&v) >= Some(OLDEST)));
            found.ok_or(error).with_context(|| {
                format!(
                    "--target qemu:{}: there is no {file} {OLDEST} or newer on PATH, and Debian's cannot be fetched",
                    arch.name()
                )
            })
        }
    }
}

/// The first line of `--version`.
fn version(program: &PathBuf) -> Result<String> {
    let fail = || format!("running {} --version", program.display());
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let text = String::from_utf8_lossy(&output.with_context(fail)?.stdout).into_owned();
    text.lines().next().map(String::from).with_context(fail)
}

fn major(version: &str) -> Option<u32> {
    version.split("version ").nth(1)?.split('.').next()?.parse().ok()
}

impl Qemu {
    /// Fetches emulator, sysroot and compiler and builds the drivers, where necessary; with `library`, they load the
    /// libcrypto of that directory.
    ///
    /// # Errors
    /// What apt or the compiler reports.
    pub fn new(
        arch: Arch,
        sysroot: &str,
        cpu: Option<String>,
        programs: &[Program],
        library: Option<PathBuf>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Qemu> {
        let store = Store::from_env()?;
        let program = find(&store, arch, progress)?;
        let version = version(&program)?;
        let root = store.ensure(sysroot, &PACKAGES, &mut |p| progress(&p.to_string()))?;
        let mut packages: Vec<String> = store.get(sysroot)?.manifest.shown().collect();
        packages.push(version.clone());
        packages.extend(cpu.as_ref().map(|c| format!("-cpu {c}")));
        let drivers = drivers(&store, arch, programs, progress)?;
        let facts = Facts {
            name: format!("qemu:{}", arch.name()),
            kind: Kind::Emulated,
            arch,
            packages,
            drivers: together(drivers.iter().map(|d| d.id.as_str())),
        };
        let local = Local { drivers, dir: library };
        Ok(Qemu { facts, program, version, cpu, root, local })
    }
}

/// Drivers for another architecture, linked with its shared library.
fn drivers(
    store: &Store,
    arch: Arch,
    programs: &[Program],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Built>> {
    let toolchain = toolchain::debian(store, arch, progress)?;
    progress("compiling the driver (Debian's cross compiler)");
    let compiler = Compiler::Cross(&toolchain);
    let recipe = Recipe { compiler, libraries: vec!["-lcrypto".into()], flags: Vec::new() };
    recipe.all(programs, store)
}

impl Opened for Qemu {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn loaded(&self, probe: &Probe) -> Result<Option<PathBuf>> {
        self.local.loaded(probe)
    }

    fn identity(&self) -> Result<(String, String)> {
        let mut hash = Sha256::new();
        hash.update(self.packages().join("\n"));
        hash.update(self.local.library()?);
        let place = format!("{} {} {:?}", self.name(), self.version, self.cpu);
        Ok((place, hex::encode(hash.finalize())))
    }

    fn run(&self, c: &Limits, work: Work) -> Result<Ended> {
        let Work { program, lines, .. } = work;
        let mut command = Command::new(&self.program);
        command.env_clear().env("OPENSSL_CONF", "/dev/null").arg("-L").arg(&self.root);
        if let Some(cpu) = &self.cpu {
            command.args(["-cpu", cpu]);
        } else if self.arch() == Arch::Riscv64 {
            let vlen = if c.vlen == 0 { VLEN } else { c.vlen };
            command.args(["-cpu".to_string(), format!("max,vlen={vlen}")]);
        }
        self.local.prepare(&mut command, self.arch().variable(), c);
        let counts = |line: &str| line.starts_with("measure ") || line.starts_with("selfcheck ");
        if program == Program::Check || !lines.lines().any(counts) {
            command.arg(self.local.driver(program)?);
            return process::run(&mut command, lines);
        }
        command.env("CAPVEC_COUNTER", "marks");
        // Through /proc, so that QEMU opens it as a file, which it writes line by line.
        command.args(["-d", "in_asm,exec,nochain,strace", "-D", "/proc/self/fd/2"]);
        command.arg(self.local.driver(program)?);
        let (mut ended, marks) = process::traced(&mut command, lines)?;
        ended.stdout = resolve(&ended.stdout, &marks);
        Ok(ended)
    }
}

/// Replaces the marks in the driver's answers by the counts between them. The counter's name, `marks`, becomes `trace`.
fn resolve(stdout: &str, marks: &qemu_log::Marks) -> String {
    stdout
        .lines()
        .map(|line| resolve_line(line, marks).unwrap_or_else(|| line.into()) + "\n")
        .collect()
}

fn resolve_line(line: &str, marks: &qemu_log::Marks) -> Option<String> {
    let (verb, rest) = line.split_once(" marks ")?;
    let process: u64 = rest.split(' ').next()?.parse().ok()?;
    let word = |word: &str| {
        let Some((mark, rest_of_word)) = word.split_once(':') else {
            return Some(word.to_string());
        };
        let ns = rest_of_word.split(':').next()?;
        let at = |mark: u64| marks.get(&(process, mark)).copied();
        let mark = mark.parse().ok()?;
        // If the log lacks a mark, there is no count.
        let insns = at(mark + 1).zip(at(mark)).map_or("-".into(), |(b, a)| (b - a).to_string());
        Some(format!("{mark}:{ns}:{insns}:-"))
    };
    let words: Option<Vec<String>> = rest.split(' ').map(word).collect();
    Some(format!("{verb} trace {}", words?.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_counts() {
        let marks =
            [((7, 0), 100), ((7, 1), 150), ((7, 2), 151), ((7, 3), 1151), ((8, 4), 1)].into();
        let text = "version X marks\nmeasure marks 7 2 0:9:-:- 2:80:-:- 4:1:-:-\n";
        let expected = "version X marks\nmeasure trace 7 2 0:9:50:- 2:80:1000:- 4:1:-:-\n";
        assert_eq!(resolve(text, &marks), expected);
    }

    #[test]
    fn releases_are_read() {
        assert_eq!(major("qemu-aarch64 version 10.0.13 (Debian 1:10.0.13+ds-0+deb13u1)"), Some(10));
        assert_eq!(major("qemu"), None);
    }
}
