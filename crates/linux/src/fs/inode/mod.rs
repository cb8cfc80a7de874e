//! The record of an inode: its times, owner, locks, watches and shared mappings.

pub(super) mod owner;
pub(super) mod table;

use std::cell::{Cell, RefCell};
use std::os::fd::OwnedFd;
use std::rc::{Rc, Weak};

use self::owner::Owner;
use rustix::fs::Stat as HostStat;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::base::time::EPOCH;
use crate::fs::abi::s;
use crate::fs::channel::Channel;
use crate::fs::locks::FileLocks;
use crate::fs::shared_state::Shared;
use crate::fs::stat::{Stat, Timespec};
use crate::fs::watch::Watched;

/// Access, modification and status-change time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub atime: Timespec,
    pub mtime: Timespec,
    pub ctime: Timespec,
}

/// The record of a host inode that the guest has seen. Every open file of the inode holds it, so that it outlives
/// the inode's last name.
pub(crate) struct Inode {
    ino: u64,
    /// Times that the guest has set or caused; until then, see `stat`.
    times: Cell<Option<Times>>,
    /// It is a named pipe that the guest has made.
    guest_fifo: Cell<bool>,
    /// Owner and permission bits of a file that is the guest's alone.
    owner: Cell<Option<Owner>>,
    /// The queue of a named pipe while it is open.
    channel: RefCell<Weak<Channel>>,
    /// Its locks.
    pub locks: Rc<FileLocks>,
    /// Its watches.
    pub watched: Rc<Watched>,
    /// Its pages while shared mappings exist.
    mapped: RefCell<Option<Weak<dyn MappedPages>>>,
    /// The host's descriptor through which private mappings show its pages.
    pub image: RefCell<Weak<OwnedFd>>,
    /// Guest memory charged for the record, and for the contents of a private file.
    charge: Charge,
    /// For hard links beyond the first.
    extra_links: Charge,
}

/// The pages that the shared mappings of a file have in common.
pub trait MappedPages {
    /// Writes changes that mappings have made in `len` bytes at `at` back to the file.
    ///
    /// # Errors
    /// Those of the file.
    fn write_back(&self, at: u64, len: u64) -> Result<()>;

    /// Reads `len` bytes at `at` again from the file.
    ///
    /// # Errors
    /// Those of the file.
    fn reload(&self, at: u64, len: u64) -> Result<()>;
}

/// A range of a file for which shared mappings have been written back.
pub(crate) struct SyncedRange(Option<(Rc<dyn MappedPages>, u64)>);

impl SyncedRange {
    /// Reloads the first `bytes` bytes, which have been written to the file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn written(self, bytes: usize) -> Result<usize> {
        if let Some((pages, at)) = self.0 {
            pages.reload(at, bytes as u64)?;
        }
        Ok(bytes)
    }
}

/// Bytes charged for an inode of a private file: about a page on the host.
const INODE: u64 = 4096;

/// Bytes charged for the record of an inode. It stays, since the guest must see the same number again.
const RECORD: u64 = 256;

/// Bytes charged for a further link to a private file: its directory entry on the host.
const NAME: u64 = 1024;

/// A reference to an inode's record, opaque outside this crate.
pub struct InodeRef(pub(crate) Rc<Inode>);

impl Inode {
    /// A record with this number. The charges are for itself, its record locks and its links.
    pub fn new(ino: u64, record: Charge, locks: Charge, names: Charge) -> Inode {
        Inode {
            ino,
            times: Cell::new(None),
            guest_fifo: Cell::new(false),
            owner: Cell::new(None),
            channel: RefCell::default(),
            locks: FileLocks::new(locks),
            watched: Rc::default(),
            mapped: RefCell::default(),
            image: RefCell::default(),
            charge: record,
            extra_links: names,
        }
    }

    /// Its number in the guest, which no other inode has or has had.
    pub fn ino(&self) -> u64 {
        self.ino
    }

    /// Records that the guest modified the contents at the time `now`.
    pub fn modified(&self, stat: &HostStat, now: Timespec) {
        self.update(stat, |t| {
            t.mtime = now;
            t.ctime = now;
        });
    }

    /// Records that the guest created the file at the time `now`.
    pub fn created(&self, stat: &HostStat, now: Timespec) {
        self.update(stat, |t| *t = Times { atime: now, mtime: now, ctime: now });
    }

    /// Records that the guest changed attributes or names at the time `now`.
    pub fn changed(&self, stat: &HostStat, now: Timespec) {
        self.update(stat, |t| t.ctime = now);
    }

    /// Changes the recorded times.
    pub fn update(&self, stat: &HostStat, change: impl FnOnce(&mut Times)) {
        let mut times = self.times.get().unwrap_or_else(|| host_times(stat));
        change(&mut times);
        self.times.set(Some(times));
    }

    /// Owner and permission bits, if the record has them.
    pub fn owner(&self) -> Option<Owner> {
        self.owner.get()
    }

    /// Sets owner and permission bits, which the record has from now on.
    pub fn set_owner(&self, owner: Owner) {
        self.owner.set(Some(owner));
    }

    /// The pages of shared mappings, while there are any.
    pub fn mapped_pages(&self) -> Option<Rc<dyn MappedPages>> {
        self.mapped.borrow().as_ref()?.upgrade()
    }

    /// Sets the pages that shared mappings of the file use from now on.
    pub fn set_mapped_pages(&self, pages: Weak<dyn MappedPages>) {
        self.mapped.replace(Some(pages));
    }

    /// Writes changes of shared mappings back before `len` bytes are read or written at the offset that `at` returns.
    /// After a write, the result's `written` must be called.
    ///
    /// # Errors
    /// Those of the file.
    pub fn sync_mapped(&self, at: impl FnOnce() -> Result<u64>, len: usize) -> Result<SyncedRange> {
        let Some(pages) = self.mapped_pages() else { return Ok(SyncedRange(None)) };
        let at = at()?;
        pages.write_back(at, len as u64)?;
        Ok(SyncedRange(Some((pages, at))))
    }

    /// Reloads the mappings beyond `size`, to which the file has been truncated.
    ///
    /// # Errors
    /// Those of the file.
    pub fn truncated(&self, size: u64) -> Result<()> {
        self.mapped_pages().map_or(Ok(()), |pages| pages.reload(size, u64::MAX))
    }

    /// Marks a named pipe that the guest has just made.
    pub fn set_guest_fifo(&self) {
        self.guest_fifo.set(true);
    }

    /// Whether it is a named pipe that the guest has made.
    pub fn is_guest_fifo(&self) -> bool {
        self.guest_fifo.get()
    }

    /// The queue of a named pipe: the one that others have open, or a new one.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn channel(&self, shared: &Rc<Shared>) -> Result<Rc<Channel>> {
        let mut known = self.channel.borrow_mut();
        if let Some(channel) = known.upgrade() {
            return Ok(channel);
        }
        let fresh = Channel::new(shared)?;
        *known = Rc::downgrade(&fresh);
        Ok(fresh)
    }

    /// Adjusts the charge to a private file of `size` bytes.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn charge_contents(&self, size: u64) -> Result<()> {
        let bytes = INODE.saturating_add(size).next_multiple_of(INODE);
        self.charge.resize(bytes).map_err(|_| Errno::ENOSPC)
    }

    /// Adjusts the charge to the number of links of a private file.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn set_link_count(&self, names: u32) -> Result<()> {
        let more = u64::from(names.saturating_sub(1));
        self.extra_links.resize(more * NAME).map_err(|_| Errno::ENOSPC)
    }

    /// Calls `charge_contents` if the file grows to `size` bytes.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn grow(&self, size: u64) -> Result<()> {
        if size.saturating_add(INODE) > self.charge.bytes() {
            self.charge_contents(size)
        } else {
            Ok(())
        }
    }

    /// Attributes for the guest, for a file that lies on mount `mnt_id` with device number `dev`.
    pub fn stat(&self, host: &HostStat, dev: u64, mnt_id: u64) -> Stat {
        let times = match self.times.get() {
            Some(times) => times,
            None if mnt_id <= Stat::ROOT_MOUNT => SYSTEM_TIMES,
            None => host_times(host),
        };
        let kind = host.st_mode & s::IFMT;
        let is_dir = kind == s::IFDIR;
        let host_owner = Owner { uid: 0, gid: 0, mode: host.st_mode & !s::IFMT };
        let Owner { uid, gid, mode } = self.owner.get().unwrap_or(host_owner);
        Stat {
            dev,
            ino: self.ino,
            mode: kind | mode,
            uid,
            gid,
            // On the host, files of the sysroot may be hard-linked into a copy or a backup of it.
            nlink: if is_dir || mnt_id == Stat::ROOT_MOUNT { 1 } else { host.st_nlink as u32 },
            rdev: host.st_rdev,
            // Directories' sizes differ between host file systems.
            size: if is_dir { 4096 } else { host.st_size.max(0) as u64 },
            atime: times.atime,
            mtime: times.mtime,
            ctime: times.ctime,
            mnt_id,
        }
    }
}

/// Times of the sysroot's files and of the standard streams: the start of the virtual clock. The host's times
/// depend on when the sysroot was unpacked and on other writers of the stream.
const SYSTEM_TIMES: Times = {
    let start = Timespec { sec: EPOCH as i64, nsec: 0 };
    Times { atime: start, mtime: start, ctime: start }
};

/// Times of files under binds. The host's modification time, which tools such as make need, stands for all three:
/// the other two depend on how the file was copied there and on who has read it.
fn host_times(stat: &HostStat) -> Times {
    let mtime = Timespec { sec: stat.st_mtime, nsec: (stat.st_mtime_nsec as u32).min(999_999_999) };
    Times { atime: mtime, mtime, ctime: mtime }
}
