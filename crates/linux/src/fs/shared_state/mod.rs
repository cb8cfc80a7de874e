//! State shared by the file system and every open file.

mod signals;
mod transfers;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::rc::{Rc, Weak};

use self::signals::Signals;
pub use self::transfers::{KERNEL, StoredByte, Transfers};
use rustix::termios::{self, OptionalActions, Termios};

use crate::base::charge::{Charge, Meter};
use crate::base::errno::Result;
use crate::fs::locks::FileLocks;
use crate::fs::platform::Platform;

/// State shared by the file system and every open file.
pub(crate) struct Shared {
    platform: Rc<dyn Platform>,
    /// Locks of virtual files that are open, by inode number.
    virtual_locks: RefCell<HashMap<u64, Weak<FileLocks>>>,
    next_ino: Cell<u64>,
    activity: Cell<u64>,
    terminal: RefCell<Option<SavedTerminal>>,
    controlling: Cell<bool>,
    /// State of signalfd descriptors.
    pub signals: Signals,
    /// Where the bytes of the last transfers are.
    pub transfers: Transfers,
    /// Numbers of watches and of inotify descriptors, and the cookie of the last rename.
    watches: Cell<u64>,
    inotify_instances: Cell<u32>,
    rename_cookie: Cell<u32>,
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
            virtual_locks: RefCell::default(),
            next_ino: Cell::new(Self::FIRST_INO),
            activity: Cell::new(0),
            terminal: RefCell::default(),
            controlling: Cell::new(false),
            signals: Signals::default(),
            transfers: Transfers::default(),
            watches: Cell::new(0),
            inotify_instances: Cell::new(0),
            rename_cookie: Cell::new(0),
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

    /// A fresh inode number, for an object without a host inode.
    pub fn fresh_ino(&self) -> u64 {
        let ino = self.next_ino.get();
        self.next_ino.set(ino + 1);
        ino
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
}
