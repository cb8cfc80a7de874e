//! Unpacks verified packages into a tree.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::apt::Chosen;
use crate::complete::{ALIASES, complete};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::tool::{command, run_on};

/// Unpacks the packages into `new/root` and completes it so that programs run in it.
///
/// Each package is unpacked separately and its files are then moved: unpacking one over another would follow symbolic
/// links of the tree, and a guest's absolute links lead out of it.
pub(crate) fn unpack(
    chosen: &[Chosen],
    new: &Path,
    progress: &mut dyn FnMut(&Progress),
) -> Result<()> {
    let (root, scratch) = (new.join("root"), new.join("unpacked"));
    fs::create_dir(&root).map_err(Error::io("create", &root))?;
    let mut scripts = Vec::new();
    for (index, package) in chosen.iter().enumerate() {
        progress(&Progress::Unpacking {
            package: package.index.name.clone(),
            done: index + 1,
            packages: chosen.len(),
        });
        scripts.push(unpack_one(package, &scratch, &root)?);
    }
    complete(&root, &scripts)
}

/// Unpacks one package into `root`; returns its `postinst`, or an empty string.
fn unpack_one(chosen: &Chosen, scratch: &Path, root: &Path) -> Result<String> {
    let mut extract = command("dpkg-deb");
    // Extracts the control files, too, into DEBIAN/.
    extract.arg("--raw-extract").arg(&chosen.file).arg(scratch);
    run_on(&chosen.file, "dpkg-deb", &mut extract)?;
    let control = scratch.join("DEBIAN");
    // Not every package has a script, and one that is not text is ignored.
    let script = fs::read_to_string(control.join("postinst")).unwrap_or_default();
    fs::remove_dir_all(&control).map_err(Error::io("remove", &control))?;

    let package = &chosen.index.name;
    for alias in ALIASES {
        merge_alias(package, &scratch.join(alias), &root.join("usr").join(alias))?;
    }
    merge(package, scratch, root)?;
    fs::remove_dir_all(scratch).map_err(Error::io("remove", scratch))?;
    Ok(script)
}

/// Moves the contents of a package's `/bin` and the like to `/usr`, to which [`complete`] will link.
fn merge_alias(package: &str, from: &Path, to: &Path) -> Result<()> {
    match fs::symlink_metadata(from) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io("read", from)(error)),
        Ok(metadata) if metadata.is_dir() => {
            fs::create_dir_all(to).map_err(Error::io("create", to))?;
            merge(package, from, to)?;
            fs::remove_dir_all(from).map_err(Error::io("remove", from))
        }
        // base-files contains the links themselves.
        Ok(_) => fs::remove_file(from).map_err(Error::io("remove", from)),
    }
}

/// Moves the contents of directory `from` into directory `to`. A later file replaces an earlier one.
fn merge(package: &str, from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).map_err(Error::io("read", from))? {
        let entry = entry.map_err(Error::io("read", from))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let is_dir = entry.file_type().map_err(Error::io("read", &source))?.is_dir();
        match fs::symlink_metadata(&target) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io("read", &target)(error)),
            Ok(existing) if existing.is_dir() && is_dir => {
                merge(package, &source, &target)?;
                continue;
            }
            Ok(existing) if existing.is_symlink() && is_dir => {
                fs::remove_file(&target).map_err(Error::io("replace", &target))?;
            }
            Ok(existing) if existing.is_dir() || is_dir => {
                return Err(Error::Collision { package: package.to_owned(), path: target });
            }
            Ok(_) => {}
        }
        fs::rename(&source, &target).map_err(Error::io("create", &target))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        dir
    }

    #[test]
    fn a_link_out_of_the_tree_is_not_followed() {
        let outside = tree(&["kept"]);
        let (root, package) = (tree(&["etc/a"]), tree(&["etc/link/evil"]));
        symlink(outside.path(), root.path().join("etc/link")).unwrap();
        merge("p", package.path(), root.path()).unwrap();
        assert!(!outside.path().join("evil").exists());
        assert!(root.path().join("etc/link/evil").is_file());
        assert!(root.path().join("etc/a").is_file());
    }

    #[test]
    fn split_directories_are_merged_into_usr() {
        let (root, package) = (tree(&["usr/lib/x/a"]), tree(&["lib/x/b"]));
        let to = root.path().join("usr/lib");
        merge_alias("p", &package.path().join("lib"), &to).unwrap();
        assert!(to.join("x/a").is_file() && to.join("x/b").is_file());
        assert!(!package.path().join("lib").exists());
    }

    #[test]
    fn a_file_and_a_directory_collide() {
        let (root, package) = (tree(&["usr/x/a"]), tree(&["usr/x"]));
        let error = merge("p", package.path(), root.path()).unwrap_err();
        assert!(matches!(error, Error::Collision { .. }), "{error}");
        let error = merge("p", root.path(), package.path()).unwrap_err();
        assert!(matches!(error, Error::Collision { .. }), "{error}");
    }
}
