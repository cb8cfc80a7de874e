//! The distribution's compilers, each in a sysroot of its own, so that the measured one stays as the distribution ships it.

use anyhow::{Result, bail};
use capvec_linux::Bind;
use capvec_linux::{Exit, Input, Options, Output};
use capvec_sysroot::{BUILD, Manifest, Origin, Request, Store, Sysroot};
use capvec_timing::Core;
use std::path::Path;
use std::sync::Arc;

/// Packages of the compiler's sysroot.
const PACKAGES: [&str; 3] = ["gcc", "libc6-dev", "libssl-dev"];
/// Those of the other compiler's.
const CLANG_PACKAGES: [&str; 2] = ["clang", "libc6-dev"];
/// The other compiler's sysroot has this after the name of the measured one.
const CLANG: &str = "-clang";
/// Flags for every unit and link.
pub(crate) const FLAGS: [&str; 3] = ["-O2", "-Wall", "-Werror"];
/// Where the compiler sees the sysroot of a library that it has no headers of.
const LIBRARY: &str = "/library";
/// Flags for units that include a library's headers, and for the link.
pub(crate) const INCLUDE: [&str; 2] =
    ["-isystem/library/usr/include", "-isystem/library/usr/include/riscv64-linux-gnu"];
pub(crate) const LINK: [&str; 2] =
    ["-L/library/usr/lib/riscv64-linux-gnu", "-Wl,-rpath-link,/library/usr/lib/riscv64-linux-gnu"];

/// A compiler's sysroot, and the compiler's identity.
pub(crate) struct Tools {
    pub(crate) sysroot: Sysroot,
    pub(crate) id: String,
}

/// The distribution's gcc, fetched if necessary.
pub(crate) fn gcc(store: &Store, sysroot: &str, progress: &mut dyn FnMut(&str)) -> Result<Tools> {
    tools(store, sysroot, BUILD, &PACKAGES, progress)
}

/// Its clang, likewise.
pub(crate) fn clang(store: &Store, sysroot: &str, progress: &mut dyn FnMut(&str)) -> Result<Tools> {
    tools(store, sysroot, CLANG, &CLANG_PACKAGES, progress)
}

/// A compiler in a sysroot of its own, fetched if necessary.
fn tools(
    store: &Store,
    sysroot: &str,
    suffix: &str,
    packages: &[&str],
    progress: &mut dyn FnMut(&str),
) -> Result<Tools> {
    capvec_linux::check_host()?;
    beside(store, sysroot, suffix, packages, progress).map(Tools::of)
}

/// A sysroot of the same distribution, with this after the other's name.
pub(crate) fn beside(
    store: &Store,
    sysroot: &str,
    suffix: &str,
    packages: &[&str],
    progress: &mut dyn FnMut(&str),
) -> Result<Sysroot> {
    let mut request = Request::automatic(&format!("{sysroot}{suffix}"), packages);
    // A registered directory names no suite, so the defaults apply.
    if let Origin::Apt { suite, arch, .. } = store.get(sysroot)?.manifest.origin {
        request.suite = Some(suite);
        request.arch = Some(arch);
    }
    Ok(store.add(&request, &mut |p| progress(&p.to_string()))?)
}

impl Tools {
    pub(crate) fn of(sysroot: Sysroot) -> Tools {
        Tools { id: identity(&sysroot.manifest), sysroot }
    }
}

fn identity(compiler: &Manifest) -> String {
    compiler.packages.iter().map(|p| format!("{} {}\n", p.name, p.sha256)).collect()
}

/// Runs a compiler in the simulator; returns what it said.
pub(crate) fn compile(
    root: &Path,
    library: Option<&Path>,
    program: &str,
    work: &Path,
    args: &[&str],
) -> Result<String> {
    let args = FLAGS.into_iter().chain(args.iter().copied()).map(String::from);
    let bind = |host: &Path, guest: &str, writable| Bind {
        host: host.into(),
        guest: guest.into(),
        writable,
    };
    let mut binds = vec![bind(work, "/work", true)];
    binds.extend(library.map(|l| bind(l, LIBRARY, false)));
    let exit = compile_in(root, program, args.collect(), binds)?;
    let text = String::from_utf8_lossy(&exit.stderr);
    if exit.status.code() != 0 {
        bail!("compiling the driver failed with status {}:\n{}", exit.status.code(), text.trim());
    }
    Ok(text.into_owned())
}

/// Runs a compiler in the simulator, in /work, which has to be one of `binds`.
pub(crate) fn compile_in(
    root: &Path,
    program: &str,
    args: Vec<String>,
    binds: Vec<Bind>,
) -> Result<Exit> {
    compile_with(root, program, args, binds, &[])
}

/// As [`compile_in`], with these variables in the environment.
pub(crate) fn compile_with(
    root: &Path,
    program: &str,
    args: Vec<String>,
    binds: Vec<Bind>,
    environment: &[&str],
) -> Result<Exit> {
    let argv = [program.to_string()].into_iter().chain(args);
    let core = Core::load("ideal")?;
    let argv = argv.map(String::into_bytes).collect();
    let (exit, _) = crate::confined(
        || capvec_jit::best(&core, false),
        || {
            let mut options = Options::new(root, argv, Arc::new(core.hart(core.isa)));
            options.binds.extend(binds);
            options.env.extend(environment.iter().map(|e| e.as_bytes().to_vec()));
            options.cwd = b"/work".to_vec();
            options.stdin = Input::Bytes(Vec::new());
            options.stdout = Output::Capture;
            options.stderr = Output::Capture;
            Ok(options)
        },
    )?;
    Ok(exit)
}
