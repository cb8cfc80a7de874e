//! Builds the drivers, each once, with the distribution's own riscv64 compiler running in the simulator.
//!
//! So nothing but apt is needed to set up, and they are the same to the last byte on every host. The compiler's
//! sysroot is a separate one: what is measured stays free of it. Units are kept too, by what they are made of: drivers
//! share them, and an edit costs what was edited.

use crate::digest::digest;
use crate::pool;
use crate::sources::{CONFIGURATION, Part, Source};
pub use crate::sources::{LONGEST, PROGRAM, Program};
use crate::subject::Subject;
use anyhow::{Context, Result, bail};
use capvec_linux::fs::Bind;
use capvec_linux::{Input, Options, Output};
use capvec_sysroot::{BUILD, Manifest, Origin, Request, Store};
use capvec_timing::Core;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Packages of the compiler's sysroot.
const PACKAGES: [&str; 3] = ["gcc", "libc6-dev", "libssl-dev"];
const FLAGS: [&str; 3] = ["-O2", "-Wall", "-Werror"];

/// A built driver.
pub struct Driver {
    /// What it does.
    pub program: Program,
    /// Host directory that holds it.
    pub dir: PathBuf,
    /// Digest of its sources, flags and compiler.
    pub id: String,
}

/// The compiler, and where what it makes is kept.
struct Workshop {
    compiler: PathBuf,
    /// What identifies the compiler.
    tools: String,
    kept: PathBuf,
}

/// A unit to compile.
struct Task {
    source: Source,
    headers: &'static [Source],
    flags: &'static [&'static str],
    id: String,
}

/// The drivers for `sysroot`, built unless they are there.
pub fn ensure(
    store: &Store,
    sysroot: &str,
    subject: Subject,
    programs: &[Program],
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Driver>> {
    let mut request = Request {
        name: Some(format!("{sysroot}{BUILD}")),
        packages: PACKAGES.map(String::from).to_vec(),
        automatic: true,
        ..Request::default()
    };
    // A registered directory names no suite: then the defaults.
    if let Origin::Apt { suite, arch, .. } = store.get(sysroot)?.manifest.origin {
        request.suite = Some(suite);
        request.arch = Some(arch);
    }
    let compiler = store.add(&request, &mut |p| progress(&p.to_string()))?;
    let tools = identity(&compiler.manifest);
    let kept = store.home().join("drivers");
    let workshop = Workshop { compiler: compiler.root, tools, kept };
    let mut all = programs.to_vec();
    if subject == Subject::Provider && !all.contains(&Program::Provider) {
        all.push(Program::Provider);
    }
    workshop.drivers(subject, &all, progress)
}

fn identity(compiler: &Manifest) -> String {
    compiler.packages.iter().map(|p| format!("{} {}\n", p.name, p.sha256)).collect()
}

/// Whether `file` is in `dir`, as it was made.
pub(crate) fn is_whole(dir: &Path, file: &str) -> bool {
    let noted = std::fs::read_to_string(dir.join(note(file))).ok();
    noted.is_some() && noted == digest(&dir.join(file)).ok()
}

/// Name of the file with the SHA-256 of another one, so that damage is found and mended.
fn note(file: &str) -> String {
    format!("{file}.sha256")
}

impl Workshop {
    /// All units of all programs at once, then all links, so that both processors are busy.
    fn drivers(
        &self,
        subject: Subject,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Vec<Driver>> {
        let all: Vec<(Driver, Vec<Task>)> =
            programs.iter().map(|p| self.plan(subject, *p)).collect();
        let missing: Vec<_> =
            all.iter().filter(|(d, _)| !is_whole(&d.dir, d.program.file())).collect();
        if !missing.is_empty() {
            progress("compiling the driver (the distribution's gcc, in the simulator)");
            let mut tasks: Vec<&Task> = missing.iter().flat_map(|(_, t)| t).collect();
            tasks.sort_by(|a, b| a.id.cmp(&b.id));
            tasks.dedup_by(|a, b| a.id == b.id);
            pool::each(&tasks, |t| self.unit(t))?;
            pool::each(&missing, |(driver, tasks)| {
                keep(&self.kept, &driver.dir, driver.program.file(), |work| {
                    self.link(subject, driver.program, tasks, work)
                })
            })?;
        }
        Ok(all.into_iter().map(|(driver, _)| driver).collect())
    }

    /// What a driver is made of, and where it is kept.
    fn plan(&self, subject: Subject, program: Program) -> (Driver, Vec<Task>) {
        let parts = program.parts(subject);
        let tasks: Vec<Task> =
            parts.iter().flat_map(|p| self.tasks(p, program.compiled(p))).collect();
        let mut hash = Sha256::new();
        tasks.iter().for_each(|t| hash.update(format!("{}\n", t.id)));
        hash.update(program.linked(subject).join(" "));
        hash.update(if program == Program::Provider { CONFIGURATION.1 } else { "" });
        let id = hex::encode(hash.finalize());
        (Driver { program, dir: self.dir(&id), id }, tasks)
    }

    fn tasks(
        &self,
        part: &'static Part,
        flags: &'static [&'static str],
    ) -> impl Iterator<Item = Task> {
        part.units.iter().map(move |source| {
            let mut hash = Sha256::new();
            for (file, text) in std::iter::once(source).chain(part.headers) {
                hash.update(format!("{file}\n{text}\n"));
            }
            let all = FLAGS.iter().chain(flags).copied().collect::<Vec<_>>();
            hash.update(format!("{}\n{}", all.join(" "), self.tools));
            let id = hex::encode(hash.finalize());
            Task { source: *source, headers: part.headers, flags, id }
        })
    }

    fn dir(&self, id: &str) -> PathBuf {
        self.kept.join(id.get(..16).unwrap_or(id))
    }

    /// The object file of a unit, made unless it is there.
    fn unit(&self, task: &Task) -> Result<()> {
        let object = object(task.source.0);
        let dir = self.dir(&task.id);
        if is_whole(&dir, &object) {
            return Ok(());
        }
        keep(&self.kept, &dir, &object, |work| {
            for (file, text) in std::iter::once(&task.source).chain(task.headers) {
                std::fs::write(work.join(file), text)?;
            }
            let flags = task.flags.iter().copied();
            gcc(&self.compiler, work, &flags.chain(["-c", task.source.0]).collect::<Vec<_>>())
        })
    }

    fn link(&self, subject: Subject, program: Program, tasks: &[Task], work: &Path) -> Result<()> {
        let objects: Vec<String> = tasks.iter().map(|t| object(t.source.0)).collect();
        for (task, object) in tasks.iter().zip(&objects) {
            std::fs::copy(self.dir(&task.id).join(object), work.join(object))?;
        }
        let mut args: Vec<&str> = objects.iter().map(String::as_str).collect();
        if program == Program::Provider {
            std::fs::write(work.join(CONFIGURATION.0), CONFIGURATION.1)?;
        }
        args.extend(["-o", program.file()]);
        args.extend(program.linked(subject));
        gcc(&self.compiler, work, &args)
    }
}

/// Has `make` write `file` into a temporary neighbour of `dir`, which is in `kept`, and renames: an interrupted build
/// leaves nothing there.
pub(crate) fn keep(
    kept: &Path,
    dir: &Path,
    file: &str,
    make: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let fail = || format!("building the driver in {}", kept.display());
    std::fs::create_dir_all(kept).with_context(fail)?;
    let work = tempfile::tempdir_in(kept).with_context(fail)?;
    make(work.path()).with_context(fail)?;
    std::fs::write(work.path().join(note(file)), digest(&work.path().join(file))?)
        .with_context(fail)?;
    if dir.exists() && !is_whole(dir, file) {
        let fail = || format!("removing the damaged driver in {}", dir.display());
        std::fs::remove_dir_all(dir).with_context(fail)?;
    }
    let done = work.keep();
    match std::fs::rename(&done, dir) {
        Ok(()) => Ok(()),
        // Another run was faster: what it made is the same.
        Err(_) if is_whole(dir, file) => Ok(std::fs::remove_dir_all(&done)?),
        Err(e) => Err(e).with_context(fail),
    }
}

fn object(unit: &str) -> String {
    Path::new(unit).with_extension("o").to_string_lossy().into_owned()
}

fn gcc(root: &Path, work: &Path, args: &[&str]) -> Result<()> {
    let argv = ["gcc"].iter().chain(&FLAGS).chain(args).map(|a| a.to_string());
    let core = Core::load("ideal")?;
    let argv = argv.map(String::into_bytes).collect();
    let (exit, _) = crate::confined::confined(
        || capvec_jit::best(&core, false),
        || {
            let mut options = Options::new(root, argv, Arc::new(core.hart(core.isa)));
            options.binds.push(Bind {
                host: work.into(),
                guest: b"/work".to_vec(),
                writable: true,
            });
            options.cwd = b"/work".to_vec();
            options.stdin = Input::Bytes(Vec::new());
            options.stdout = Output::Capture;
            options.stderr = Output::Capture;
            options
        },
    )?;
    if exit.status.code() != 0 {
        let text = String::from_utf8_lossy(&exit.stderr);
        bail!("compiling the driver failed with status {}:\n{}", exit.status.code(), text.trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_or_unfinished_driver_is_not_whole() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name| dir.path().join(name);
        let whole = || is_whole(dir.path(), PROGRAM);
        assert!(!whole());
        std::fs::write(at(PROGRAM), "program").unwrap();
        assert!(!whole(), "not noted");
        std::fs::write(at("driver.sha256"), digest(&at(PROGRAM)).unwrap()).unwrap();
        assert!(whole());
        std::fs::write(at(PROGRAM), "progra").unwrap();
        assert!(!whole());
    }
}
