//! State shared by the file system and every open file.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::rc::{Rc, Weak};

use rustix::fs::Stat as HostStat;
use rustix::termios::{self, OptionalActions, Termios};

use crate::base::charge::{Charge, Meter};
use crate::base::errno::{Errno, Result};
use crate::fs::anon_inode::signalfd::Signals;
use crate::fs::locks::FileLocks;
use crate::fs::open_file::FileRef;
use crate::fs::platform::Platform;
use crate::fs::unix::{AbstractNames, AllSockets};

use crate::fs::inode::{INODE, Inode, RECORD, Times};
/// Identity of a host inode: device and inode number.
type HostKey = (u64, u64);

/// State shared by the file system and every open file.
pub(crate) struct Shared {
    platform: Rc<dyn Platform>,
    inodes: RefCell<HashMap<HostKey, Rc<Inode>>>,
    /// Locks of virtual files that are open, by inode number.
    virtual_locks: RefCell<HashMap<u64, Weak<FileLocks>>>,
    next_ino: Cell<u64>,
    activity: Cell<u64>,
    terminal: RefCell<Option<SavedTerminal>>,
    controlling: Cell<bool>,
    sockets: RefCell<AbstractNames>,
    all_sockets: RefCell<AllSockets>,
    /// State of signalfd descriptors.
    pub signals: Signals,
    /// Numbers of watches and of inotify descriptors, and the cookie of the last rename.
    watches: Cell<u64>,
    inotify_instances: Cell<u32>,
    rename_cookie: Cell<u32>,
    to_close: RefCell<Vec<FileRef>>,
    closing: Cell<bool>,
}

/// A host terminal whose modes the guest has changed, with its former modes, which are restored on drop.
struct SavedTerminal {
    fd: Rc<OwnedFd>,
    modes: Termios,
}

impl Drop for SavedTerminal {
    fn drop(&mut self) {
        // A terminal that no longer exists needs no restoring.
        let _ = termios::tcsetattr(&*self.fd, OptionalActions::Now, &self.modes);
    }
}

impl Shared {
    /// First inode number that is given out; lower ones are reserved as on real file systems.
    const FIRST_INO: u64 = 11;

    pub fn new(platform: Rc<dyn Platform>) -> Rc<Shared> {
        Rc::new(Shared {
            platform,
            inodes: RefCell::default(),
            virtual_locks: RefCell::default(),
            next_ino: Cell::new(Self::FIRST_INO),
            activity: Cell::new(0),
            terminal: RefCell::default(),
            controlling: Cell::new(false),
            sockets: RefCell::default(),
            all_sockets: RefCell::default(),
            signals: Signals::default(),
            watches: Cell::new(0),
            inotify_instances: Cell::new(0),
            rename_cookie: Cell::new(0),
            to_close: RefCell::default(),
            closing: Cell::new(false),
        })
    }

    pub fn platform(&self) -> &dyn Platform {
        &*self.platform
    }

    /// Charges the guest's memory.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn charge(&self, bytes: u64) -> Result<Charge> {
        Charge::new(Rc::clone(&self.platform) as Rc<dyn Meter>, bytes)
    }

    /// Closes files that were in flight in a socket. Such a file may be a socket with further files in flight, to any
    /// depth, so they are closed in a loop and not recursively.
    pub fn close_iteratively(&self, files: Vec<FileRef>) {
        self.to_close.borrow_mut().extend(files);
        if self.closing.replace(true) {
            return;
        }
        loop {
            let next = self.to_close.borrow_mut().pop();
            let Some(file) = next else { break };
            drop(file);
        }
        self.closing.set(false);
    }

    /// The number of watches.
    pub fn watches(&self) -> u64 {
        self.watches.get()
    }

    /// Adds to the number of watches.
    pub fn count_watches(&self, more: i64) {
        self.watches.set(self.watches.get().saturating_add_signed(more));
    }

    /// The number of inotify descriptors.
    pub fn inotify_instances(&self) -> u32 {
        self.inotify_instances.get()
    }

    /// Adds to the number of inotify descriptors.
    pub fn count_inotify(&self, more: i32) {
        self.inotify_instances.set(self.inotify_instances.get().saturating_add_signed(more));
    }

    /// A fresh cookie, which connects the two events of a rename.
    pub fn fresh_cookie(&self) -> u32 {
        self.rename_cookie.set(self.rename_cookie.get().wrapping_add(1));
        self.rename_cookie.get()
    }

    /// The sockets with abstract names.
    pub fn sockets(&self) -> RefMut<'_, AbstractNames> {
        self.sockets.borrow_mut()
    }

    /// All sockets of `AF_UNIX`.
    pub fn all_sockets(&self) -> RefMut<'_, AllSockets> {
        self.all_sockets.borrow_mut()
    }

    /// A counter that grows whenever a pipe, socket or event descriptor changes state.
    pub fn activity(&self) -> u64 {
        self.activity.get()
    }

    pub fn note_activity(&self) {
        self.activity.set(self.activity.get() + 1);
    }

    /// Remembers a terminal's modes before the first change, to restore them at the end.
    pub fn save_terminal(&self, fd: &Rc<OwnedFd>) {
        let mut saved = self.terminal.borrow_mut();
        if saved.is_none() {
            let modes = termios::tcgetattr(&**fd).ok();
            *saved = modes.map(|modes| SavedTerminal { fd: Rc::clone(fd), modes });
        }
    }

    /// Restores the terminal's modes, if the guest has changed them.
    pub fn restore_terminal(&self) {
        self.terminal.take();
    }

    /// Whether a standard stream is the host's controlling terminal.
    pub fn has_controlling_terminal(&self) -> bool {
        self.controlling.get()
    }

    /// Notes that a standard stream is the host's controlling terminal.
    pub fn note_controlling_terminal(&self) {
        self.controlling.set(true);
    }

    /// Checks that memory is left for another private file.
    ///
    /// # Errors
    /// `ENOSPC`.
    pub fn room_for_inode(&self) -> Result<()> {
        self.charge(INODE).map(drop).map_err(|_| Errno::ENOSPC)
    }

    /// A fresh inode number, for an object without a host inode.
    pub fn fresh_ino(&self) -> u64 {
        let ino = self.next_ino.get();
        self.next_ino.set(ino + 1);
        ino
    }

    /// The record of a host inode. At first sight it is made, numbered and charged to the guest's memory.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn inode(&self, stat: &HostStat) -> Result<Rc<Inode>> {
        // The host may reuse an unnamed file's number as soon as the file is closed.
        let named = stat.st_nlink != 0;
        if let Some(known) = self.inodes.borrow().get(&key_of(stat)).filter(|_| named) {
            return Ok(Rc::clone(known));
        }
        let ino = self.fresh_ino();
        let (record, locks, names) = (self.charge(RECORD)?, self.charge(0)?, self.charge(0)?);
        let fresh = Rc::new(Inode::new(ino, record, locks, names));
        if named {
            self.inodes.borrow_mut().insert(key_of(stat), Rc::clone(&fresh));
        }
        Ok(fresh)
    }

    /// The locks of the virtual file with this number, which all its descriptions hold.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn virtual_locks(&self, ino: u64) -> Result<Rc<FileLocks>> {
        let mut all = self.virtual_locks.borrow_mut();
        if let Some(locks) = all.get(&ino).and_then(Weak::upgrade) {
            return Ok(locks);
        }
        all.retain(|_, locks| locks.strong_count() > 0);
        let locks = FileLocks::new(self.charge(0)?);
        all.insert(ino, Rc::downgrade(&locks));
        Ok(locks)
    }

    /// Registers the record of an inode that has just got its first name (`O_TMPFILE`).
    pub fn remember(&self, stat: &HostStat, inode: &Rc<Inode>) {
        self.inodes.borrow_mut().entry(key_of(stat)).or_insert_with(|| Rc::clone(inode));
    }

    /// Forgets a host inode whose last name has been removed: the host may reuse its number at once or
    /// never, and the guest must not see the difference.
    pub fn forget(&self, stat: &HostStat) {
        self.inodes.borrow_mut().remove(&key_of(stat));
    }

    /// Records that the guest modified a file's contents now.
    pub fn touch(&self, inode: &Inode, stat: &HostStat) {
        let now = self.platform.now();
        inode.update(stat, |t| {
            t.mtime = now;
            t.ctime = now;
        });
    }

    /// Records that the guest created a file now.
    pub fn created(&self, inode: &Inode, stat: &HostStat) {
        let now = self.platform.now();
        inode.update(stat, |t| *t = Times { atime: now, mtime: now, ctime: now });
    }

    /// Records that the guest changed a file's attributes or names now.
    pub fn changed(&self, inode: &Inode, stat: &HostStat) {
        let now = self.platform.now();
        inode.update(stat, |t| t.ctime = now);
    }
}

/// The identity of the inode that `stat` describes.
fn key_of(stat: &HostStat) -> HostKey {
    (stat.st_dev, stat.st_ino)
}
