//! The files that hold the shadows of memory that several processes share.

use capvec_sim::mem::{OutOfMemory, SPACE};
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::os::fd::OwnedFd;

/// The shadows of shared objects.
#[derive(Default)]
pub(crate) struct Shares {
    files: HashMap<u64, OwnedFd>,
    /// The space that was looked at last, and its version then.
    pub seen: Option<(u64, u64)>,
}

impl Shares {
    /// The file of an object.
    pub fn file(&mut self, object: u64) -> Result<&OwnedFd, OutOfMemory> {
        Ok(match self.files.entry(object) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let file = memfd_create("taint", MemfdFlags::CLOEXEC)?;
                // Pages that nothing is written to take no memory.
                ftruncate(&file, SPACE)?;
                new.insert(file)
            }
        })
    }
}
