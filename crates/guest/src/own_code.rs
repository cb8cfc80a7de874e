//! Code of the user's own: compiled with a main program that measures and checks it (`own/measure.h`), and run.

use crate::own_sources::{MAIN, Sources};
use crate::stack_use::{StackFault, StackWatch};
use crate::tools::{Tools, compile_in, gcc};
use crate::{confined, observed};
use anyhow::{Result, bail};
use capvec_linux::{Bind, Exit, Input, Options, Output};
use capvec_sim::Engine;
use capvec_sim::hart::Config;
use capvec_sysroot::Store;
use capvec_timing::Core;
use capvec_util::build_cache::{is_whole, keep};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Its header, as programs include it.
const HEADER: (&str, &str) = ("capvec/measure.h", include_str!("../own/measure.h"));
/// The main program, compiled.
const HARNESS: &str = "capvec_harness.o";
/// The built program.
const PROGRAM: &str = "measure";
/// Where the guest sees it.
const GUEST_DIR: &str = "/capvec";
/// Where the compiler sees directories with headers.
const INCLUDE: &str = "/include";

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Counts calls.
    Measure,
    /// Checks the calling convention, and which memory is accessed.
    Check,
}

/// A built program.
pub struct OwnCode {
    dir: PathBuf,
    /// Digest of its sources, flags and compiler.
    pub id: String,
    root: PathBuf,
}

impl OwnCode {
    /// Builds a program with the distribution's compiler in the simulator, unless it is in the store.
    ///
    /// # Errors
    /// A file cannot be read, or what apt or the compiler reports.
    pub fn build(
        store: &Store,
        sysroot: &str,
        sources: &Sources,
        progress: &mut dyn FnMut(&str),
    ) -> Result<OwnCode> {
        let files = sources.read()?;
        let gcc = gcc(store, sysroot, progress)?;
        let root = store.get(sysroot)?.root;
        let depends = sources.stamps()?;
        let id = identity(&gcc, &files, &depends);
        let dir = store.drivers().join(id.get(..16).unwrap_or(&id));
        if !is_whole(&dir, PROGRAM) {
            progress("compiling by the distribution's gcc in the simulator");
            let harness = harness(store, &gcc)?;
            keep(&store.drivers(), &dir, PROGRAM, |work| {
                std::fs::copy(harness.join(HARNESS), work.join(HARNESS))?;
                build(&gcc, work, &files, sources)
            })?;
        }
        Ok(OwnCode { dir, id, root })
    }

    /// Measures or checks messages of these sizes on a hart of a core, in the fixed layout of memory or in the one of a seed.
    ///
    /// # Errors
    /// The guest could not be started.
    pub fn run(
        &self,
        core: &Core,
        config: Config,
        mode: Mode,
        sizes: &[usize],
        timeout: Option<Duration>,
        layout: Option<u64>,
    ) -> Result<Exit> {
        let argv = argv(mode, sizes);
        let make = || Ok(Options { layout, ..self.options(core, config, argv, timeout) });
        Ok(confined(|| capvec_jit::best_sharing(core, false), make)?.0)
    }

    /// As [`OwnCode::run`] to check, and watches how calls use the stack. Slower: the interpreter runs the program.
    ///
    /// # Errors
    /// The guest could not be started.
    pub fn watch_stack(
        &self,
        core: &Core,
        config: Config,
        sizes: &[usize],
        timeout: Option<Duration>,
    ) -> Result<(Exit, Vec<StackFault>)> {
        let engine = |_: &mut Options| {
            let (watch, found) = StackWatch::new();
            (Box::new(watch) as Box<dyn Engine>, found)
        };
        let make = || Ok(self.options(core, config, argv(Mode::Check, sizes), timeout));
        observed(engine, make, |found| found.take())
    }

    /// As [`OwnCode::run`] to measure, with an observer: `engine` connects it to the engine and the options before the run, and `finish`
    /// takes what it found.
    ///
    /// # Errors
    /// The guest could not be started.
    pub fn observe<T, R: Send>(
        &self,
        core: &Core,
        config: Config,
        sizes: &[usize],
        timeout: Option<Duration>,
        engine: impl FnOnce(&mut Options) -> (Box<dyn Engine>, T) + Send,
        finish: impl FnOnce(T) -> R + Send,
    ) -> Result<(Exit, R)> {
        let argv = argv(Mode::Measure, sizes);
        observed(engine, || Ok(self.options(core, config, argv, timeout)), finish)
    }

    fn options(
        &self,
        core: &Core,
        config: Config,
        argv: Vec<Vec<u8>>,
        timeout: Option<Duration>,
    ) -> Options {
        let mut options = Options::new(&self.root, argv, Arc::new(config));
        options.core_name = core.name.clone();
        options.misaligned = core.misaligned;
        options.timeout = timeout;
        options.binds.push(bind(&self.dir, GUEST_DIR, false));
        options.stdin = Input::Bytes(Vec::new());
        options.stdout = Output::Capture;
        options.stderr = Output::Capture;
        options
    }
}

/// The command line of the program.
fn argv(mode: Mode, sizes: &[usize]) -> Vec<Vec<u8>> {
    let program = format!("{GUEST_DIR}/{PROGRAM}");
    let mode = match mode {
        Mode::Measure => "measure",
        Mode::Check => "check",
    };
    let argv = [program, mode.into()].into_iter().chain(sizes.iter().map(usize::to_string));
    argv.map(String::into_bytes).collect()
}

fn bind(host: &Path, guest: &str, writable: bool) -> Bind {
    Bind { host: host.into(), guest: guest.as_bytes().to_vec(), writable }
}

/// The directory with the compiled main program, which does not depend on the user's code.
fn harness(store: &Store, gcc: &Tools) -> Result<PathBuf> {
    let id = identity(gcc, &[], &[HARNESS.into()]);
    let dir = store.drivers().join(id.get(..16).unwrap_or(&id));
    if !is_whole(&dir, HARNESS) {
        keep(&store.drivers(), &dir, HARNESS, |work| {
            write(work, MAIN.map(|(name, text)| (name, text.as_bytes())))?;
            let units = MAIN.iter().map(|(name, _)| *name).filter(|name| !name.ends_with(".h"));
            let args = ["-O2", "-I/work", "-r", "-o", HARNESS].into_iter().chain(units);
            let args = args.map(String::from).collect();
            said(&compile_in(&gcc.sysroot.root, "gcc", args, vec![bind(work, "/work", true)])?)
        })?;
    }
    Ok(dir)
}

/// Writes the header and these files.
fn write<'f>(work: &Path, files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> Result<()> {
    std::fs::create_dir_all(work.join("capvec"))?;
    for (name, contents) in files.into_iter().chain([(HEADER.0, HEADER.1.as_bytes())]) {
        std::fs::write(work.join(name), contents)?;
    }
    Ok(())
}

/// Fails with what the compiler said, if it failed.
fn said(exit: &Exit) -> Result<()> {
    let text = String::from_utf8_lossy(&exit.stderr);
    match exit.status.code() {
        0 => Ok(()),
        status => bail!("the compiler failed with status {status}:\n{}", text.trim()),
    }
}

fn identity(gcc: &Tools, files: &[(String, Vec<u8>)], flags: &[String]) -> String {
    let mut hash = Sha256::new();
    for (name, text) in MAIN.into_iter().chain([HEADER]) {
        hash.update(format!("{name}\n{text}\n"));
    }
    for (name, contents) in files {
        hash.update(format!("{name}\n{}\n", contents.len()));
        hash.update(contents);
    }
    hash.update(format!("{}\n{}", flags.join("\n"), gcc.id));
    hex::encode(hash.finalize())
}

fn build(gcc: &Tools, work: &Path, files: &[(String, Vec<u8>)], sources: &Sources) -> Result<()> {
    write(work, files.iter().map(|(name, contents)| (name.as_str(), contents.as_slice())))?;
    let mut binds = vec![bind(work, "/work", true)];
    let mut args: Vec<String> = vec!["-O2".into(), "-I/work".into()];
    for (n, dir) in sources.include.iter().enumerate() {
        let guest = format!("{INCLUDE}{n}");
        binds.push(bind(dir, &guest, false));
        args.push(format!("-I{guest}"));
    }
    args.extend(sources.flags.iter().cloned());
    args.extend(["-o", PROGRAM, HARNESS].map(String::from));
    let units = files.iter().map(|(name, _)| name).filter(|name| !name.ends_with(".h"));
    args.extend(units.cloned());
    args.push(format!("-Wl,-rpath,{GUEST_DIR}"));
    said(&compile_in(&gcc.sysroot.root, "gcc", args, binds)?)
}
