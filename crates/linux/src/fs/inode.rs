//! What is recorded of a file: times, owner, locks, who watches and maps it.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use rustix::fs::Stat as HostStat;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::base::time::EPOCH;
use crate::fs::abi::s;
use crate::fs::locks::flock::Locks;
use crate::fs::locks::record_lock::RecordLocks;
use crate::fs::notify::watch::Watched;
use crate::fs::path::mount::Mount;
use crate::fs::path::permission::Owner;
use crate::fs::pipe::channel::Channel;
use crate::fs::shared_state::Shared;
use crate::fs::stat::{Stat, Timespec};
use crate::fs::unix::UnixSocket;

/// Access, modification and status-change time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub atime: Timespec,
    pub mtime: Timespec,
    pub ctime: Timespec,
}

/// What is known of a host inode that the guest has seen. Whoever holds the inode open holds this,
/// too, so that it outlives the inode's last name.
pub(crate) struct Inode {
    ino: u64,
    /// Times that the guest gave or caused; see `stat` for those before.
    times: Cell<Option<Times>>,
    /// A named pipe that the guest has made.
    guests_pipe: Cell<bool>,
    /// Owner and permission bits of a file that is the guest's alone.
    owner: Cell<Option<Owner>>,
    /// The queue of a named pipe while it is open.
    channel: RefCell<Weak<Channel>>,
    /// The socket that has its name here.
    pub socket: RefCell<Weak<UnixSocket>>,
    /// Who has locked it.
    pub locks: Locks,
    /// Who has locked parts of it.
    pub records: RecordLocks,
    /// Who watches it.
    pub watched: Watched,
    /// Its pages while they are mapped to be shared.
    mapped: RefCell<Option<Weak<dyn MappedPages>>>,
    /// Bytes of the guest's memory that it takes: its record, and contents if it is the guest's alone.
    charge: Charge,
    /// For names beyond the first.
    more_names: Charge,
}

/// The pages that mappings of a file share.
pub trait MappedPages: Any {
    /// Writes what mappings have changed in `len` bytes at `at` to the file.
    ///
    /// # Errors
    /// Those of the file.
    fn settle(&self, at: u64, len: u64) -> Result<()>;

    /// Reads `len` bytes at `at` from the file again.
    ///
    /// # Errors
    /// Those of the file.
    fn renew(&self, at: u64, len: u64) -> Result<()>;
}

/// A part of a file that mappings agree about.
pub(crate) struct Settled(Option<(Rc<dyn MappedPages>, u64)>);

impl Settled {
    /// Its first bytes have been written to the file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn written(self, bytes: usize) -> Result<usize> {
        if let Some((pages, at)) = self.0 {
            pages.renew(at, bytes as u64)?;
        }
        Ok(bytes)
    }
}

/// Bytes that an inode takes by itself: on the host about a page of some kind or other.
pub(super) const INODE: u64 = 4096;

/// Bytes that the record of an inode counts: it stays, since the guest is to see the same number again.
pub(super) const RECORD: u64 = 256;

/// Bytes that a further name of a private file counts: its place in the directory, and the host's record of it.
const NAME: u64 = 1024;

/// A hold on an inode's record, opaque outside.
pub struct InodeRef(pub(crate) Rc<Inode>);

impl Inode {
    /// A record with this number. The charges are for itself, its record locks and its names.
    pub fn new(ino: u64, record: Charge, locks: Charge, names: Charge) -> Inode {
        Inode {
            ino,
            times: Cell::new(None),
            guests_pipe: Cell::new(false),
            owner: Cell::new(None),
            channel: RefCell::default(),
            socket: RefCell::default(),
            locks: Locks::default(),
            records: RecordLocks::new(locks),
            watched: Watched::default(),
            mapped: RefCell::default(),
            charge: record,
            more_names: names,
        }
    }

    /// Changes the recorded times.
    pub fn update(&self, stat: &HostStat, change: impl FnOnce(&mut Times)) {
        let mut times = self.times.get().unwrap_or_else(|| host_times(stat));
        change(&mut times);
        self.times.set(Some(times));
    }

    /// Owner and permission bits, if they are kept here.
    pub fn owner(&self) -> Option<Owner> {
        self.owner.get()
    }

    /// Keeps owner and permission bits here from now on.
    pub fn set_owner(&self, owner: Owner) {
        self.owner.set(Some(owner));
    }

    /// The pages that mappings of the file share, while there are any.
    pub fn mapped_pages(&self) -> Option<Rc<dyn MappedPages>> {
        self.mapped.borrow().as_ref()?.upgrade()
    }

    /// Mappings of the file share these pages from now on.
    pub fn set_mapped_pages(&self, pages: Weak<dyn MappedPages>) {
        self.mapped.replace(Some(pages));
    }

    /// Before `len` bytes of the file are read or written, at what `at` returns: brings what mappings have
    /// changed there into it. What is returned is told of the write.
    ///
    /// # Errors
    /// Those of the file.
    pub fn settle(&self, at: impl FnOnce() -> Result<u64>, len: usize) -> Result<Settled> {
        let Some(pages) = self.mapped_pages() else { return Ok(Settled(None)) };
        let at = at()?;
        pages.settle(at, len as u64)?;
        Ok(Settled(Some((pages, at))))
    }

    /// After the file has become `size` bytes long: what lies behind is gone from the mappings, too.
    ///
    /// # Errors
    /// Those of the file.
    pub fn truncated(&self, size: u64) -> Result<()> {
        self.mapped_pages().map_or(Ok(()), |pages| pages.renew(size, u64::MAX))
    }

    /// It is a named pipe that the guest has just made.
    pub fn set_guests_pipe(&self) {
        self.guests_pipe.set(true);
    }

    /// Whether it is a named pipe that the guest has made.
    pub fn is_guests_pipe(&self) -> bool {
        self.guests_pipe.get()
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

    /// Takes memory for a private file of `size` bytes, or gives some back.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn occupy(&self, size: u64) -> Result<()> {
        let bytes = INODE.saturating_add(size).next_multiple_of(INODE);
        self.charge.resize(bytes).map_err(|_| Errno::ENOSPC)
    }

    /// A private file has so many names: takes memory for them, or gives some back.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn set_names(&self, names: u32) -> Result<()> {
        let more = u64::from(names.saturating_sub(1));
        self.more_names.resize(more * NAME).map_err(|_| Errno::ENOSPC)
    }

    /// As `occupy` for a file that grows to `size` bytes, if it does.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn grow(&self, size: u64) -> Result<()> {
        if size.saturating_add(INODE) > self.charge.bytes() { self.occupy(size) } else { Ok(()) }
    }

    /// Attributes for the guest, for a file that lies on mount `mnt_id` with device number `dev`.
    pub fn stat(&self, host: &HostStat, dev: u64, mnt_id: u64) -> Stat {
        let times = match self.times.get() {
            Some(times) => times,
            None if mnt_id <= Mount::ROOT => SYSTEM_TIMES,
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
            // A system's files may have been linked into a copy or a backup of it on the host.
            nlink: if is_dir || mnt_id == Mount::ROOT { 1 } else { host.st_nlink as u32 },
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

/// Times of the sysroot's files and of the standard streams: when the virtual clock starts. The host's depend
/// on when the sysroot was unpacked and what else writes to the stream.
const SYSTEM_TIMES: Times = {
    let start = Timespec { sec: EPOCH as i64, nsec: 0 };
    Times { atime: start, mtime: start, ctime: start }
};

/// For binds the host's modification time, which tools such as make need, stands for all three: the other two
/// depend on how the file came there and who read it since.
fn host_times(stat: &HostStat) -> Times {
    let mtime = Timespec { sec: stat.st_mtime, nsec: (stat.st_mtime_nsec as u32).min(999_999_999) };
    Times { atime: mtime, mtime, ctime: mtime }
}
