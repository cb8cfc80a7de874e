//! Code of the user's own: compiled with a main program that measures and checks it (`own/measure.h`), and run.

use crate::stack_use::{StackFault, StackWatch};
use crate::tools::{Tools, compile_in, gcc};
use crate::{confined, observed};
use anyhow::{Context, Result, bail, ensure};
use capvec_linux::Bind;
use capvec_linux::{Exit, Input, Options, Output};
use capvec_sim::Engine;
use capvec_sim::hart::Config;
use capvec_sysroot::Store;
use capvec_timing::Core;
use capvec_util::build_cache::{is_whole, keep};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The main program.
const MAIN: [(&str, &str); 5] = [
    ("capvec_measure.c", include_str!("../own/measure.c")),
    ("capvec_check.c", include_str!("../own/check.c")),
    ("capvec_buffers.c", include_str!("../own/buffers.c")),
    ("capvec_abi.S", include_str!("../own/abi.S")),
    ("capvec_own.h", include_str!("../own/capvec_own.h")),
];
/// Its header, as programs include it.
const HEADER: (&str, &str) = ("capvec/measure.h", include_str!("../own/measure.h"));
/// The main program, compiled.
const HARNESS: &str = "capvec_harness.o";
/// The built program.
const PROGRAM: &str = "measure";
/// Where the guest sees it.
const GUEST_DIR: &str = "/capvec";
/// Maximum number of files in directories with headers.
const MOST_HEADERS: usize = 10_000;
/// Where the compiler sees directories with headers.
const INCLUDE: &str = "/include";

/// Extensions of files that the compiler compiles or links.
const KINDS: [&str; 6] = ["c", "S", "s", "o", "a", "so"];

/// What a run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Counts calls.
    Measure,
    /// Checks the calling convention, and which memory is accessed.
    Check,
}

/// What to build.
pub struct Sources {
    /// Sources, objects and libraries.
    pub files: Vec<PathBuf>,
    /// Further sources: names and texts.
    pub written: Vec<(String, String)>,
    /// Directories with headers.
    pub include: Vec<PathBuf>,
    /// Further arguments of the compiler.
    pub flags: Vec<String>,
}

/// A built program.
pub struct OwnCode {
    dir: PathBuf,
    /// Digest of its sources, flags and compiler.
    pub id: String,
    root: PathBuf,
}

impl Sources {
    /// Whether all that they name can be read.
    ///
    /// # Errors
    /// Names the file or directory that cannot be read, is of no kind that is compiled or linked, or has the name of another.
    pub fn check(&self) -> Result<()> {
        self.read()?;
        self.stamps().map(drop)
    }

    /// The flags, and a line for each header of the directories.
    fn stamps(&self) -> Result<Vec<String>> {
        let mut depends = self.flags.clone();
        for dir in &self.include {
            stamp(dir, &mut depends).with_context(|| format!("reading {}", dir.display()))?;
        }
        Ok(depends)
    }

    /// The files by their names, with their contents.
    fn read(&self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut names = BTreeSet::from(MAIN.map(|(name, _)| name.to_string()));
        let mut read = |path: &PathBuf| {
            let name = path
                .file_name()
                .and_then(|n| n.to_str())
                .with_context(|| format!("{} is not the path of a file", path.display()))?;
            let kind = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            ensure!(
                KINDS.contains(&kind) && !name.starts_with('-'),
                "{}: not a kind of file that is compiled or linked; give {} files",
                path.display(),
                KINDS.map(|k| format!(".{k}")).join(", ")
            );
            ensure!(names.insert(name.into()), "two files are named {name}; rename one");
            let text =
                std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
            Ok((name.to_string(), text))
        };
        let files = self.files.iter().map(&mut read).collect::<Result<Vec<_>>>()?;
        let written = self.written.iter().map(|(name, text)| (name.clone(), text.clone().into()));
        Ok(files.into_iter().chain(written).chain(self.headers()?).collect())
    }

    /// The headers next to the files, which `#include "…"` finds.
    fn headers(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut found: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let parents: BTreeSet<&Path> = self.files.iter().filter_map(|f| f.parent()).collect();
        for parent in parents {
            let dir = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            let fail = || format!("reading {}", dir.display());
            for entry in std::fs::read_dir(dir).with_context(fail)? {
                let path = entry.with_context(fail)?.path();
                let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
                let own = MAIN.iter().any(|(own, _)| *own == name);
                if own || path.extension().is_none_or(|e| e != "h") || !path.is_file() {
                    continue;
                }
                let text = std::fs::read(&path).with_context(fail)?;
                let other = found.insert(name.into(), text.clone());
                ensure!(
                    other.is_none_or(|other| other == text),
                    "two headers next to the files are named {name}, and differ; rename one"
                );
                ensure!(found.len() < MOST_HEADERS, "{}: too many headers", dir.display());
            }
        }
        Ok(found)
    }
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

    /// Measures or checks messages of these sizes on a hart of a core.
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
    ) -> Result<Exit> {
        let argv = argv(mode, sizes);
        let make = || Ok(self.options(core, config, argv, timeout));
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

/// Appends a line for each file in a directory with headers, which changes when the file does.
fn stamp(dir: &Path, lines: &mut Vec<String>) -> Result<()> {
    let mut entries = std::fs::read_dir(dir)?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let (path, about) = (entry.path(), entry.metadata()?);
        if about.is_dir() {
            stamp(&path, lines)?;
            continue;
        }
        ensure!(lines.len() < MOST_HEADERS, "more than {MOST_HEADERS} files");
        lines.push(format!("{} {} {:?}", path.display(), about.len(), about.modified()?));
    }
    Ok(())
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
