//! What maintainer scripts and the installer make on a real system and programs rely on.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::alternatives::{self, Alternative};
use crate::error::{Error, Result};

/// Top directories that are links into `/usr` (Debian's merged-/usr, Policy 9.1 and the usrmerge
/// package). The packages themselves leave the links out, and the dynamic linker's path
/// (`/lib/ld-linux-…`, `/lib64/ld-linux-…`) goes through them.
pub(crate) const ALIASES: &[&str] = &["bin", "sbin", "lib", "lib32", "lib64", "libo32", "libx32"];

/// Those that every system has; the others are made if `/usr` has them.
const ALWAYS: &[&str] = &["bin", "sbin", "lib"];

const DIRECTORIES: &[(&str, u32)] = &[
    ("dev", 0o755),
    ("etc", 0o755),
    ("home", 0o755),
    ("proc", 0o755),
    ("root", 0o700),
    ("run", 0o755),
    ("sys", 0o755),
    ("tmp", 0o1777),
    ("var/tmp", 0o1777),
];

/// base-passwd's entries of the accounts that programs ask for.
const FILES: &[(&str, &str)] = &[
    (
        "etc/passwd",
        "root:x:0:0:root:/root:/bin/sh\n\
         nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    ),
    ("etc/group", "root:x:0:\nnogroup:x:65534:\n"),
];

/// Completes an unpacked tree; leaves alone what the packages brought.
pub(crate) fn finish(root: &Path, candidates: &[Alternative]) -> Result<()> {
    for alias in ALIASES {
        let target = root.join("usr").join(alias);
        if ALWAYS.contains(alias) {
            fs::create_dir_all(&target).map_err(Error::io("create", &target))?;
        }
        let link = root.join(alias);
        if target.is_dir() {
            symlink(format!("usr/{alias}"), &link).map_err(Error::io("create", &link))?;
        }
    }
    for (name, mode) in DIRECTORIES {
        let path = root.join(name);
        if !path.exists() {
            fs::create_dir_all(&path).map_err(Error::io("create", &path))?;
            // The umask does not apply: /tmp is for everybody.
            let permissions = Permissions::from_mode(*mode);
            fs::set_permissions(&path, permissions).map_err(Error::io("create", &path))?;
        }
    }
    for (name, text) in FILES {
        let path = root.join(name);
        if !path.exists() {
            fs::write(&path, text).map_err(Error::io("write", &path))?;
        }
    }
    link_shell(root)?;
    alternatives::install(root, candidates)
}

/// bash's script links `/bin/sh` if no other package brings one.
fn link_shell(root: &Path) -> Result<()> {
    let shell = root.join("usr/bin/sh");
    if fs::symlink_metadata(&shell).is_ok() {
        return Ok(());
    }
    let installed = |name: &&&str| root.join("usr/bin").join(name).is_file();
    match ["dash", "bash"].iter().find(installed) {
        Some(name) => symlink(name, &shell).map_err(Error::io("create", &shell)),
        None => Ok(()),
    }
}
