//! Debian's compilers for other architectures, from the archive, run where they are unpacked.
//!
//! They are programs of another release than the host's, so the host's dynamic linker and C library may not suffice: a
//! script for each program starts it with its own. `gcc` finds the scripts of the other programs by `-B`.
//!
//! A cross compiler writes the same objects as the compiler of the same version that runs in the simulator, to the last byte (a test
//! compares them), in a tenth of the time or less.

use anyhow::{Context, Result, bail};
use capvec_record::Arch;
use capvec_sysroot::{DEFAULT_SUITE, Manifest, Origin, Request, Store, Sysroot};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the target's programs are compiled against; the last two are needed by Debian's static libcrypto.
const HEADERS: [&str; 4] = ["libc6-dev", "libssl-dev", "zlib1g-dev", "libzstd-dev"];
/// Programs of binutils, without the triplet prefix.
const BINUTILS: [&str; 6] = ["as", "ld", "ar", "ranlib", "nm", "objdump"];

/// A compiler for an architecture.
pub struct Toolchain {
    /// Its target.
    pub arch: Arch,
    /// Directory of the programs, each under its name without a triplet: `gcc`, `ar`, ...
    pub bin: PathBuf,
    /// The target's headers and libraries.
    pub sysroot: PathBuf,
    /// Packages with versions, for records.
    pub packages: Vec<String>,
    /// Digest of all packages.
    pub id: String,
}

fn add(
    store: &Store,
    name: String,
    arch: Arch,
    packages: &[&str],
    progress: &mut dyn FnMut(&str),
) -> Result<Sysroot> {
    let request = Request {
        suite: Some(DEFAULT_SUITE.into()),
        arch: Some(arch.debian().into()),
        ..Request::automatic(&name, packages)
    };
    Ok(store.add(&request, &mut |p| progress(&p.to_string()))?)
}

/// Debian's gcc for `arch`, fetched if necessary.
///
/// # Errors
/// apt fails, or the packages contain no compiler.
pub fn debian(store: &Store, arch: Arch, progress: &mut dyn FnMut(&str)) -> Result<Toolchain> {
    let host = Arch::host()?;
    let tools = compiler(store, host, arch, progress)?;
    let name = format!("{DEFAULT_SUITE}-{}-headers", arch.debian());
    let headers = add(store, name, arch, &HEADERS, progress)?;
    set_up(store, &tools, &headers, host, arch)
}

fn name_of(host: Arch, arch: Arch) -> String {
    format!("{DEFAULT_SUITE}-{}-cross-{}", host.debian(), arch.debian())
}

fn compiler(
    store: &Store,
    host: Arch,
    arch: Arch,
    progress: &mut dyn FnMut(&str),
) -> Result<Sysroot> {
    let triplet = arch.triplet().replace('_', "-");
    let package = if host == arch { "gcc".into() } else { format!("gcc-{triplet}") };
    add(store, name_of(host, arch), host, &[&package], progress)
}

/// The host's cross compiler of the same version as the riscv64 compiler in `native`, with the headers there; `None` if there is none, if
/// it does not run here, or if it would have to be fetched and `fetch` is false.
///
/// # Errors
/// apt fails, or a file cannot be written.
pub(crate) fn same_as(
    store: &Store,
    native: &Sysroot,
    fetch: bool,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<Toolchain>> {
    let Ok(host) = Arch::host() else { return Ok(None) };
    match &native.manifest.origin {
        Origin::Apt { suite, .. } if suite == DEFAULT_SUITE => {}
        _ => return Ok(None),
    }
    let tools = match store.get(&name_of(host, Arch::Riscv64)) {
        Ok(tools) => tools,
        Err(_) if fetch => compiler(store, host, Arch::Riscv64, progress)?,
        Err(_) => return Ok(None),
    };
    if !are_same(&tools.manifest, &native.manifest) {
        return Ok(None);
    }
    let toolchain = set_up(store, &tools, native, host, Arch::Riscv64)?;
    // An empty file, so that the compiler itself runs, not only the program that calls it.
    let mut empty = toolchain.gcc();
    let runs = empty.args(["-S", "-x", "c", "-", "-o", "-"]).stdin(Stdio::null()).output();
    Ok(runs.is_ok_and(|o| o.status.success()).then_some(toolchain))
}

/// Whether preprocessor, compiler and assembler for riscv64 have the same version in both; packages of cross compilers have `crossN` after
/// theirs.
pub(crate) fn are_same(one: &Manifest, other: &Manifest) -> bool {
    let version = |manifest: &Manifest, name: &str| {
        let package = manifest.package(name)?;
        let base = package.version.split_once("cross").map(|(base, _)| base.to_owned());
        Some(base.unwrap_or_else(|| package.version.clone()))
    };
    let triplet = format!("-{}", Arch::Riscv64.triplet());
    let mut names: Vec<&str> = one.packages.iter().map(|p| p.name.as_str()).collect();
    names.retain(|name| name.ends_with(&triplet));
    let has = |prefix: &str| names.iter().any(|name| name.starts_with(prefix));
    has("cpp-")
        && has("gcc-")
        && has("binutils-")
        && names.iter().all(|name| version(one, name) == version(other, name))
}

/// The compiler in `tools` with the headers and libraries in `headers`.
fn set_up(
    store: &Store,
    tools: &Sysroot,
    headers: &Sysroot,
    host: Arch,
    arch: Arch,
) -> Result<Toolchain> {
    let mut hash = Sha256::new();
    for p in tools.manifest.packages.iter().chain(&headers.manifest.packages) {
        hash.update(format!("{} {}\n", p.name, p.sha256));
    }
    let id = hex::encode(hash.finalize());
    let bin = store.home().join("toolchains").join(&id[..16]);
    scripts(&tools.root, &headers.root, host, arch, &bin)
        .with_context(|| format!("setting up gcc for {} in {}", arch.name(), bin.display()))?;
    let packages = [tools, headers].iter().flat_map(|s| s.manifest.shown()).collect();
    Ok(Toolchain { arch, bin, sysroot: headers.root.clone(), packages, id })
}

/// Gcc's internal programs, which only gcc itself calls.
fn internals(root: &Path, arch: Arch) -> Result<PathBuf> {
    for kind in ["gcc-cross", "gcc"] {
        let dir = root.join("usr/libexec").join(kind).join(arch.triplet());
        let versions = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let with = versions.map(|e| e.path()).find(|d| d.join("cc1").is_file());
        if let Some(dir) = with {
            return Ok(dir);
        }
    }
    bail!("{} has no cc1 for {}", root.display(), arch.triplet())
}

/// The newest `gcc-N`: a plain `gcc` is a link that may lead out of the tree.
fn driver(root: &Path, arch: Arch) -> Result<PathBuf> {
    let prefix = format!("{}-gcc-", arch.triplet());
    let entries = std::fs::read_dir(root.join("usr/bin"))?.flatten();
    let version = |e: &std::fs::DirEntry| -> Option<u32> {
        e.file_name().to_str()?.strip_prefix(&prefix)?.parse().ok()
    };
    let newest = entries.filter_map(|e| Some((version(&e)?, e.path()))).max();
    newest.map(|(_, path)| path).with_context(|| format!("no {prefix}N in {}", root.display()))
}

/// Writes the scripts, where necessary.
fn scripts(root: &Path, sysroot: &Path, host: Arch, arch: Arch, bin: &Path) -> Result<()> {
    let inside = internals(root, arch)?;
    let mut programs = vec![("cc1".to_string(), inside.join("cc1"), String::new())];
    programs.push(("collect2".into(), inside.join("collect2"), String::new()));
    for tool in BINUTILS {
        let path = root.join("usr/bin").join(format!("{}-{tool}", arch.triplet()));
        programs.push((tool.into(), path, String::new()));
    }
    let options = format!("-B'{}/' --sysroot='{}'", bin.display(), sysroot.display());
    programs.push(("gcc".into(), driver(root, arch)?, options));
    std::fs::create_dir_all(bin)?;
    let linker = root.join(host.interpreter());
    let libraries = root.join("usr/lib").join(host.triplet());
    for (name, program, options) in programs {
        let text = format!(
            "#!/bin/sh\nexec '{}' --library-path '{}' '{}' {options} \"$@\"\n",
            linker.display(),
            libraries.display(),
            program.display()
        );
        let path = bin.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        capvec_util::script::write(&path, &text)?;
    }
    Ok(())
}

impl Toolchain {
    /// Runs the compiler in `work`, whatever the environment says; returns what it said.
    pub(crate) fn compile(&self, work: &Path, args: &[&str]) -> Result<String> {
        let mut gcc = self.gcc();
        gcc.env_clear().envs([("LC_ALL", "C"), ("PATH", "/usr/bin:/bin")]).current_dir(work);
        let output = gcc.args(args).stdin(Stdio::null()).output();
        let output =
            output.with_context(|| format!("running {}", self.bin.join("gcc").display()))?;
        let text = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("compiling the driver failed ({}):\n{}", output.status, text.trim());
        }
        Ok(text.into_owned())
    }

    /// The compiler, with the flags for finding the target's files.
    pub fn gcc(&self) -> Command {
        Command::new(self.bin.join("gcc"))
    }
}

/// Flags that make a compiler find Debian's headers of OpenSSL, and no others of that tree.
///
/// # Errors
/// apt fails, or a directory cannot be created.
pub fn openssl_headers(
    store: &Store,
    arch: Arch,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<String>> {
    let name = format!("{DEFAULT_SUITE}-{}-headers", arch.debian());
    let headers = add(store, name, arch, &HEADERS, progress)?;
    let include = headers.root.join("usr/include");
    let base = store.home().join("toolchains").join(format!("openssl-{}", arch.debian()));
    let mut flags = Vec::new();
    for (part, from) in [("any", include.clone()), ("own", include.join(arch.triplet()))] {
        let dir = base.join(part);
        std::fs::create_dir_all(&dir).with_context(|| format!("creating {}", dir.display()))?;
        let link = dir.join("openssl");
        if std::fs::symlink_metadata(&link).is_err() {
            std::os::unix::fs::symlink(from.join("openssl"), &link)
                .with_context(|| format!("creating {}", link.display()))?;
        }
        flags.push(format!("-I{}", dir.display()));
    }
    Ok(flags)
}
