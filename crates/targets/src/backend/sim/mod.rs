//! The built-in simulator: a modelled hart under user-mode Linux.

mod execute;

use super::{Arch, Ended, Facts, Kind, LIBRARY, Opened, Recorded, Work, for_program, together};
use crate::Limits;
use crate::probe::Probe;
use anyhow::{Context, Result};
use capvec_guest::{self as guest, LibraryKind, Packaged, Program};
use capvec_linux::Concealed;
use capvec_sim::Engine;
use capvec_sysroot::Store;
use capvec_timing::Core;
use capvec_util::digest;
use std::path::PathBuf;

/// Packages that the subject needs.
const PACKAGES: [&str; 1] = ["openssl"];
/// Where the guest sees the driver.
const GUEST_DIR: &str = "/capvec";

/// Makes an engine for a core; `true` for one that counts by instruction.
pub type MakeEngine = fn(&Core, bool) -> Box<dyn Engine>;

/// A core, a sysroot and drivers.
pub struct Sim {
    facts: Facts,
    core: Core,
    root: PathBuf,
    drivers: Vec<guest::Driver>,
    engine: MakeEngine,
    library_kind: LibraryKind,
    /// Directory of a libcrypto other than the sysroot's.
    other: Option<PathBuf>,
    concealed: Concealed,
}

impl Sim {
    /// Fetches the sysroot and builds the drivers, where necessary; reports each step to `progress`.
    ///
    /// # Errors
    /// What apt or the compiler reports.
    pub fn new(
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Sim> {
        Sim::of(LibraryKind::OpenSsl, core, sysroot, programs, progress)
    }

    /// As [`Sim::new`], with drivers for another library.
    ///
    /// # Errors
    /// As [`Sim::new`].
    pub fn of(
        library_kind: LibraryKind,
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Sim> {
        capvec_linux::check_host()?;
        let store = Store::from_env()?;
        let own = store.ensure(sysroot, &PACKAGES, &mut |p| progress(&p.to_string()))?;
        let (root, manifest) = match library_kind.packaged() {
            None => (own, store.get(sysroot)?.manifest),
            Some(library) => {
                let its = guest::packaged_sysroot(&store, sysroot, library, progress)?;
                (its.root, its.manifest)
            }
        };
        let packages = manifest.shown().collect();
        let drivers = guest::ensure(&store, sysroot, library_kind, programs, progress)?;
        let facts = Facts {
            name: "sim".into(),
            kind: Kind::Modelled,
            arch: Arch::Riscv64,
            packages,
            drivers: together(drivers.iter().map(|d| d.id.as_str())),
        };
        Ok(Sim {
            facts,
            core,
            root,
            drivers,
            engine: capvec_jit::best_sharing,
            library_kind,
            other: None,
            concealed: Concealed::default(),
        })
    }

    /// libcapvec's portable C, compiled as `how` says, in place of libcapvec; and the compiler's remarks, by unit.
    ///
    /// # Errors
    /// As [`Sim::new`].
    pub fn portable(
        core: Core,
        sysroot: &str,
        how: &guest::Portable,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(Sim, Vec<(String, String)>)> {
        let sim = Sim::of(LibraryKind::Capvec, core, sysroot, &[], progress)?;
        let (driver, remarks) = guest::portable(&Store::from_env()?, sysroot, how, progress)?;
        let facts = Facts { drivers: driver.id.clone(), ..sim.facts };
        Ok((Sim { facts, drivers: vec![driver], ..sim }, remarks))
    }

    /// Uses these engines instead of the host's best. Figures do not depend on it.
    pub fn on(self, engine: MakeEngine) -> Sim {
        Sim { engine, ..self }
    }

    /// Uses drivers that load the libcrypto of this host directory.
    pub fn with_library(self, dir: Option<PathBuf>) -> Sim {
        Sim { other: dir, ..self }
    }

    /// Uses a kernel that hides this from programs.
    pub fn concealing(self, concealed: Concealed) -> Sim {
        Sim { concealed, ..self }
    }

    /// Digest of the library; a registered directory has no package version that would identify it.
    fn digest(&self) -> Result<String> {
        self.libcrypto_file().map_or(Ok("none".into()), |p| digest(&p))
    }

    fn libcrypto_file(&self) -> Option<PathBuf> {
        if let Some(dir) = &self.other {
            return Some(dir.join(LIBRARY));
        }
        let name = self.library_kind.packaged().map_or(LIBRARY, Packaged::file);
        let lib = self.root.join("usr/lib");
        let subdirectories = std::fs::read_dir(&lib).into_iter().flatten().flatten();
        let mut places: Vec<PathBuf> = subdirectories.map(|e| e.path()).chain([lib]).collect();
        places.sort();
        places.iter().map(|p| p.join(name)).find(|p| p.is_file())
    }

    fn driver(&self, program: Program) -> Result<&guest::Driver> {
        for_program(&self.drivers, program, |d| d.program)
    }
}

/// The command that runs a driver.
fn driver_command() -> Vec<String> {
    vec![format!("{GUEST_DIR}/{}", guest::PROGRAM)]
}

impl Opened for Sim {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn library_kind(&self) -> LibraryKind {
        self.library_kind
    }

    fn core(&self) -> Option<&Core> {
        Some(&self.core)
    }

    fn libcrypto(&self, _: &Probe) -> Result<Option<String>> {
        self.digest().map(Some)
    }

    fn contents(&self, _: &Probe) -> Result<Option<(String, Vec<u8>)>> {
        let Some(file) =
            self.libcrypto_file().filter(|_| self.library_kind == LibraryKind::OpenSsl)
        else {
            return Ok(None);
        };
        let bytes = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        Ok(Some((file.display().to_string(), bytes)))
    }

    fn identity(&self) -> Result<(String, String)> {
        // The model is a part of the program, and so of the program's digest.
        let core = &self.core.identity;
        Ok((format!("{} {}", core.label, core.digest), self.digest()?))
    }

    fn run(&self, c: &Limits, work: Work) -> Result<Ended> {
        self.execute(c, work, driver_command())
    }

    fn record(&self, core: &Core, c: &Limits, work: Work, room: usize) -> Result<Option<Recorded>> {
        self.execute_recorded(core, c, work, room)
    }

    fn command(&self, c: &Limits, argv: Vec<String>) -> Option<Result<Ended>> {
        Some(self.execute(c, Work::driver(Program::Measure, String::new()), argv))
    }
}
