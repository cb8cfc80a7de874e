//! What a guest sees of the host: `--bind`, and the current directory.

use crate::cmd::Usage;
use capvec_linux::Bind;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A value of `--bind`.
pub fn bind(text: &str) -> Result<Bind, String> {
    let form = "write HOST:GUEST, HOST:GUEST:ro or HOST:GUEST:rw";
    let mut parts = text.split(':');
    let (Some(host), Some(guest), mode, None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(form.into());
    };
    let writable = match mode {
        None | Some("ro") => false,
        Some("rw") => true,
        Some(_) => return Err(form.into()),
    };
    if host.is_empty() || !guest.starts_with('/') {
        return Err(format!("{form}, with an absolute guest path"));
    }
    Ok(Bind { host: host.into(), guest: guest.into(), writable })
}

/// Refuses a bind through which the guest could write to capvec's store, which has code that the host executes: translations,
/// toolchains, builds.
pub fn apart_from_store(bind: &Bind, store: &Path) -> Result<(), Usage> {
    let (host, store) = (real(&bind.host), real(store));
    if bind.writable && (host.starts_with(&store) || store.starts_with(&host)) {
        return Err(Usage(format!(
            "--bind {}: the guest could write to capvec's store {}, and later commands execute what is in it; bind another \
             directory, bind it read-only, or move the store (CAPVEC_HOME)",
            bind.host.display(),
            store.display()
        )));
    }
    Ok(())
}

/// A path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|a| Some((a, a.canonicalize().ok()?)));
    match found {
        Some((existing, resolved)) => match path.strip_prefix(existing) {
            Ok(rest) if !rest.as_os_str().is_empty() => resolved.join(rest),
            _ => resolved,
        },
        None => path.to_path_buf(),
    }
}

/// Private directories of the guest, which the current directory must not hide.
const PRIVATE: [&str; 5] = ["/tmp", "/var/tmp", "/run", "/dev/shm", "/root"];

/// Whether showing this directory implicitly would show more than a user's files: the whole host, or what its kernel
/// reveals of processes and devices.
pub fn exposes_host(cwd: &Path) -> bool {
    cwd == Path::new("/") || ["/proc", "/sys", "/dev"].iter().any(|t| cwd.starts_with(t))
}

/// Where the guest sees the current directory: under the same path, so that absolute paths work too, unless the guest
/// has something else there.
pub fn guest_cwd(cwd: &Path, root: &Path) -> Vec<u8> {
    let relative = cwd.strip_prefix("/").unwrap_or(cwd);
    let taken = PRIVATE.iter().any(|p| cwd == Path::new(p)) || root.join(relative).exists();
    if taken {
        return b"/work".to_vec();
    }
    cwd.as_os_str().as_bytes().to_vec()
}

/// Inserts the current directory into the binds, of which later ones cover earlier ones: after those that would hide
/// it, before those that show something in it.
pub fn show_cwd(binds: &mut Vec<Bind>, host: PathBuf, guest: &[u8]) {
    let here = Path::new(OsStr::from_bytes(guest));
    if binds.iter().any(|b| Path::new(OsStr::from_bytes(&b.guest)) == here) {
        return;
    }
    let hides = |b: &Bind| here.starts_with(OsStr::from_bytes(&b.guest));
    binds.sort_by_key(|b| !hides(b));
    let at = binds.iter().take_while(|b| hides(b)).count();
    binds.insert(at, Bind { host, guest: guest.to_vec(), writable: false });
}
