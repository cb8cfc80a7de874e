//! The self-test of Mbed TLS with libcapvec in it, and a program of the user's, built from source for riscv64.

use crate::builds::inputs::{compiler, source};
use crate::builds::own_program::{OwnProgram, is_c};
use crate::builds::source_tree::{Mark, tree};
use crate::builds::work;
use anyhow::{Context, Result, bail};
use capvec_guest::{MBEDTLS, MBEDTLS_HEADERS, Part, library};
use capvec_record::Arch;
use capvec_sysroot::Store;
use capvec_util::build_cache::{is_whole, keep};
use capvec_util::pool;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// File name of the self-test.
pub const SELFTEST: &str = "selftest";
/// How a source tree of Mbed TLS is recognised. Since 4.0, the functions that libcapvec replaces can no longer be
/// replaced.
const MARK: Mark =
    ("programs/test/selftest.c", "a release of Mbed TLS 3.6, which includes the generated files");
/// Compiler flags for all units.
const FLAGS: [&str; 1] = ["-O2"];
/// Additional flags for Mbed TLS and its replaced parts.
const OWN: [&str; 2] = ["-std=c99", "-DMBEDTLS_USER_CONFIG_FILE=\"capvec_config.h\""];

/// A file to compile, with its flags.
struct Unit {
    source: PathBuf,
    object: PathBuf,
    flags: Vec<String>,
    /// The only program that needs it; `None` if all do.
    program: Option<String>,
}

/// What to build, and with what.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Source tree of Mbed TLS, or an archive of one; Debian's if none is given.
    pub source: Option<&'a Path>,
    /// A program that is linked with the same libraries.
    pub program: Option<&'a OwnProgram>,
    /// Command of the compiler; Debian's if none is given.
    pub cc: Option<&'a str>,
}

/// What was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The directory with the programs.
    pub dir: PathBuf,
    /// Their file names.
    pub programs: Vec<String>,
    /// The source that they were built from.
    pub source: String,
}

/// Builds the self-test and the user's program if the store does not have them.
///
/// # Errors
/// What fetching, unpacking or compiling reports.
pub fn mbedtls(store: &Store, wanted: Wanted, progress: &mut dyn FnMut(&str)) -> Result<Built> {
    let program = wanted.program;
    let compiler = compiler(store, Arch::Riscv64, wanted.cc, progress)?;
    let (source, shown) = source(store, "mbedtls", wanted.source, progress)?;
    let mut hash = Sha256::new();
    for (name, text) in Part::files(&parts()).iter().chain(MBEDTLS_HEADERS) {
        hash.update(format!("{name}\n{text}\n"));
    }
    for (path, text) in program.iter().flat_map(|p| p.files()) {
        hash.update(format!("{}\n{text}\n", path.display()));
    }
    hash.update(format!("{FLAGS:?} {OWN:?}\n{}\n{shown}\n", compiler.id));
    let id = hex::encode(hash.finalize());
    let kept = store.drivers();
    let dir = kept.join(&id[..16]);
    let own = program.iter().map(|p| p.name().to_string());
    let programs: Vec<String> = std::iter::once(SELFTEST.to_string()).chain(own).collect();
    if !is_whole(&dir, SELFTEST) {
        // Objects and sources are not kept.
        let work = work::directory(&kept)?;
        let tree = tree(&source, work.path(), MARK, progress)?;
        let units = units(&tree, work.path(), program)?;
        progress(&format!("compiling Mbed TLS and libcapvec: {} files", units.len()));
        keep(&kept, &dir, SELFTEST, |to| build(&compiler.command, &units, &programs, to))?;
    }
    Ok(Built { dir, programs, source: shown })
}

fn parts() -> Vec<&'static Part> {
    library().into_iter().chain([&MBEDTLS]).collect()
}

/// Writes libcapvec into `work`, and lists everything to compile.
fn units(tree: &Path, work: &Path, program: Option<&OwnProgram>) -> Result<Vec<Unit>> {
    let objects = work.join("objects");
    let own = work.join("own");
    // In a directory of its own: files of both projects may have equal names.
    let alone = work.join("libcapvec");
    for dir in [&objects, &own, &alone] {
        std::fs::create_dir(dir).with_context(|| format!("creating {}", dir.display()))?;
    }
    let include = |dir: &Path| format!("-I{}", dir.display());
    let of_library = vec!["-std=c11".to_string(), include(&alone)];
    let of_mbedtls: Vec<String> = OWN
        .iter()
        .map(|f| f.to_string())
        .chain([include(&tree.join("include")), include(&own)])
        .collect();
    for (name, text) in MBEDTLS_HEADERS {
        std::fs::write(own.join(name), text).with_context(|| format!("writing {name}"))?;
    }
    let mut sources = Vec::new();
    let all = library().into_iter().map(|p| (p, &alone, &of_library));
    for (part, dir, flags) in all.chain([(&MBEDTLS, &own, &of_mbedtls)]) {
        for (name, text) in Part::files([&part]) {
            let path = dir.join(name);
            std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        }
        sources.extend(part.units.iter().map(|u| (dir.join(u.source.0), flags, None)));
    }
    let files = tree.join("library");
    let entries =
        std::fs::read_dir(&files).with_context(|| format!("reading {}", files.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|f| is_c(f));
    files.sort();
    sources.extend(files.into_iter().map(|f| (f, &of_mbedtls, None)));
    sources.push((tree.join(MARK.0), &of_mbedtls, Some(SELFTEST.to_string())));
    if let Some(program) = program {
        let name = || Some(program.name().to_string());
        sources.extend(program.units().map(|path| (path.clone(), &of_mbedtls, name())));
    }
    let unit = |(i, (source, flags, program)): (usize, (PathBuf, &Vec<String>, _))| Unit {
        source,
        object: objects.join(format!("{i}.o")),
        flags: flags.clone(),
        program,
    };
    Ok(sources.into_iter().enumerate().map(unit).collect())
}

/// Builds the programs in `to`.
fn build(compiler: &[String], units: &[Unit], programs: &[String], to: &Path) -> Result<()> {
    pool::each(units, |u| {
        let mut command = cc(compiler)?;
        command.args(&u.flags).arg("-c").arg("-o").arg(&u.object).arg(&u.source);
        run(&mut command).with_context(|| format!("compiling {}", u.source.display()))
    })?;
    for program in programs {
        let own = units.iter().filter(|u| u.program.as_ref().is_none_or(|p| p == program));
        let mut command = cc(compiler)?;
        command.arg("-static").arg("-o").arg(to.join(program)).args(own.map(|u| &u.object));
        run(&mut command).with_context(|| format!("linking {program} of Mbed TLS"))?;
    }
    Ok(())
}

fn cc(words: &[String]) -> Result<Command> {
    let (program, arguments) = words.split_first().context("CAPVEC_CC: it names no compiler")?;
    let mut command = Command::new(program);
    command.args(arguments).args(FLAGS).stdin(Stdio::null());
    Ok(command)
}

fn run(command: &mut Command) -> Result<()> {
    let output =
        command.output().with_context(|| format!("running {:?}", command.get_program()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let end = text.trim().lines().rev().take(8).collect::<Vec<_>>();
        let end: Vec<&str> = end.into_iter().rev().collect();
        bail!("the compiler ended with {}:\n{}", output.status, end.join("\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_source_tree_and_a_failing_compiler_are_named() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::at(home.path()).unwrap();
        let tree = tempfile::tempdir().unwrap();
        let build = |cc| {
            let wanted = Wanted { source: Some(tree.path()), cc: Some(cc), program: None };
            format!("{:#}", mbedtls(&store, wanted, &mut |_| ()).unwrap_err())
        };
        let message = build("true");
        assert!(message.contains("--source") && message.contains("Mbed TLS 3.6"), "{message}");
        std::fs::create_dir_all(tree.path().join("programs/test")).unwrap();
        std::fs::create_dir_all(tree.path().join("library")).unwrap();
        std::fs::write(tree.path().join(MARK.0), "").unwrap();
        let script = home.path().join("cc");
        std::fs::write(&script, "[ \"$1\" = --version ] && exit; echo no such machine >&2; exit 3")
            .unwrap();
        let message = build(&format!("sh {}", script.display()));
        assert!(message.contains("no such machine") && message.contains("compiling"), "{message}");
        // Nothing is left that could be mistaken for a build.
        let left = std::fs::read_dir(home.path().join("drivers")).unwrap().flatten();
        let left: Vec<_> = left.map(|e| e.file_name()).collect();
        assert_eq!(left, ["used"]);
    }
}
