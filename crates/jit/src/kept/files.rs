//! Files of translations, for later processes that run the same program.
//!
//! The code in a file is executed, so a file is used only if it and its directory belong to this user, nobody else can write to them, and
//! its digest is right; what it is for, and which build of capvec made it, is part of its name and of its content. Whoever can
//! replace it can have this user execute anything, so `run` refuses writable binds that reach capvec's store (SECURITY.md).

use super::kind::{Kind, MAX_AT_ADDRESS};
use super::stored::{Damage, Stored, private};
use rustix::fs::OFlags;
use rustix::io::Errno;
use sha2::{Digest, Sha256};
use std::fmt::{Display, Write as _};
use std::fs::{Metadata, OpenOptions};
use std::io::{BufWriter, ErrorKind};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The sources, compiler and options that this engine was built from, as a number: see `build.rs`.
const BUILD: &str = env!("CAPVEC_ENGINE");

/// Most bytes of all files together; the oldest make room.
const MAX_BYTES: u64 = 512 << 20;

/// A temporary file that is older belongs to a process that was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// How the names of temporary files begin.
const TEMPORARY: &str = ".new-";

/// The file of a program: one for each kind of engine, in a directory.
pub struct File {
    dir: PathBuf,
    program: String,
}

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("not a regular file")]
    Special,
    #[error("another user owns it or can write to it")]
    Untrusted,
    #[error(
        "another user owns its directory or can write to it, or it is a link; remove it, or set its mode to 700"
    )]
    Directory,
    #[error("larger than all such files together may be")]
    TooLarge,
    #[error(transparent)]
    Damage(#[from] Damage),
}

impl File {
    /// The file of the program of this name, in a directory that need not exist yet.
    pub fn new(dir: &Path, program: &str) -> File {
        File { dir: dir.into(), program: program.into() }
    }

    /// What the translations of a kind are for.
    fn about(&self, kind: &Kind) -> String {
        format!("{BUILD} {kind:?} {}", self.program)
    }

    fn path(&self, about: &str) -> PathBuf {
        let mut name = String::new();
        for byte in &Sha256::digest(about)[..16] {
            let _ = write!(name, "{byte:02x}");
        }
        self.dir.join(name)
    }

    /// The translations for this kind of engine; none if there is no file.
    ///
    /// # Errors
    /// There is a file, but it cannot be used; the text says why.
    pub fn read(&self, kind: &Kind) -> Result<Stored, String> {
        let about = self.about(kind);
        let path = self.path(&about);
        match read(&self.dir, &path, &about) {
            Ok(stored) => Ok(stored),
            Err(Refused::Io(e)) if e.kind() == ErrorKind::NotFound => Ok(Stored::default()),
            Err(e) => Err(self.ignored(kind, &e)),
        }
    }

    /// A message: the file for this kind of engine is ignored, for this reason.
    pub fn ignored(&self, kind: &Kind, why: &impl Display) -> String {
        format!("{}: {why}; ignored", self.path(&self.about(kind)).display())
    }

    /// The directory of all files.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes the file with at most about `bytes` bytes, if that is possible: without it, later runs are slower.
    pub fn write(&self, kind: &Kind, stored: &Stored, bytes: usize) {
        let about = self.about(kind);
        let _ = self.make_room(stored.size().min(bytes) as u64);
        let path = self.path(&about);
        let replaced = self.replace(&path, &about, stored, bytes);
        // Without the damaged file, the next run begins anew. A good one stays if, for example, the disk is full.
        if replaced.is_err() && stored.damage().is_some() {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Not synchronised with the disk: a file that was cut off has the wrong digest.
    fn replace(
        &self,
        path: &Path,
        about: &str,
        stored: &Stored,
        bytes: usize,
    ) -> std::io::Result<()> {
        private(&self.dir)?;
        // Only its owner can read and write a temporary file.
        let new = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(&self.dir)?;
        let mut new = BufWriter::new(new);
        stored.write(about, bytes, MAX_AT_ADDRESS, &mut new)?;
        new.into_inner()?.persist(path)?;
        Ok(())
    }

    /// Removes what killed processes have left, and the oldest files until there is room for `bytes` more.
    fn make_room(&self, bytes: u64) -> std::io::Result<()> {
        let age = |entry: std::fs::DirEntry| {
            let about = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some((modified, about.len(), entry.path()))
        };
        let mut files: Vec<_> = std::fs::read_dir(&self.dir)?.flatten().filter_map(age).collect();
        files.sort();
        let mut all = bytes + files.iter().map(|(_, len, _)| len).sum::<u64>();
        let now = SystemTime::now();
        for (modified, len, path) in files {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let old = now.duration_since(modified).is_ok_and(|age| age > ABANDONED);
            let abandoned = old && name.starts_with(TEMPORARY.as_bytes());
            if all <= MAX_BYTES && !abandoned {
                continue;
            }
            std::fs::remove_file(path)?;
            all -= len;
        }
        Ok(())
    }
}

/// Whether this user owns it, and nobody else can write to it.
fn is_private(about: &Metadata) -> bool {
    about.uid() == rustix::process::geteuid().as_raw() && about.mode() & 0o022 == 0
}

fn read(dir: &Path, path: &Path, about: &str) -> Result<Stored, Refused> {
    // A pipe in its place would wait for a writer, and a link could lead to a file of this user's that somebody else has made.
    let flags = (OFlags::NONBLOCK | OFlags::NOFOLLOW).bits() as i32;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Err(e) if e.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            return Err(Refused::Special);
        }
        opened => opened?,
    };
    if !is_private(&std::fs::symlink_metadata(dir)?) {
        return Err(Refused::Directory);
    }
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(Refused::Special);
    }
    if !is_private(&found) {
        return Err(Refused::Untrusted);
    }
    if found.len() > MAX_BYTES {
        return Err(Refused::TooLarge);
    }
    Ok(Stored::read(file, about)?)
}
