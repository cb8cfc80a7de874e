//! The store: the directory of all sysroots.

mod lock;
mod replace;

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::manifest::{Manifest, Origin};
use crate::name::{BUILD, check_name};
use crate::progress::Progress;
use crate::sysroot::Sysroot;
pub(crate) use replace::remove_tree;

/// A system's root has at least one of these directories.
const ROOT_MARKS: &[&str] = &["usr/bin", "usr/lib", "bin", "lib"];

/// The directory of all sysroots and of apt's private state.
///
/// Below it: `sysroots/NAME/{root/, packages.json, files.txt, used}`, `apt/SUITE-ARCH/` (apt's state),
/// `apt/archives/` (downloaded packages), `sources/NAME-SUITE/` (source packages) and `lock`. Readers do not
/// take this lock: what they see is replaced as a whole, by renaming.
#[derive(Debug, Clone)]
pub struct Store {
    home: PathBuf,
    /// Default mirror.
    pub mirror: Option<String>,
    /// Default keyring.
    pub keyring: Option<PathBuf>,
}

/// The result of a removal.
#[derive(Debug)]
pub struct Removed {
    /// Names of the removed sysroots.
    pub names: Vec<String>,
    /// The build sysroot, if it exists but is damaged, so that it is not known whether capvec made it.
    pub damaged: Option<(String, Error)>,
}

impl Store {
    /// The user's store: `$CAPVEC_HOME`, or `$XDG_DATA_HOME/capvec`, or `~/.local/share/capvec`;
    /// with `$CAPVEC_MIRROR` and `$CAPVEC_KEYRING`.
    ///
    /// # Errors
    /// [`Error::NoHome`] if none of these directories is known.
    pub fn from_env() -> Result<Store> {
        let set = |key| std::env::var_os(key).filter(|value| !value.is_empty());
        let home = home(set).ok_or(Error::NoHome)?;
        let mut store = Store::at(&home)?;
        store.keyring = set("CAPVEC_KEYRING").map(PathBuf::from);
        store.mirror = set("CAPVEC_MIRROR").map(|mirror| mirror.to_string_lossy().into_owned());
        Ok(store)
    }

    /// A store in directory `home`, which need not exist yet.
    ///
    /// # Errors
    /// [`Error::Io`] if the path cannot be made absolute.
    pub fn at(home: &Path) -> Result<Store> {
        let home = std::path::absolute(home).map_err(Error::io("find", home))?;
        Ok(Store { home, mirror: None, keyring: None })
    }

    /// The store's directory, in which others may keep caches.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Directory of apt's private state.
    pub(crate) fn apt_dir(&self) -> PathBuf {
        self.home.join("apt")
    }

    fn sysroots(&self) -> PathBuf {
        self.home.join("sysroots")
    }

    pub(crate) fn dir(&self, name: &str) -> PathBuf {
        self.sysroots().join(name)
    }

    /// Opens the sysroot `name` and marks it as in use by this process.
    ///
    /// # Errors
    /// [`Error::NotFound`], which lists the existing ones; [`Error::Damaged`].
    pub fn get(&self, name: &str) -> Result<Sysroot> {
        let sysroot = self.refresh(self.open(name)?);
        self.note_use(name);
        Ok(sysroot)
    }

    /// The sysroot `name`, without marking it as in use.
    fn open(&self, name: &str) -> Result<Sysroot> {
        let not_found = |names: Vec<String>| Error::NotFound {
            name: name.to_owned(),
            known: if names.is_empty() { "none yet".to_owned() } else { names.join(", ") },
        };
        self.find(name)?.map_or_else(|| Err(not_found(self.names()?)), Ok)
    }

    /// The sysroot `name`, if there is one.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Sysroot>> {
        check_name(name)?;
        let dir = self.dir(name);
        match fs::symlink_metadata(&dir) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io("read", &dir)(error)),
        }
        let manifest = Manifest::read(name, &dir)?;
        let root = match &manifest.origin {
            Origin::Apt { .. } => dir.join("root"),
            Origin::Directory { path } => path.clone(),
        };
        if let Some(why) = unlike_a_root(&root) {
            let why = format!("{} {why}", root.display());
            return Err(Error::Damaged { name: name.to_owned(), why });
        }
        Ok(Some(Sysroot { name: name.to_owned(), root, manifest }))
    }

    /// Names of all sysroots, in order.
    fn names(&self) -> Result<Vec<String>> {
        let sysroots = self.sysroots();
        let entries = match fs::read_dir(&sysroots) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(Error::io("read", &sysroots)(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(Error::io("read", &sysroots))?.file_name();
            // Others belong to an add or remove that is in progress or was interrupted.
            names.extend(name.into_string().ok().filter(|name| check_name(name).is_ok()));
        }
        names.sort();
        Ok(names)
    }

    /// All sysroots in order of name, each complete or with its error.
    ///
    /// # Errors
    /// [`Error::Io`] if the store cannot be read.
    pub fn list(&self) -> Result<Vec<(String, Result<Sysroot>)>> {
        let names = self.names()?.into_iter();
        Ok(names.map(|name| (name.clone(), self.open(&name))).collect())
    }

    /// Removes sysroot `name`, even if it is damaged, and the one that capvec made to compile for it. A registered
    /// directory itself is left alone.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Io`].
    pub fn remove(&self, name: &str, progress: &mut dyn FnMut(&Progress)) -> Result<Removed> {
        self.remove_one(name, progress)?;
        let mut removed = Removed { names: vec![name.to_owned()], damaged: None };
        let build = format!("{name}{BUILD}");
        match self.open(&build) {
            Ok(s) if s.is_automatic() => {
                self.remove_one(&build, progress)?;
                removed.names.push(build);
            }
            Ok(_) | Err(Error::NotFound { .. }) => {}
            // It is not known who made it.
            Err(error) => removed.damaged = Some((build, error)),
        }
        Ok(removed)
    }

    fn remove_one(&self, name: &str, progress: &mut dyn FnMut(&Progress)) -> Result<()> {
        check_name(name)?;
        let dir = self.dir(name);
        let is_there = || fs::symlink_metadata(&dir).is_ok();
        // Checked before taking the lock, too, so that an unknown name does not create a store.
        if !is_there() {
            return self.open(name).map(drop);
        }
        let _lock = self.lock(progress)?;
        if !is_there() {
            return self.open(name).map(drop);
        }
        self.sweep()?;
        let doomed = self.sysroots().join(format!(".old-{name}"));
        fs::rename(&dir, &doomed).map_err(Error::io("remove", &dir))?;
        remove_tree(&doomed)
    }

    /// Registers directory `path` as sysroot `name`, in place. Repeating it changes nothing.
    ///
    /// # Errors
    /// [`Error::NotARoot`]; [`Error::Mismatch`] if the name is taken by something else.
    pub fn register(
        &self,
        name: &str,
        path: &Path,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Sysroot> {
        check_name(name)?;
        let not_a_root = |why| Error::NotARoot { path: path.to_path_buf(), why };
        let path = fs::canonicalize(path).map_err(|error| not_a_root(error.to_string()))?;
        if let Some(why) = unlike_a_root(&path) {
            return Err(not_a_root(why.to_owned()));
        }
        let _lock = self.lock(progress)?;
        let origin = Origin::Directory { path };
        if let Some(sysroot) = self.find(name)? {
            if sysroot.manifest.origin == origin {
                return Ok(sysroot);
            }
            return Err(sysroot.mismatch("this directory".to_owned()));
        }
        let new = self.scratch(name)?;
        Manifest::new(origin, Vec::new()).write(&new)?;
        self.place(name, &new)?;
        self.get(name)
    }
}

fn home(set: impl Fn(&'static str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(home) = set("CAPVEC_HOME") {
        return Some(home.into());
    }
    // The XDG base directory specification says to ignore relative paths.
    let data = set("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let data = data.or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/share")))?;
    Some(data.join("capvec"))
}

fn unlike_a_root(path: &Path) -> Option<&'static str> {
    if !path.is_dir() {
        return Some("is not a directory");
    }
    // symlink_metadata, because following an absolute link of a guest's tree would leave the tree.
    let marked = ROOT_MARKS.iter().any(|mark| fs::symlink_metadata(path.join(mark)).is_ok());
    (!marked).then_some("has no usr/bin, usr/lib, bin or lib")
}
