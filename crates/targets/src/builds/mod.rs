//! Builds of OpenSSL from source, with and without assembly, to measure one against the other.

pub(crate) mod inputs;
pub mod mbedtls;
mod openssl;
mod own_file;
mod own_program;
mod remarks;
pub(crate) mod source_tree;
#[cfg(test)]
mod tests;
mod work;

use crate::backend::{COMMAND, LIBRARY};
use anyhow::{Context, Result, bail};
use capvec_guest::{self as guest, LibraryKind, Program};
use capvec_record::{Arch, COMMON_OPTIONS, Manifest, NO_COMMAND};
use capvec_sysroot::Store;
use capvec_text::{escape, suggest};
use capvec_util::digest;
pub use inputs::NoSource;
use inputs::{Compiler, compiler, source};
pub use own_file::{BadOwnFile, OwnFile};
pub use own_program::OwnProgram;
pub use remarks::REMARKS;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "build.json";

/// What to build.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The architecture.
    pub arch: Arch,
    /// The build's name: a directory.
    pub name: String,
    /// Options of OpenSSL's Configure, in addition to those of all builds: `no-asm`.
    pub options: Vec<String>,
    /// Flags of the compiler.
    pub cflags: String,
    /// Whether the compiler's remarks on loops that it did not vectorise are kept.
    pub remarks: bool,
    /// Whether the command `openssl` is built, too.
    pub command: bool,
    /// A source tree or an archive of one; Debian's if none is given.
    pub source: Option<PathBuf>,
    /// The user's own files in the source.
    pub own: Vec<OwnFile>,
    /// The compiler with its arguments; Debian's if none is given.
    pub cc: Option<String>,
}

/// An existing build.
#[derive(Clone, Debug)]
pub struct Build {
    /// Its description.
    pub manifest: Manifest,
    /// Directory of the library.
    pub dir: PathBuf,
}

/// Checks a name: one path component.
///
/// # Errors
/// Says what a name may be.
pub fn check_name(name: &str) -> Result<()> {
    let good = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.len() <= 100
        && name.chars().all(good)
    {
        return Ok(());
    }
    bail!(
        "a build's name has letters, digits and . _ + -, and begins with a letter or digit, unlike \"{}\"",
        escape::line(name)
    )
}

fn home(store: &Store) -> PathBuf {
    store.home().join("builds")
}

/// All builds, by name.
///
/// # Errors
/// A description cannot be read.
pub fn list(store: &Store) -> Result<Vec<Build>> {
    let entries = std::fs::read_dir(home(store)).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.retain(|n| check_name(n).is_ok());
    names.sort();
    let found = names.iter().map(|n| find(store, n)).collect::<Result<Vec<_>>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// The build of this name, if there is one.
///
/// # Errors
/// The name is invalid, or its description cannot be read.
pub fn find(store: &Store, name: &str) -> Result<Option<Build>> {
    check_name(name)?;
    let dir = home(store).join(name);
    let file = dir.join(MANIFEST);
    let fail = || format!("reading {}", file.display());
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e).with_context(fail),
    };
    let manifest = serde_json::from_str(&text).with_context(fail)?;
    Ok(Some(Build { manifest, dir }))
}

/// " (did you mean …?)" with the nearest name of these builds, or an empty string.
pub(crate) fn hint(name: &str, all: &[Build]) -> String {
    suggest::hint(name, all.iter().map(|b| b.manifest.name.as_str()))
}

/// Checks that there is a build of this name.
///
/// # Errors
/// The name is invalid, or no build has it.
pub fn require(store: &Store, name: &str) -> Result<()> {
    check_name(name)?;
    let all = list(store)?;
    if all.iter().any(|b| b.manifest.name == name) {
        return Ok(());
    }
    let hint = hint(name, &all);
    bail!("there is no build {name}{hint}; `capvec build list` lists builds")
}

/// Removes the build of this name in one step.
///
/// # Errors
/// It cannot be removed.
pub fn remove(store: &Store, name: &str) -> Result<()> {
    let dir = home(store).join(name);
    let fail = || format!("removing {}", dir.display());
    let doomed =
        tempfile::Builder::new().prefix(".old-").tempdir_in(home(store)).with_context(fail)?;
    std::fs::rename(&dir, doomed.path().join(name)).with_context(fail)?;
    doomed.close().with_context(fail)
}

/// What determines a build's content.
struct Recipe {
    /// Arguments of Configure, without `flags` and those that name the compiler.
    configure: Vec<String>,
    /// The compiler's flags, as an argument of Configure.
    flags: String,
    /// The name of the compiler, for display.
    compiler: String,
    /// The source with the user's files in it, for display.
    source: String,
    /// The digest of all of this.
    id: String,
}

impl Recipe {
    fn of(spec: &Spec, compiler: &Compiler, source: String) -> Result<Recipe> {
        let mut configure = vec![spec.arch.openssl().to_string()];
        let wanted = |o: &&str| !(spec.command && *o == NO_COMMAND);
        configure.extend(COMMON_OPTIONS.into_iter().filter(wanted).map(String::from));
        configure.extend(spec.options.clone());
        let mut flags = format!("CFLAGS={}", spec.cflags);
        if spec.remarks {
            flags = flags + " " + remarks::flag(&compiler.command);
        }
        let own = own_file::shown(&spec.own)?;
        let mut hash = Sha256::new();
        hash.update(format!("{configure:?}\n{flags}\n{}\n{source}\n{own}", compiler.id));
        let id = hex::encode(hash.finalize());
        let (compiler, source) = (compiler.shown.clone(), source + &own);
        Ok(Recipe { configure, flags, compiler, source, id })
    }

    /// The build of this name, if it was made by this recipe and its library has not changed.
    fn existing(&self, store: &Store, name: &str) -> Option<Build> {
        let there = find(store, name).ok().flatten().filter(|b| b.manifest.id == self.id)?;
        let sha256 = digest(&there.dir.join(LIBRARY)).ok()?;
        (sha256 == there.manifest.sha256).then_some(there)
    }

    fn manifest(mut self, spec: &Spec, sha256: String) -> Manifest {
        self.configure.push(self.flags);
        Manifest {
            name: spec.name.clone(),
            architecture: spec.arch.name().into(),
            source: self.source,
            configure: self.configure,
            compiler: self.compiler,
            sha256,
            id: self.id,
        }
    }
}

/// Builds libcrypto, unless the same build exists.
///
/// # Errors
/// What fetching or compiling reports; the last lines of the log.
pub fn build(store: &Store, spec: &Spec, progress: &mut dyn FnMut(&str)) -> Result<Build> {
    check_name(&spec.name)?;
    let given = spec.source.as_deref();
    // Checked before a compiler is fetched.
    given.map_or(Ok(()), inputs::there)?;
    let compiler = compiler(store, spec.arch, spec.cc.as_deref(), progress)?;
    let (source, shown) = source(store, "openssl", given, progress)?;
    let mut recipe = Recipe::of(spec, &compiler, shown)?;
    if let Some(there) = recipe.existing(store, &spec.name) {
        return Ok(there);
    }
    let home = home(store);
    let fail = || format!("building in {}", home.display());
    let work = work::directory(&home)?;
    let tree = source_tree::tree(&source, work.path(), source_tree::OPENSSL, progress)?;
    own_file::apply(&spec.own, &tree, work.path())?;
    openssl::keep_known(&mut recipe.configure, &tree);
    let arguments = recipe.configure.iter().chain(&compiler.variables).chain([&recipe.flags]);
    let arguments: Vec<String> = arguments.cloned().collect();
    let made = work.path().join("build");
    std::fs::create_dir(&made).with_context(fail)?;
    let log = home.join(format!(".log-{}", spec.name));
    openssl::make(&tree, &made, &arguments, spec.command, &log, progress)?;
    let sha256 = digest(&made.join(LIBRARY)).context("only OpenSSL 3 can be measured")?;
    let manifest = recipe.manifest(spec, sha256);
    let done = work.path().join("done");
    std::fs::create_dir(&done).with_context(fail)?;
    std::fs::rename(made.join(LIBRARY), done.join(LIBRARY)).with_context(fail)?;
    if spec.command {
        std::fs::rename(made.join("libssl.so.3"), done.join("libssl.so.3")).with_context(fail)?;
        std::fs::rename(made.join("apps/openssl"), done.join(COMMAND)).with_context(fail)?;
    }
    if spec.remarks {
        remarks::separate(&log, &done.join(REMARKS))?;
    }
    let dir = home.join(&spec.name);
    keep(&done, &log, &manifest, &dir).with_context(fail)?;
    Ok(Build { manifest, dir })
}

/// Adds log and description to a finished build, and puts it in the place of an older one.
fn keep(done: &Path, log: &Path, manifest: &Manifest, dir: &Path) -> Result<()> {
    std::fs::rename(log, done.join("build.log"))?;
    std::fs::write(done.join(MANIFEST), serde_json::to_string_pretty(manifest)? + "\n")?;
    if dir.exists() {
        std::fs::remove_dir_all(dir)?;
    }
    Ok(std::fs::rename(done, dir)?)
}

/// The directory with libcapvec's provider and a configuration that loads it, for programs of `sysroot`; built if
/// necessary.
///
/// # Errors
/// What apt or the compiler reports.
pub fn provider(store: &Store, sysroot: &str, progress: &mut dyn FnMut(&str)) -> Result<PathBuf> {
    store.ensure(sysroot, &["openssl"], &mut |p| progress(&p.to_string()))?;
    let built = guest::ensure(store, sysroot, LibraryKind::Provider, &[], progress)?;
    let provider = built.into_iter().find(|d| d.program == Program::Provider);
    Ok(provider.context("the provider was not built")?.dir)
}

/// Names of the files in that directory that users need.
pub const PROVIDER_FILES: [&str; 2] = ["capvec.so", "openssl.cnf"];
