//! `O_PATH` descriptions.

use std::rc::Rc;

use crate::base::errno::Result;
use crate::fs::object::FileObject;
use crate::fs::path::located::Dir;
use crate::fs::stat::{Stat, StatFs};
use crate::fs::vfs::Vfs;

/// A description opened with `O_PATH`: it names a place and cannot be read.
pub(crate) struct PathFile {
    vfs: Vfs,
    place: Dir,
    open: Option<Rc<dyn FileObject>>,
}

impl PathFile {
    /// An `O_PATH` description of `place`.
    pub fn new(vfs: &Vfs, place: Dir) -> PathFile {
        PathFile { vfs: vfs.clone(), place, open: None }
    }

    /// An `O_PATH` description of an open file's object.
    pub fn of_open(vfs: &Vfs, object: Rc<dyn FileObject>, place: Dir) -> PathFile {
        PathFile { vfs: vfs.clone(), place, open: Some(object) }
    }
}

impl FileObject for PathFile {
    fn stat(&self) -> Result<Stat> {
        self.vfs.stat_place(&self.place)
    }

    fn label(&self) -> Vec<u8> {
        match &self.open {
            Some(object) => object.label(),
            None => self.place.path().to_vec(),
        }
    }

    fn statfs(&self) -> StatFs {
        self.place.mount.statfs()
    }
}
