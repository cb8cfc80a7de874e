//! Creates files that programs rely on, and that maintainer scripts and the installer create on a real system.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::error::{Error, Result};
use crate::new_file::write_new;
use crate::{accounts, alternatives, pam};

/// Top directories that are links into `/usr` (Debian's merged-/usr, Policy 9.1 and the usrmerge
/// package). The packages themselves do not contain the links, but the dynamic linker's path
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

/// Files of /etc that the installer writes, except those with accounts ([`accounts`]). `nsswitch.conf` states glibc's own defaults.
const FILES: &[(&str, &str)] = &[
    (
        "etc/hosts",
        "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n\
         ff02::1\tip6-allnodes\nff02::2\tip6-allrouters\n",
    ),
    (
        "etc/nsswitch.conf",
        "passwd:\tfiles\ngroup:\tfiles\nshadow:\tfiles\ngshadow:\tfiles\n\nhosts:\tfiles dns\n\
         networks:\tfiles\n\nprotocols:\tfiles\nservices:\tfiles\nethers:\tfiles\nrpc:\tfiles\n",
    ),
];

/// Completes an unpacked tree without changing what the packages contain. `scripts` are the packages' `postinst`.
pub(crate) fn complete(root: &Path, scripts: &[String]) -> Result<()> {
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
    link_shell(root)?;
    configure(root, scripts)?;
    let candidates: Vec<_> = scripts.iter().flat_map(|s| alternatives::parse(s)).collect();
    alternatives::install(root, &candidates)
}

/// Writes the files of /etc that maintainer scripts and the installer create, unless they exist; returns their paths.
pub(crate) fn configure(root: &Path, scripts: &[String]) -> Result<Vec<String>> {
    let mut written = Vec::new();
    for (name, text) in FILES {
        write_new(root, name, text, 0o644, &mut written)?;
    }
    accounts::complete(root, scripts, &mut written)?;
    pam::complete(root, &mut written)?;
    Ok(written)
}

/// Links `/bin/sh` to dash or, without it, to bash, if no package contains a shell of that name.
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
