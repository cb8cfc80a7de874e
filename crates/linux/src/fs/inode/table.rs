//! The inodes that the guest has seen.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use rustix::fs::Stat as HostStat;

use super::{INODE, Inode, RECORD};
use crate::base::errno::{Errno, Result};
use crate::fs::shared_state::Shared;

/// Identity of a host inode: device and inode number.
type HostKey = (u64, u64);

/// The records of host inodes.
pub(crate) struct InodeTable {
    shared: Rc<Shared>,
    records: RefCell<HashMap<HostKey, Rc<Inode>>>,
}

impl InodeTable {
    /// An empty table.
    pub fn new(shared: &Rc<Shared>) -> InodeTable {
        InodeTable { shared: Rc::clone(shared), records: RefCell::default() }
    }

    /// The record of a host inode. At first sight it is made, numbered and charged to the guest's memory.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn record(&self, stat: &HostStat) -> Result<Rc<Inode>> {
        // The host may reuse an unnamed file's number as soon as the file is closed.
        let named = stat.st_nlink != 0;
        if let Some(known) = self.records.borrow().get(&key_of(stat)).filter(|_| named) {
            return Ok(Rc::clone(known));
        }
        let ino = self.shared.fresh_ino();
        let charge = |bytes| self.shared.charge(bytes);
        let (record, locks, names) = (charge(RECORD)?, charge(0)?, charge(0)?);
        let fresh = Rc::new(Inode::new(ino, record, locks, names));
        if named {
            self.records.borrow_mut().insert(key_of(stat), Rc::clone(&fresh));
        }
        Ok(fresh)
    }

    /// Registers the record of an inode that has just got its first name (`O_TMPFILE`).
    pub fn remember(&self, stat: &HostStat, inode: &Rc<Inode>) {
        self.records.borrow_mut().entry(key_of(stat)).or_insert_with(|| Rc::clone(inode));
    }

    /// Forgets a host inode whose last name has been removed: the host may reuse its number at once or
    /// never, and the guest must not see the difference.
    pub fn forget(&self, stat: &HostStat) {
        self.records.borrow_mut().remove(&key_of(stat));
    }

    /// Checks that memory is left for another private file.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn room_for_inode(&self) -> Result<()> {
        self.shared.charge(INODE).map(drop).map_err(|_| Errno::ENOSPC)
    }
}

/// The identity of the inode that `stat` describes.
fn key_of(stat: &HostStat) -> HostKey {
    (stat.st_dev, stat.st_ino)
}
