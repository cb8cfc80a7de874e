//! Target × subject: what `--target` and `--subject` name, and the one place where one is opened with the other.

mod feature;
mod file;
mod name;
mod subject;

pub use feature::{Feature, Refused};
pub use name::TargetName;
pub use subject::{Library, SubjectName};

use crate::backend::{Native, Opened, QEMU_VLEN, Qemu, Sim, Ssh};
use crate::builds::{self, Build};
use crate::defaults::{CORE, SYSROOT, sysroot_for};
use anyhow::{Context, Result, bail};
use capvec_guest::Program;
use capvec_linux::Concealed;
use capvec_record::Arch;
use capvec_sim::hart::Agnostic;
use capvec_sysroot::Store;
use capvec_timing::Core;

/// A target with all choices that flags made. What a target does not support was refused before, by
/// [`TargetName::require`].
#[derive(Clone)]
pub struct Target {
    /// `--target`.
    pub name: TargetName,
    /// The modelled core, of the simulator only.
    pub core: Option<Core>,
    /// `--sysroot`.
    pub sysroot: Option<String>,
    /// `--qemu-cpu`.
    pub qemu_cpu: Option<String>,
    /// What the simulator's kernel does not show.
    pub concealed: Concealed,
}

impl Target {
    /// A target with its defaults.
    pub fn new(name: TargetName) -> Target {
        Target { name, core: None, sysroot: None, qemu_cpu: None, concealed: Concealed::default() }
    }

    /// The architecture of its code; a board is asked for it.
    fn arch(&self) -> Result<Arch> {
        match &self.name {
            TargetName::Sim => Ok(Arch::Riscv64),
            TargetName::Native => Arch::host().context("--target native"),
            TargetName::Qemu(arch) => Ok(*arch),
            TargetName::Ssh(host) => Ssh::arch_of(host),
        }
    }

    /// The VLENs to run with: the requested ones, else the target's own. 0 where VLEN cannot be chosen.
    pub fn vlens(&self, asked: &[u32]) -> Vec<u32> {
        match (&self.name, &self.core) {
            _ if !asked.is_empty() => asked.to_vec(),
            (_, Some(core)) => vec![core.vlen],
            (TargetName::Qemu(Arch::Riscv64), None) => vec![QEMU_VLEN],
            _ => vec![0],
        }
    }

    /// The choices for agnostic elements; empty where the processor decides.
    pub fn policies(&self) -> &'static [Agnostic] {
        match self.name {
            TargetName::Sim => &Agnostic::ALL,
            TargetName::Native | TargetName::Qemu(_) | TargetName::Ssh(_) => &[],
        }
    }

    /// The library that `--subject` names.
    ///
    /// # Errors
    /// [`Refused`] if it does not exist, if it is for another architecture, or if the target cannot run it.
    pub fn find(&self, name: &SubjectName) -> Result<Library> {
        self.name.require(name, &[(true, Feature::Run)])?;
        let refused = |e: anyhow::Error| Refused(format!("--subject {name}: {e:#}"));
        Ok(match name {
            SubjectName::OpenSsl
            | SubjectName::Capvec
            | SubjectName::Provider
            | SubjectName::Packaged(_) => Library::own(name),
            SubjectName::Build(build) => {
                let (store, arch) = (Store::from_env()?, self.arch()?);
                let build = built(&store, build, arch).map_err(refused)?;
                let name = SubjectName::Build(build.manifest.name.clone());
                subject::fits(&build.dir, arch)
                    .map_err(|e| Refused(format!("--subject {name}: {e:#}")))?;
                Library { dir: Some(build.dir.clone()), build: Some(build), ..Library::own(&name) }
            }
            SubjectName::File(path) => {
                let dir = file::directory(path).map_err(refused)?;
                subject::fits(&dir, self.arch()?).map_err(refused)?;
                file::is_libcrypto(&dir).map_err(refused)?;
                Library { dir: Some(dir), ..Library::own(name) }
            }
        })
    }

    /// The target, ready to run these programs with a library. The first time, packages are fetched and programs
    /// compiled; each step is reported to `progress`.
    ///
    /// # Errors
    /// What apt, the compiler or the connection reports.
    pub fn open(
        &self,
        library: &Library,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Box<dyn Opened>> {
        let dir = library.dir.clone();
        Ok(match &self.name {
            TargetName::Sim => {
                let core = self.core.clone().map_or_else(|| Core::load(CORE), Ok)?;
                let sysroot = self.sysroot.as_deref().unwrap_or(SYSROOT);
                let sim = Sim::of(library.kind, core, sysroot, programs, progress)?;
                Box::new(sim.with_library(dir).concealing(self.concealed))
            }
            TargetName::Native => Box::new(Native::new(programs, dir, progress)?),
            TargetName::Qemu(arch) => {
                let usual = sysroot_for(*arch);
                let sysroot = self.sysroot.as_deref().unwrap_or(&usual);
                let cpu = self.qemu_cpu.clone();
                Box::new(Qemu::new(*arch, sysroot, cpu, programs, dir, progress)?)
            }
            TargetName::Ssh(host) => Box::new(Ssh::new(host, programs, dir, progress)?),
        })
    }
}

/// The build of this name, or `ARCH-NAME`: the result of `capvec build openssl --arch ARCH --variant NAME`.
fn built(store: &Store, name: &str, arch: Arch) -> Result<Build> {
    let (arch, whole) = (arch.name(), format!("{}-{name}", arch.name()));
    for name in [name, &whole] {
        if let Some(build) = builds::find(store, name)? {
            return Ok(build);
        }
    }
    let hint = builds::hint(name, &builds::list(store)?);
    bail!(
        "there is neither a build {name} nor {whole}{hint}; `capvec build list` lists builds, and `capvec build openssl --arch {arch} \
         --variant VARIANT` makes {arch}-VARIANT"
    )
}
