//! Compiles the programs, each once, with the distribution's own riscv64 compiler running in the simulator.
//!
//! Thus set-up needs nothing but apt, and a program is identical to the last byte on every host. The compiler has a
//! sysroot of its own, so that the measured one stays as the distribution ships it. Object files are kept under the
//! digest of their sources: programs share them, and an edit recompiles only what includes the edited file.

use crate::part::Unit;
use crate::program::{CONFIGURATION, Program};
use crate::subject::Subject;
use anyhow::{Result, bail};
use capvec_linux::fs::Bind;
use capvec_linux::{Input, Options, Output};
use capvec_sysroot::{BUILD, Manifest, Origin, Request, Store};
use capvec_timing::Core;
use capvec_util::build_cache::{is_whole, keep};
use capvec_util::pool;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Packages of the compiler's sysroot.
const PACKAGES: [&str; 3] = ["gcc", "libc6-dev", "libssl-dev"];
const FLAGS: [&str; 3] = ["-O2", "-Wall", "-Werror"];

/// A built driver.
pub struct Driver {
    /// The program that it is.
    pub program: Program,
    /// Host directory that holds it.
    pub dir: PathBuf,
    /// Digest of its sources, flags and compiler.
    pub id: String,
}

/// The compiler, and the directory for its output.
struct Workshop {
    compiler: PathBuf,
    /// The identity of the compiler.
    tools: String,
    kept: PathBuf,
}

/// A unit to compile.
struct Task {
    unit: &'static Unit,
    flags: &'static [&'static str],
    id: String,
}

/// The drivers for `sysroot`, built if necessary.
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
    // A registered directory names no suite, so the defaults apply.
    if let Origin::Apt { suite, arch, .. } = store.get(sysroot)?.manifest.origin {
        request.suite = Some(suite);
        request.arch = Some(arch);
    }
    let compiler = store.add(&request, &mut |p| progress(&p.to_string()))?;
    let tools = identity(&compiler.manifest);
    let kept = store.drivers();
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

impl Workshop {
    /// Compiles all units of all programs at once, then links them all, so that all processors are busy.
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
            let mut tasks: Vec<&Task> = missing.iter().flat_map(|(_, t)| t).collect();
            tasks.sort_by(|a, b| a.id.cmp(&b.id));
            tasks.dedup_by(|a, b| a.id == b.id);
            let what = if subject == Subject::Provider { "the provider" } else { "the driver" };
            let units = tasks.len();
            progress(&format!(
                "compiling {what}: {units} files, by the distribution's gcc in the simulator"
            ));
            pool::each(&tasks, |t| self.unit(t))?;
            progress(&format!("linking {what}, by the distribution's gcc in the simulator"));
            pool::each(&missing, |(driver, tasks)| {
                keep(&self.kept, &driver.dir, driver.program.file(), |work| {
                    self.link(subject, driver.program, tasks, work)
                })
            })?;
        }
        Ok(all.into_iter().map(|(driver, _)| driver).collect())
    }

    /// The units of a driver, and its directory.
    fn plan(&self, subject: Subject, program: Program) -> (Driver, Vec<Task>) {
        let parts = program.parts(subject);
        let units = parts.iter().flat_map(|p| p.units);
        let tasks: Vec<Task> = units.map(|u| self.task(u, program.flags(u))).collect();
        let mut hash = Sha256::new();
        tasks.iter().for_each(|t| hash.update(format!("{}\n", t.id)));
        hash.update(program.libraries(subject).join(" "));
        hash.update(if program == Program::Provider { CONFIGURATION.1 } else { "" });
        let id = hex::encode(hash.finalize());
        (Driver { program, dir: self.dir(&id), id }, tasks)
    }

    fn task(&self, unit: &'static Unit, flags: &'static [&'static str]) -> Task {
        let mut hash = Sha256::new();
        for (file, text) in [&unit.source].into_iter().chain(unit.headers) {
            hash.update(format!("{file}\n{text}\n"));
        }
        let all = FLAGS.iter().chain(flags).copied().collect::<Vec<_>>();
        hash.update(format!("{}\n{}", all.join(" "), self.tools));
        Task { unit, flags, id: hex::encode(hash.finalize()) }
    }

    fn dir(&self, id: &str) -> PathBuf {
        self.kept.join(id.get(..16).unwrap_or(id))
    }

    /// The object file of a unit, compiled if necessary.
    fn unit(&self, task: &Task) -> Result<()> {
        let object = object(task.unit.source.0);
        let dir = self.dir(&task.id);
        if is_whole(&dir, &object) {
            return Ok(());
        }
        keep(&self.kept, &dir, &object, |work| {
            for (file, text) in [&task.unit.source].into_iter().chain(task.unit.headers) {
                std::fs::write(work.join(file), text)?;
            }
            let flags = task.flags.iter().copied();
            gcc(&self.compiler, work, &flags.chain(["-c", task.unit.source.0]).collect::<Vec<_>>())
        })
    }

    fn link(&self, subject: Subject, program: Program, tasks: &[Task], work: &Path) -> Result<()> {
        let objects: Vec<String> = tasks.iter().map(|t| object(t.unit.source.0)).collect();
        for (task, object) in tasks.iter().zip(&objects) {
            std::fs::copy(self.dir(&task.id).join(object), work.join(object))?;
        }
        let mut args: Vec<&str> = objects.iter().map(String::as_str).collect();
        if program == Program::Provider {
            std::fs::write(work.join(CONFIGURATION.0), CONFIGURATION.1)?;
        }
        args.extend(["-o", program.file()]);
        args.extend(program.libraries(subject));
        gcc(&self.compiler, work, &args)
    }
}

fn object(unit: &str) -> String {
    Path::new(unit).with_extension("o").to_string_lossy().into_owned()
}

fn gcc(root: &Path, work: &Path, args: &[&str]) -> Result<()> {
    let argv = ["gcc"].iter().chain(&FLAGS).chain(args).map(|a| a.to_string());
    let core = Core::load("ideal")?;
    let argv = argv.map(String::into_bytes).collect();
    let (exit, _) = crate::confined(
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
            Ok(options)
        },
    )?;
    if exit.status.code() != 0 {
        let text = String::from_utf8_lossy(&exit.stderr);
        bail!("compiling the driver failed with status {}:\n{}", exit.status.code(), text.trim());
    }
    Ok(())
}
