//! Garbage collection: sysroots that capvec made for itself, compiled drivers, and downloaded packages.
//!
//! Each sysroot has a file `used`, whose modification time is that of the last use; its users hold a shared lock on
//! it. The directory of drivers has such a file, too.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rustix::fs::{FlockOperation, flock};

use crate::error::{Error, Result};
use crate::manifest::{FILE, Manifest};
use crate::name::BUILD;
use crate::progress::Progress;
use crate::store::{Store, remove_tree};
use crate::sysroot::Sysroot;

const USED: &str = "used";

/// Locks on the sysroots that this process uses, held until it ends.
static HELD: Mutex<BTreeMap<PathBuf, File>> = Mutex::new(BTreeMap::new());

/// Something that can be removed, because it can be fetched or compiled again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// A sysroot's name, or a description.
    pub name: String,
    /// Bytes that it occupies.
    pub bytes: u64,
    /// When it was last used.
    pub used: SystemTime,
}

/// The result of a collection.
#[derive(Debug, Default)]
pub struct Collected {
    /// Removed or, in a dry run, to be removed, in this order.
    pub removed: Vec<Item>,
    /// Kept, because there is room for it.
    pub kept: Vec<Item>,
    /// Kept, because another process uses it.
    pub busy: Vec<Item>,
}

/// What to collect.
#[derive(Debug, Clone, Copy)]
pub struct Collect<'a> {
    /// Total size of removable things to keep.
    pub keep: u64,
    /// Only report what would be removed.
    pub dry_run: bool,
    /// Only sysroots whose name starts with this, and neither drivers nor downloaded packages.
    pub only: Option<&'a str>,
}

impl Sysroot {
    /// Whether capvec made it for itself, so that it may be removed. Manifests of older versions do not say; then the
    /// names and packages that those versions used decide.
    pub fn is_automatic(&self) -> bool {
        let Manifest { automatic, .. } = &self.manifest;
        automatic.unwrap_or_else(|| {
            let asked: Vec<&str> = self.manifest.requested().collect();
            let scanned = self.name.strip_prefix("doctor-").zip(asked.first());
            let scanned = scanned.and_then(|(rest, package)| rest.strip_prefix(package));
            let builds = ["gcc", "libc6-dev", "libssl-dev"];
            (asked.len() == 1 && scanned.is_some_and(|arch| arch.starts_with('-')))
                || (self.name.ends_with(BUILD) && asked == builds)
        })
    }
}

impl Store {
    /// Records that this process uses the sysroot until it ends. Does nothing if the store is not writable.
    pub(crate) fn note_use(&self, name: &str) {
        hold(self.dir(name).join(USED));
    }

    /// The directory of compiled drivers, marked as in use by this process until it ends.
    pub fn drivers(&self) -> PathBuf {
        let dir = self.home().join("drivers");
        // Whoever compiles reports an unwritable store.
        let _ = fs::create_dir_all(&dir);
        hold(dir.join(USED));
        dir
    }

    /// Removes downloaded packages, compiled drivers, and sysroots that capvec made for itself, unless they are in use,
    /// least recently used first, until they total at most `keep` bytes.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn collect(&self, what: Collect, progress: &mut dyn FnMut(&Progress)) -> Result<Collected> {
        let mut done = Collected::default();
        if !self.home().is_dir() {
            return Ok(done);
        }
        let _lock = self.lock(progress)?;
        if !what.dry_run {
            self.sweep()?;
        }
        let mut items = self.collectable(what.only)?;
        let mut left: u64 = items.iter().map(|(item, _)| item.bytes).sum();
        items.sort_by(|(a, _), (b, _)| (a.used, &a.name).cmp(&(b.used, &b.name)));
        for (item, path) in items {
            if left <= what.keep {
                done.kept.push(item);
                continue;
            }
            let Some(_free) = exclusive(&path) else {
                done.busy.push(item);
                continue;
            };
            if !what.dry_run {
                self.discard(&path)?;
            }
            left -= item.bytes;
            done.removed.push(item);
        }
        Ok(done)
    }

    /// The removable things and their paths.
    fn collectable(&self, only: Option<&str>) -> Result<Vec<(Item, PathBuf)>> {
        let mut items = Vec::new();
        let named = |name: &String| only.is_none_or(|only| name.starts_with(only));
        for (name, sysroot) in self.list()?.into_iter().filter(|(name, _)| named(name)) {
            let Some(sysroot) = sysroot.ok().filter(Sysroot::is_automatic) else { continue };
            let dir = self.dir(&name);
            let item = Item { name, bytes: sysroot.size_bytes()?, used: used(&dir) };
            items.push((item, dir));
        }
        let archives = self.apt_dir().join("archives");
        if only.is_none() {
            let files = fs::read_dir(&archives).into_iter().flatten().flatten();
            let files = files.filter_map(|f| f.metadata().ok()).filter(|m| m.is_file());
            let (bytes, used) = files.fold((0, SystemTime::UNIX_EPOCH), |(sum, last), m| {
                (sum + m.len(), last.max(m.modified().unwrap_or(last)))
            });
            if bytes > 0 {
                items.push((Item { name: "downloaded packages".into(), bytes, used }, archives));
            }
            let drivers = self.home().join("drivers");
            let bytes = size(&drivers);
            if bytes > 0 {
                let used = self::used(&drivers);
                items.push((Item { name: "compiled drivers".into(), bytes, used }, drivers));
            }
        }
        Ok(items)
    }

    /// Removes the directory of a sysroot or of the drivers in one step, or the downloaded packages.
    fn discard(&self, path: &Path) -> Result<()> {
        let Some(name) = path.parent().filter(|p| *p != self.apt_dir()).and(path.file_name())
        else {
            return remove_tree(path);
        };
        let doomed = path.with_file_name(format!(".old-{}", name.to_string_lossy()));
        fs::rename(path, &doomed).map_err(Error::io("remove", path))?;
        remove_tree(&doomed)
    }
}

/// Marks a sysroot or the drivers as used now, and as in use until this process ends.
fn hold(path: PathBuf) {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let Ok(file) = file else { return };
    let _ = file.set_modified(SystemTime::now());
    if flock(&file, FlockOperation::NonBlockingLockShared).is_ok() {
        held.insert(path, file);
    }
}

/// Bytes of the files below a directory.
fn size(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let bytes = entries.filter_map(|e| {
        let metadata = e.metadata().ok()?;
        Some(if metadata.is_dir() { size(&e.path()) } else { metadata.len() })
    });
    bytes.sum()
}

/// When the sysroot in `dir` was last used.
fn used(dir: &Path) -> SystemTime {
    let time = |file: &str| fs::metadata(dir.join(file)).and_then(|m| m.modified()).ok();
    time(USED).or_else(|| time(FILE)).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// An exclusive lock, to be held during removal; `None` if it is in use.
fn exclusive(path: &Path) -> Option<Option<File>> {
    let Ok(file) = File::open(path.join(USED)) else { return Some(None) };
    flock(&file, FlockOperation::NonBlockingLockExclusive).ok()?;
    Some(Some(file))
}
