//! Writing what a sysroot lacks.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Writes a file atomically, unless it exists; its path is then added to `written`.
pub(crate) fn write_new(
    root: &Path,
    name: &str,
    text: &str,
    mode: u32,
    written: &mut Vec<String>,
) -> Result<()> {
    let path = root.join(name);
    if fs::symlink_metadata(&path).is_ok() && !is_of_older_version(name, &path) {
        return Ok(());
    }
    let directory = path.parent().unwrap_or(root);
    fs::create_dir_all(directory).map_err(Error::io("create", directory))?;
    let mut temporary = path.clone();
    temporary.set_extension("capvec-new");
    fs::write(&temporary, text).map_err(Error::io("write", &temporary))?;
    fs::set_permissions(&temporary, Permissions::from_mode(mode))
        .and_then(|()| fs::rename(&temporary, &path))
        .map_err(Error::io("write", &path))?;
    written.push(name.to_owned());
    Ok(())
}

/// The host path of the guest's absolute path, if its directory exists and no link leads out of the tree.
pub(crate) fn inside(real_root: &Path, path: &str) -> Option<PathBuf> {
    let path = real_root.join(path.trim_start_matches('/'));
    let parent = fs::canonicalize(path.parent()?).ok()?;
    parent.starts_with(real_root).then_some(parent.join(path.file_name()?))
}

/// Whether a file is the one that older versions wrote, with only two accounts.
fn is_of_older_version(name: &str, path: &Path) -> bool {
    let older = match name {
        "etc/passwd" => {
            "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
        }
        "etc/group" => "root:x:0:\nnogroup:x:65534:\n",
        _ => return false,
    };
    fs::read(path).is_ok_and(|text| text == older.as_bytes())
}
