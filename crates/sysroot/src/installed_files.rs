//! `files.txt`: the installed files of a sysroot, to detect later changes.
//!
//! A line consists of the SHA-256 in hex, the size in bytes and the path below the root, separated by blanks.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::manifest::Origin;
use crate::sysroot::Sysroot;

/// Name of the file within a sysroot's directory.
const FILE: &str = "files.txt";

/// A file that differs from what was installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Its path below the root.
    pub path: PathBuf,
    /// How it differs.
    pub what: String,
}

/// The result of checking a sysroot's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Files that were installed.
    pub files: usize,
    /// Files that have changed since, in order of their paths.
    pub changed: Vec<Changed>,
}

struct Installed {
    sha256: String,
    size: u64,
    path: PathBuf,
}

pub(crate) fn digest(path: &Path) -> Result<String> {
    let fail = || Error::io("read", path);
    let mut file = File::open(path).map_err(fail())?;
    let (mut hasher, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).map_err(fail())? {
            0 => break,
            n => hasher.update(&buffer[..n]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Regular files below `root`, in order.
fn regular(root: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut directories) = (Vec::new(), vec![root.to_path_buf()]);
    while let Some(directory) = directories.pop() {
        let read = fs::read_dir(&directory).map_err(Error::io("read", &directory))?;
        for entry in read {
            let entry = entry.map_err(Error::io("read", &directory))?;
            let kind = entry.file_type().map_err(Error::io("read", &directory))?;
            if kind.is_dir() {
                directories.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The line of `file`; `None` if its name cannot be written in a line.
fn line(root: &Path, file: &Path) -> Result<Option<Vec<u8>>> {
    let name = file.strip_prefix(root).unwrap_or(file).as_os_str().as_bytes();
    if name.contains(&b'\n') {
        return Ok(None);
    }
    let size = fs::metadata(file).map_err(Error::io("read", file))?.len();
    let mut line = format!("{} {size} ", digest(file)?).into_bytes();
    line.extend_from_slice(name);
    line.push(b'\n');
    Ok(Some(line))
}

/// Records the files below `dir/root`.
pub(crate) fn record(dir: &Path, root: &Path) -> Result<()> {
    let path = dir.join(FILE);
    let fail = || Error::io("write", &path);
    let mut list = BufWriter::new(File::create(&path).map_err(fail())?);
    for file in regular(root)? {
        list.write_all(&line(root, &file)?.unwrap_or_default()).map_err(fail())?;
    }
    list.flush().map_err(fail())
}

/// Records the current state of the files `names` below `root` among the installed ones. Without a list, does
/// nothing.
pub(crate) fn note(dir: &Path, root: &Path, names: &[String]) -> Result<()> {
    let path = dir.join(FILE);
    let Ok(text) = fs::read(&path) else { return Ok(()) };
    let new = |old: &[u8]| names.iter().any(|name| old.ends_with(format!(" {name}").as_bytes()));
    let old = text.split_inclusive(|b| *b == b'\n');
    let mut lines: Vec<u8> =
        old.filter(|old| !new(old.trim_ascii_end())).flatten().copied().collect();
    for name in names {
        lines.extend(line(root, &root.join(name))?.unwrap_or_default());
    }
    let temporary = dir.join(format!(".{FILE}.new"));
    fs::write(&temporary, lines).map_err(Error::io("write", &temporary))?;
    fs::rename(&temporary, &path).map_err(Error::io("write", &path))
}

fn parse(line: &[u8]) -> Option<Installed> {
    let mut parts = line.splitn(3, |b| *b == b' ');
    let sha256 = String::from_utf8(parts.next()?.to_vec()).ok()?;
    let size = std::str::from_utf8(parts.next()?).ok()?.parse().ok()?;
    let path = PathBuf::from(std::ffi::OsString::from_vec(parts.next()?.to_vec()));
    Some(Installed { sha256, size, path })
}

impl Installed {
    /// How the file differs, if it does. Reads its contents only if `contents` is set.
    fn wrong(&self, root: &Path, contents: bool) -> Result<Option<String>> {
        let path = root.join(&self.path);
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(Some("missing".to_owned()));
            }
            Err(error) => return Err(Error::io("read", &path)(error)),
        };
        Ok(if !metadata.is_file() {
            Some("no longer a regular file".to_owned())
        } else if metadata.len() != self.size {
            Some(format!("{} bytes, installed with {}", metadata.len(), self.size))
        } else if contents && digest(&path)? != self.sha256 {
            Some("contents differ from what was installed".to_owned())
        } else {
            None
        })
    }
}

impl Sysroot {
    /// Compares the files with the installed ones, by size and, if `contents` is set, by contents. `None` if nothing
    /// was recorded, as for registered directories.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Damaged`] if the list cannot be read.
    pub fn check(&self, contents: bool) -> Result<Option<Check>> {
        let Some(dir) = self.root.parent() else { return Ok(None) };
        if matches!(self.manifest.origin, Origin::Directory { .. }) {
            return Ok(None);
        }
        let path = dir.join(FILE);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", &path)(error)),
        };
        let mut check = Check { files: 0, changed: Vec::new() };
        for line in text.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
            let why = || format!("{FILE}: {:?}", String::from_utf8_lossy(line));
            let damaged = || Error::Damaged { name: self.name.clone(), why: why() };
            let installed = parse(line).ok_or_else(damaged)?;
            check.files += 1;
            if let Some(what) = installed.wrong(&self.root, contents)? {
                check.changed.push(Changed { path: installed.path, what });
            }
        }
        Ok(Some(check))
    }
}
