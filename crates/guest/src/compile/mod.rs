//! Compiles the programs, each once, with the distribution's own riscv64 compiler running in the simulator.
//!
//! Thus set-up needs nothing but apt, and a program is identical to the last byte on every host. The compiler has a
//! sysroot of its own, so that the measured one stays as the distribution ships it. Object files are kept under the
//! digest of their sources: programs share them, and an edit recompiles only what includes the edited file.
//!
//! If the distribution has a cross compiler of the same version for the host, that compiler writes the same object files faster:
//! it is fetched when many files are missing, and used from then on.

use crate::library_kind::LibraryKind;
use crate::packaged::Packaged;
use crate::packaged_sysroot::packaged_sysroot;
use crate::part::Unit;
use crate::portable::{self, Compiler, Portable};
use crate::program::{CONFIGURATION, Program};
use crate::toolchain::{self, Toolchain};
use crate::tools::{self, FLAGS, Tools};
use anyhow::{Context, Result};
use capvec_sysroot::Store;
use capvec_util::build_cache::{is_whole, keep};
use capvec_util::pool;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Next to an object file: what the compiler said about it.
const REMARKS: &str = "remarks.txt";

/// From this many files on, fetching a cross compiler (some 20 seconds) takes less time than it saves.
const MANY: usize = 100;

/// A built driver.
pub struct Driver {
    /// The program that it is.
    pub program: Program,
    /// Host directory that holds it.
    pub dir: PathBuf,
    /// Digest of its sources, flags and compiler.
    pub id: String,
}

/// The compilers, and the directory for their output.
struct Workshop<'a> {
    store: &'a Store,
    gcc: Tools,
    /// `None` unless a task needs it.
    clang: Option<Tools>,
    /// The sysroot of a library of the distribution.
    library: Option<Tools>,
    kept: PathBuf,
}

/// A unit to compile.
struct Task {
    unit: &'static Unit,
    flags: Vec<String>,
    compiler: Compiler,
    /// Whether it includes the headers of the distribution's library, which the compiler finds only in the simulator.
    with_library: bool,
    id: String,
}

/// The drivers for `sysroot`, built if necessary.
pub fn ensure(
    store: &Store,
    sysroot: &str,
    kind: LibraryKind,
    programs: &[Program],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Driver>> {
    let gcc = tools::gcc(store, sysroot, progress)?;
    let library =
        kind.packaged().map(|p| packaged_sysroot(store, sysroot, p, progress)).transpose()?;
    let library = library.map(Tools::of);
    let workshop = Workshop { store, gcc, clang: None, library, kept: store.drivers() };
    let mut all = programs.to_vec();
    if kind == LibraryKind::Provider && !all.contains(&Program::Provider) {
        all.push(Program::Provider);
    }
    workshop.drivers(kind, &all, progress)
}

/// The driver for libcapvec's portable C, compiled as `how` says; and for each unit that is compiled for its ISA, what the
/// compiler said about loops that it did not vectorise.
///
/// # Errors
/// What apt or the compiler reports.
pub fn portable(
    store: &Store,
    sysroot: &str,
    how: &Portable,
    progress: &mut dyn FnMut(&str),
) -> Result<(Driver, Vec<(String, String)>)> {
    let gcc = tools::gcc(store, sysroot, progress)?;
    let clang = match how.compiler {
        Compiler::Gcc => None,
        Compiler::Clang => Some(tools::clang(store, sysroot, progress)?),
    };
    let workshop = Workshop { store, gcc, clang, library: None, kept: store.drivers() };
    let units = portable::parts().into_iter().flat_map(|p| p.units);
    let tasks: Vec<Task> = units.map(|u| workshop.task_of(u, how)).collect();
    let mut hash = Sha256::new();
    tasks.iter().for_each(|t| hash.update(format!("{}\n", t.id)));
    let id = hex::encode(hash.finalize());
    let driver = Driver { program: Program::Measure, dir: workshop.dir(&id), id };
    let of_mlkem: Vec<&Task> = tasks.iter().filter(|t| how.flags(t.unit).is_some()).collect();
    let remarks = |t: &&Task| workshop.dir(&t.id).join(REMARKS);
    if !is_whole(&driver.dir, driver.program.file())
        || !of_mlkem.iter().all(|t| remarks(t).is_file())
    {
        let what = format!("the driver by {} for {}", how.compiler.name(), how.march);
        workshop.units(&what, &tasks.iter().collect::<Vec<_>>(), progress)?;
        keep(&workshop.kept, &driver.dir, driver.program.file(), |work| {
            workshop.link(LibraryKind::Capvec, driver.program, &tasks, work)
        })?;
    }
    let read = |t: &&Task| {
        Ok((t.unit.source.0.to_string(), std::fs::read_to_string(remarks(t)).unwrap_or_default()))
    };
    let remarks = of_mlkem.iter().map(read).collect::<Result<_>>()?;
    Ok((driver, remarks))
}

impl Workshop<'_> {
    /// Compiles all units of all programs at once, then links them all, so that all processors are busy.
    fn drivers(
        &self,
        kind: LibraryKind,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<Driver>> {
        let all: Vec<(Driver, Vec<Task>)> = programs.iter().map(|p| self.plan(kind, *p)).collect();
        let missing: Vec<_> =
            all.iter().filter(|(d, _)| !is_whole(&d.dir, d.program.file())).collect();
        if !missing.is_empty() {
            let mut tasks: Vec<&Task> = missing.iter().flat_map(|(_, t)| t).collect();
            tasks.sort_by(|a, b| a.id.cmp(&b.id));
            tasks.dedup_by(|a, b| a.id == b.id);
            let what = if kind == LibraryKind::Provider { "the provider" } else { "the driver" };
            self.units(what, &tasks, progress)?;
            if let Some(companion) = kind.companion() {
                companion.ensure(&self.kept, self.library.as_ref(), progress)?;
            }
            progress(&format!("linking {what}, by the distribution's gcc in the simulator"));
            pool::each(&missing, |(driver, tasks)| {
                keep(&self.kept, &driver.dir, driver.program.file(), |work| {
                    self.link(kind, driver.program, tasks, work)
                })
            })?;
        }
        Ok(all.into_iter().map(|(driver, _)| driver).collect())
    }

    /// The units of a driver, and its directory.
    fn plan(&self, kind: LibraryKind, program: Program) -> (Driver, Vec<Task>) {
        let own = kind.packaged().map(Packaged::part);
        let include = kind.packaged().map_or(&[][..], Packaged::include);
        let mut tasks: Vec<Task> = Vec::new();
        for part in program.parts(kind) {
            let of_library = own.is_some_and(|own| std::ptr::eq(own, part));
            tasks.extend(part.units.iter().map(|u| match of_library {
                true => self.task_with_library(u, include),
                false => self.task(u, program.flags(u)),
            }));
        }
        let mut hash = Sha256::new();
        tasks.iter().for_each(|t| hash.update(format!("{}\n", t.id)));
        hash.update(program.libraries(kind).join(" "));
        if let Some(companion) = kind.companion() {
            hash.update(companion.id(self.library.as_ref()));
        }
        hash.update(if program == Program::Provider { CONFIGURATION.1 } else { "" });
        let id = hex::encode(hash.finalize());
        (Driver { program, dir: self.dir(&id), id }, tasks)
    }

    fn task(&self, unit: &'static Unit, flags: &'static [&'static str]) -> Task {
        self.task_by(Compiler::Gcc, unit, flags.iter().map(|f| f.to_string()).collect())
    }

    /// A unit that includes the library's headers.
    fn task_with_library(&self, unit: &'static Unit, include: &[&str]) -> Task {
        let flags = tools::INCLUDE.iter().chain(include).map(|f| f.to_string());
        let task = self.task_by(Compiler::Gcc, unit, flags.collect());
        let library = self.library.as_ref().map_or("", |l| &l.id);
        let id = hex::encode(Sha256::digest(format!("{}\n{library}", task.id)));
        Task { id, with_library: true, ..task }
    }

    /// A unit of the driver for portable C.
    fn task_of(&self, unit: &'static Unit, how: &Portable) -> Task {
        match how.flags(unit) {
            Some(flags) => self.task_by(how.compiler, unit, flags),
            None => self.task(unit, Program::Measure.flags(unit)),
        }
    }

    fn task_by(&self, compiler: Compiler, unit: &'static Unit, flags: Vec<String>) -> Task {
        let tools = self.tools(compiler).map_or("", |t| &t.id);
        let mut hash = Sha256::new();
        for (file, text) in [&unit.source].into_iter().chain(unit.headers) {
            hash.update(format!("{file}\n{text}\n"));
        }
        let all = FLAGS.iter().copied().chain(flags.iter().map(String::as_str));
        hash.update(format!("{}\n{tools}", all.collect::<Vec<_>>().join(" ")));
        Task { unit, flags, compiler, with_library: false, id: hex::encode(hash.finalize()) }
    }

    fn tools(&self, compiler: Compiler) -> Result<&Tools> {
        match compiler {
            Compiler::Gcc => Ok(&self.gcc),
            Compiler::Clang => self.clang.as_ref().context("clang was not fetched"),
        }
    }

    fn dir(&self, id: &str) -> PathBuf {
        self.kept.join(id.get(..16).unwrap_or(id))
    }

    /// The object files of these units, compiled if necessary, for `what`.
    fn units(&self, what: &str, tasks: &[&Task], progress: &mut dyn FnMut(&str)) -> Result<()> {
        let is_missing = |t: &&&Task| !is_whole(&self.dir(&t.id), &object(t.unit.source.0));
        let missing: Vec<&Task> = tasks.iter().filter(is_missing).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let fetch = missing.len() >= MANY;
        let cross = match missing.iter().any(|t| t.is_for_cross()) {
            true => toolchain::same_as(self.store, &self.gcc.sysroot, fetch, progress),
            false => Ok(None),
        };
        // A cross compiler only saves time, so its absence is no error.
        let cross = cross.unwrap_or_else(|why| {
            progress(&format!("compiling in the simulator, without a cross compiler: {why:#}"));
            None
        });
        let by = match cross {
            Some(_) => "by the distribution's cross compiler",
            None => "by the distribution's compiler in the simulator",
        };
        progress(&format!("compiling {what}: {} files, {by}", missing.len()));
        pool::each(&missing, |t| self.unit(t, cross.as_ref())).map(drop)
    }

    /// The object file of a unit, compiled if necessary.
    fn unit(&self, task: &Task, cross: Option<&Toolchain>) -> Result<()> {
        let object = object(task.unit.source.0);
        let dir = self.dir(&task.id);
        if is_whole(&dir, &object) {
            return Ok(());
        }
        keep(&self.kept, &dir, &object, |work| {
            let said = self.object(task, cross, work)?;
            match task.flags.is_empty() {
                true => Ok(()),
                false => Ok(std::fs::write(work.join(REMARKS), said)?),
            }
        })
    }

    /// Writes a unit's files to `work` and compiles it there; returns what the compiler said.
    fn object(&self, task: &Task, cross: Option<&Toolchain>, work: &Path) -> Result<String> {
        for (file, text) in [&task.unit.source].into_iter().chain(task.unit.headers) {
            std::fs::write(work.join(file), text)?;
        }
        let flags = task.flags.iter().map(String::as_str);
        let args: Vec<&str> = flags.chain(["-c", task.unit.source.0]).collect();
        match cross.filter(|_| task.is_for_cross()) {
            Some(cross) => cross.compile(work, &[&FLAGS[..], &args].concat()),
            None => self.compile(task.compiler, work, &args),
        }
    }

    fn link(&self, kind: LibraryKind, program: Program, tasks: &[Task], work: &Path) -> Result<()> {
        let objects: Vec<String> = tasks.iter().map(|t| object(t.unit.source.0)).collect();
        for (task, object) in tasks.iter().zip(&objects) {
            std::fs::copy(self.dir(&task.id).join(object), work.join(object))?;
        }
        let mut args: Vec<&str> = objects.iter().map(String::as_str).collect();
        if program == Program::Provider {
            std::fs::write(work.join(CONFIGURATION.0), CONFIGURATION.1)?;
        }
        if let Some(companion) = kind.companion() {
            let made = companion.ensure(&self.kept, self.library.as_ref(), &mut |_| ())?;
            std::fs::copy(made, work.join(companion.file))?;
        }
        args.extend(["-o", program.file()]);
        args.extend(tools::LINK.iter().filter(|_| self.library.is_some()));
        args.extend(program.libraries(kind));
        self.compile(Compiler::Gcc, work, &args).map(drop)
    }

    /// Runs a compiler in `work`; returns what it said.
    fn compile(&self, compiler: Compiler, work: &Path, args: &[&str]) -> Result<String> {
        let library = self.library.as_ref().map(|l| l.sysroot.root.as_path());
        tools::compile(&self.tools(compiler)?.sysroot.root, library, compiler.name(), work, args)
    }
}

impl Task {
    fn is_for_cross(&self) -> bool {
        self.compiler == Compiler::Gcc && !self.with_library
    }
}

fn object(unit: &str) -> String {
    Path::new(unit).with_extension("o").to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
