//! Debian's compilers for other architectures, from the archive, run where they are unpacked.
//!
//! They are programs of another release than the host's, so the host's dynamic linker and C library may not suffice: a
//! script for each program starts it with its own. `gcc` finds the scripts of the other programs by `-B`.

use super::Arch;
use anyhow::{Context, Result, bail};
use capvec_sysroot::{DEFAULT_SUITE, Request, Store, Sysroot};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

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
        name: Some(name),
        suite: Some(DEFAULT_SUITE.into()),
        arch: Some(arch.debian().into()),
        packages: packages.iter().map(|p| p.to_string()).collect(),
        automatic: true,
        ..Request::default()
    };
    Ok(store.add(&request, &mut |p| progress(&p.to_string()))?)
}

/// Debian's gcc for `arch`, fetched if necessary.
///
/// # Errors
/// apt fails, or the packages contain no compiler.
pub fn debian(store: &Store, arch: Arch, progress: &mut dyn FnMut(&str)) -> Result<Toolchain> {
    let host = Arch::host()?;
    let triplet = arch.triplet().replace('_', "-");
    let package = if host == arch { "gcc".into() } else { format!("gcc-{triplet}") };
    let name = format!("{DEFAULT_SUITE}-{}-cross-{}", host.debian(), arch.debian());
    let tools = add(store, name, host, &[&package], progress)?;
    let name = format!("{DEFAULT_SUITE}-{}-headers", arch.debian());
    let headers = add(store, name, arch, &HEADERS, progress)?;
    let mut hash = Sha256::new();
    for p in tools.manifest.packages.iter().chain(&headers.manifest.packages) {
        hash.update(format!("{} {}\n", p.name, p.sha256));
    }
    let id = hex::encode(hash.finalize());
    let bin = store.home().join("toolchains").join(&id[..16]);
    scripts(&tools.root, &headers.root, host, arch, &bin)
        .with_context(|| format!("setting up {package} in {}", bin.display()))?;
    let packages = [&tools, &headers].iter().flat_map(|s| super::packages(&s.manifest)).collect();
    Ok(Toolchain { arch, bin, sysroot: headers.root, packages, id })
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
