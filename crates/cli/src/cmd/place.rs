//! Targets that are no simulator, with the library that code is linked with there: what `--target`, `--subject`,
//! `--sysroot` and `--qemu-cpu` of every sub-command mean.

use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result, bail};
use capvec_bench::builds::{self, Build};
use capvec_bench::capset::{self, CapSet, Override, Wanted, words};
use capvec_bench::case::Case;
use capvec_bench::jobs::{Job, Outcome};
use capvec_bench::probe::Probe;
use capvec_bench::run::{Configuration, Program, Runner};
use capvec_bench::target::{Choice, LIBRARY, Native, QEMU_VLEN, Qemu, Ssh};
use capvec_guest::Subject;
use capvec_isa::{Ext, Isa, stated};
use capvec_record::{Arch, Kind};
use capvec_sysroot::Store;
use std::path::{Path, PathBuf};

/// A target as the flags name it.
pub struct Place<'a> {
    /// `--target`.
    pub target: &'a Choice,
    /// `--sysroot`.
    pub sysroot: Option<&'a str>,
    /// `--qemu-cpu`.
    pub qemu_cpu: Option<&'a str>,
}

/// What `--subject` takes.
const SUBJECTS: &str = "openssl, the target's own; openssl:BUILD of `capvec build openssl` (`capvec build list`); \
    and in the simulator capvec and openssl+capvec";

/// A library to run.
pub struct Library {
    /// As records call it.
    pub name: String,
    /// What drivers are linked with.
    pub subject: Subject,
    /// One that was built here, or the target's own.
    pub build: Option<Build>,
}

impl Library {
    /// Where it is, unless it is the target's own.
    pub fn dir(&self) -> Option<PathBuf> {
        self.build.as_ref().map(|b| b.dir.clone())
    }
}

impl Place<'_> {
    /// The architecture of its code; a board is asked.
    fn arch(&self) -> Result<Arch> {
        match self.target {
            Choice::Sim => Ok(Arch::Riscv64),
            Choice::Native => Arch::host().context("--target native"),
            Choice::Qemu(arch) => Ok(*arch),
            Choice::Ssh(host) => Ssh::arch_of(host),
        }
    }

    /// The build of this name, or of `ARCH-NAME`: what `capvec build openssl --arch ARCH --variant NAME` makes.
    ///
    /// # Errors
    /// There is none; the message says how to make it.
    pub fn build(&self, flag: &str, name: &str) -> Result<Build> {
        let store = Store::from_env()?;
        let fail = |e: anyhow::Error| Usage(format!("{flag} openssl:{name}: {e:#}"));
        if let Some(build) = builds::find(&store, name).map_err(fail)? {
            return Ok(build);
        }
        let arch = self.arch()?.name();
        let whole = format!("{arch}-{name}");
        if let Some(build) = builds::find(&store, &whole).map_err(fail)? {
            return Ok(build);
        }
        let how = format!("capvec build openssl --arch {arch} --variant {name}");
        Err(Usage(format!(
            "{flag} openssl:{name}: there is no build {name}, nor {whole}; make it with `{how}`, or see `capvec build list`"
        ))
        .into())
    }

    /// The library that `--subject` names.
    pub fn library(&self, name: &str) -> Result<Library> {
        if let Some(("openssl", build)) = name.split_once(':') {
            let build = self.build("--subject", build)?;
            let name = format!("openssl:{}", build.manifest.name);
            return Ok(Library { name, subject: Subject::OpenSsl, build: Some(build) });
        }
        let sim = *self.target == Choice::Sim;
        match name.parse::<Subject>() {
            Ok(subject) if sim || subject == Subject::OpenSsl => {
                Ok(Library { name: name.into(), subject, build: None })
            }
            Ok(_) => {
                let what =
                    format!("--subject {name}: only with --target sim; there are {SUBJECTS}");
                Err(Usage(what).into())
            }
            Err(_) => {
                let what =
                    format!("--subject {name}: there is no such library; there are {SUBJECTS}");
                Err(Usage(what).into())
            }
        }
    }

    /// The libraries of `--subject`, each once: a build may be named with its architecture or without.
    pub fn libraries(&self, names: &[String]) -> Result<Vec<Library>> {
        let mut all: Vec<Library> = Vec::new();
        for name in names {
            let library = self.library(name)?;
            if !all.iter().any(|l| l.name == library.name) {
                all.push(library);
            }
        }
        Ok(all)
    }

    /// Refuses a library for another architecture: programs of the target would not load it, or take their own instead.
    pub fn fits(&self, flag: &str, name: &str, dir: &Path) -> Result<()> {
        let arch = self.arch()?;
        let what = match Arch::of_file(&dir.join(LIBRARY))? {
            Some(is) if is == arch => return Ok(()),
            Some(is) => format!("it is built for {}", is.name()),
            None => format!("{LIBRARY} there is no library of an architecture that is known here"),
        };
        Err(Usage(format!("{flag} {name}: {what}, and the target is {}", arch.name())).into())
    }

    /// The target with these programs, which load the libcrypto of `dir` if one is given.
    pub fn runner(
        &self,
        programs: &[Program],
        dir: Option<PathBuf>,
        told: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        Ok(match self.target {
            Choice::Native => Runner::at(Native::new(programs, dir, told)?),
            Choice::Qemu(arch) => {
                let usual = format!("trixie-{}", arch.debian());
                let sysroot = self.sysroot.unwrap_or(&usual);
                let cpu = self.qemu_cpu.map(String::from);
                Runner::at(Qemu::new(*arch, sysroot, cpu, programs, dir, told)?)
            }
            Choice::Ssh(host) => Runner::at(Ssh::new(host, programs, dir, told)?),
            // Cores, and libraries that are built for it, are its own.
            Choice::Sim => bail!("--target sim has a set-up of its own"),
        })
    }

    /// The target with these programs and a library of `--subject`, under its name.
    pub fn with(
        &self,
        programs: &[Program],
        library: &Library,
        told: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        if let Some(dir) = library.dir() {
            self.fits("--subject", &library.name, &dir)?;
        }
        Ok(self.runner(programs, library.dir(), told)?.called(&library.name))
    }

    /// VLENs to run with: those that were asked for where they can be chosen, else nothing is told.
    pub fn vlens(&self, asked: &[u32]) -> Vec<u32> {
        match (self.target, asked.is_empty()) {
            (_, false) => asked.to_vec(),
            (Choice::Qemu(Arch::Riscv64), true) => vec![QEMU_VLEN],
            _ => vec![0],
        }
    }

    /// Refuses flags that mean something on other targets only: these three, and of a sub-command's own `--vlen` and
    /// `--core`, if they are given.
    pub fn refuse(&self, vlen: bool, core: bool) -> Result<()> {
        let sim = *self.target == Choice::Sim;
        let qemu = matches!(self.target, Choice::Qemu(_));
        let chosen = sim || *self.target == Choice::Qemu(Arch::Riscv64);
        let checks = [
            (core && !sim, "--core: a core model is for --target sim; leave it out"),
            (self.qemu_cpu.is_some() && !qemu, "--qemu-cpu: only with --target qemu:ARCH"),
            (
                vlen && !chosen,
                "--vlen: only with --target sim or qemu:riscv64; this target's cannot be chosen",
            ),
            (
                self.sysroot.is_some() && !sim && !qemu,
                "--sysroot: only with --target sim or qemu:ARCH; this target has its own library",
            ),
        ];
        match checks.iter().find(|(wrong, _)| *wrong) {
            Some((_, what)) => Err(Usage((*what).into()).into()),
            None => Ok(()),
        }
    }
}

/// The sets that `names` stand for, of what the library finds on this target.
pub fn wanted(names: &[String], runner: &Runner, cases: &[Case], vlen: u32) -> Result<Vec<Wanted>> {
    let probe = probe(runner, vlen).context("asking the library what it detects")?;
    let Some(o) = Override::of(runner.target().arch())? else {
        let all = capset::expand(names, cases, &isa(&probe)?).map_err(usage)?;
        return match runner.target().kind() {
            Kind::Real => executable(all),
            // What is emulated has every extension.
            Kind::Modelled | Kind::Emulated => Ok(all),
        };
    };
    // A library that was built without assembly says nothing.
    let words = words(probe.settings()).unwrap_or_default();
    o.expand(names, cases, &words).map_err(usage)
}

/// The sets that a processor can run: told of more, the library runs into illegal instructions.
fn executable(all: Vec<Wanted>) -> Result<Vec<Wanted>> {
    let (beyond, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(|w| w.capset.beyond_core);
    let names = beyond.iter().map(|w| w.capset.name.as_str()).collect::<Vec<_>>().join(", ");
    match (kept.is_empty(), names.is_empty()) {
        (true, false) => Err(Usage(format!(
            "--caps {names}: the kernel there does not show all of it, and the library would run into illegal instructions"
        ))
        .into()),
        (_, true) => Ok(kept),
        (false, false) => {
            say!("left out, since the kernel there does not show all that they have: {names}");
            Ok(kept)
        }
    }
}

/// What the kernel there shows: under an emulator, /proc/cpuinfo is the host's and has no ISA string.
fn isa(probe: &Probe) -> Result<Isa> {
    let mut isa: Isa = "rv64gc".parse()?;
    isa.exts = stated::exts(&probe.isa).unwrap_or(isa.exts);
    isa.exts = isa.exts.union(probe.hwprobe_exts());
    if probe.hwcap >> (b'v' - b'a') & 1 != 0 {
        isa.exts = isa.exts.with(Ext::V);
    }
    isa.exts = isa.exts.closed();
    Ok(isa)
}

/// What the library says of itself when it is told nothing.
fn probe(runner: &Runner, vlen: u32) -> Result<Probe> {
    let capset = CapSet::parse("auto", &"rv64gc".parse()?)?;
    let mut outcomes = runner.jobs(&Configuration { vlen, capset }, &[vec![Job::Probe]])?;
    match outcomes.pop().transpose()?.as_deref() {
        Some([Outcome::Probe(p)]) => Ok(p.clone()),
        _ => bail!("the driver did not answer the probe"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boards_string_may_name_what_is_not_modelled() {
        let line =
            "hwcap=0\thwprobe=\tisa=rv64imafdcvh_zba_zfh_sstc_svinval\tmmu=\tuarch=\tlibrary=";
        let isa = isa(&Probe::parse(line).unwrap()).unwrap();
        assert!(isa.exts.has(Ext::Zba) && isa.exts.has(Ext::V), "{:?}", isa.exts);
    }

    #[test]
    fn sets_that_a_processor_lacks_are_left_out_unless_none_stays() {
        let isa: Isa = "rv64gc_zbb".parse().unwrap();
        let of = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
            executable(capset::expand(&names, &[], &isa).unwrap())
        };
        let kept = of(&["scalar", "zbb", "full", "auto"]).unwrap();
        let names: Vec<_> = kept.iter().map(|w| w.capset.name.as_str()).collect();
        assert_eq!(names, ["scalar", "zbb", "auto"]);
        let e = of(&["full", "zvkned"]).map(|_| ()).unwrap_err();
        assert!(e.to_string().contains("--caps full, zvkned") && e.is::<Usage>(), "{e}");
    }
}
