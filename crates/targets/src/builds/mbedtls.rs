//! The self-test of Mbed TLS with libcapvec in it, and further tests of that, built from source for riscv64.

use crate::builds::inputs::{compiler, source};
use crate::builds::make::{Mark, tree};
use anyhow::{Context, Result, bail};
use capvec_guest::{MBEDTLS, MBEDTLS_CCM, MBEDTLS_HEADERS, Part, library};
use capvec_record::Arch;
use capvec_sysroot::Store;
use capvec_util::build_cache::{is_whole, keep};
use capvec_util::pool;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// File name of the self-test.
pub const SELFTEST: &str = "selftest";
/// File name of the program that compares CCM in steps with libcapvec's own.
const CCM: &str = "ccm_steps";
/// File names of all programs.
pub const PROGRAMS: [&str; 2] = [SELFTEST, CCM];
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
    program: Option<&'static str>,
}

/// The directory with [`PROGRAMS`], built if necessary, and the source that they were built from.
///
/// # Errors
/// What fetching, unpacking or compiling reports.
pub fn mbedtls(
    store: &Store,
    given: Option<&Path>,
    cc: Option<&str>,
    progress: &mut dyn FnMut(&str),
) -> Result<(PathBuf, String)> {
    let compiler = compiler(store, Arch::Riscv64, cc, progress)?;
    let (source, shown) = source(store, "mbedtls", given, progress)?;
    let mut hash = Sha256::new();
    for (name, text) in Part::files(&parts()).iter().chain(MBEDTLS_HEADERS) {
        hash.update(format!("{name}\n{text}\n"));
    }
    hash.update(format!("{FLAGS:?} {OWN:?}\n{}\n{shown}\n", compiler.id));
    let id = hex::encode(hash.finalize());
    let kept = store.drivers();
    let dir = kept.join(&id[..16]);
    if !is_whole(&dir, SELFTEST) {
        std::fs::create_dir_all(&kept).with_context(|| format!("creating {}", kept.display()))?;
        // Objects and sources are not kept.
        let work = tempfile::Builder::new().prefix(".new-").tempdir_in(&kept);
        let work = work.with_context(|| format!("building in {}", kept.display()))?;
        let tree = tree(&source, work.path(), MARK, progress)?;
        let units = units(&tree, work.path())?;
        progress(&format!("compiling Mbed TLS and libcapvec: {} files", units.len()));
        keep(&kept, &dir, SELFTEST, |to| build(&compiler.command, &units, to))?;
    }
    Ok((dir, shown))
}

fn parts() -> Vec<&'static Part> {
    library().into_iter().chain([&MBEDTLS, &MBEDTLS_CCM]).collect()
}

/// Writes libcapvec into `work`, and lists everything to compile.
fn units(tree: &Path, work: &Path) -> Result<Vec<Unit>> {
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
    let all = library().into_iter().map(|p| (p, &alone, &of_library, None));
    let replaced = [(&MBEDTLS, None), (&MBEDTLS_CCM, Some(CCM))];
    for (part, dir, flags, program) in
        all.chain(replaced.map(|(part, program)| (part, &own, &of_mbedtls, program)))
    {
        for (name, text) in Part::files([&part]) {
            let path = dir.join(name);
            std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        }
        let units = part.units.iter().map(|u| (dir.join(u.source.0), flags, program));
        sources.extend(units);
    }
    let files = tree.join("library");
    let entries =
        std::fs::read_dir(&files).with_context(|| format!("reading {}", files.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    sources.extend(files.into_iter().map(|f| (f, &of_mbedtls, None)));
    sources.push((tree.join(MARK.0), &of_mbedtls, Some(SELFTEST)));
    let unit = |(i, (source, flags, program)): (usize, (PathBuf, &Vec<String>, _))| Unit {
        source,
        object: objects.join(format!("{i}.o")),
        flags: flags.clone(),
        program,
    };
    Ok(sources.into_iter().enumerate().map(unit).collect())
}

/// Builds all programs in `to`.
fn build(compiler: &[String], units: &[Unit], to: &Path) -> Result<()> {
    pool::each(units, |u| {
        let mut command = cc(compiler)?;
        command.args(&u.flags).arg("-c").arg("-o").arg(&u.object).arg(&u.source);
        run(&mut command).with_context(|| format!("compiling {}", u.source.display()))
    })?;
    for program in PROGRAMS {
        let own = units.iter().filter(|u| u.program.is_none_or(|p| p == program));
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
            format!("{:#}", mbedtls(&store, Some(tree.path()), Some(cc), &mut |_| ()).unwrap_err())
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
