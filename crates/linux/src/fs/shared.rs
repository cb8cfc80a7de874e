//! State common to all files of one emulated system: inode numbers, time stamps, activity.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::rc::Rc;

use rustix::fs::Stat as HostStat;
use rustix::termios::{self, OptionalActions, Termios};

use super::abi::s;
use super::platform::Platform;
use super::stat::{Stat, Timespec};

/// Identity of a host inode: device and inode number.
pub(crate) type HostKey = (u64, u64);

/// Access, modification and status-change time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub atime: Timespec,
    pub mtime: Timespec,
    pub ctime: Timespec,
}

/// What is known of a host inode that the guest has seen.
#[derive(Clone, Copy, Debug)]
struct Known {
    ino: u64,
    times: Option<Times>,
}

/// State shared by the file system and every open file.
pub(crate) struct Shared {
    platform: Rc<dyn Platform>,
    inodes: RefCell<HashMap<HostKey, Known>>,
    next_ino: Cell<u64>,
    activity: Cell<u64>,
    terminal: RefCell<Option<SavedTerminal>>,
}

/// A host terminal whose modes the guest changed, with its modes before; restored when dropped.
struct SavedTerminal {
    fd: Rc<OwnedFd>,
    modes: Termios,
}

impl Drop for SavedTerminal {
    fn drop(&mut self) {
        // A terminal that is gone needs no restoring.
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
            next_ino: Cell::new(Self::FIRST_INO),
            activity: Cell::new(0),
            terminal: RefCell::default(),
        })
    }

    pub fn platform(&self) -> &dyn Platform {
        &*self.platform
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

    /// A fresh inode number, for an object without a host inode.
    pub fn fresh_ino(&self) -> u64 {
        let ino = self.next_ino.get();
        self.next_ino.set(ino + 1);
        ino
    }

    /// The guest's inode number of a host inode, assigned at first sight.
    pub fn ino(&self, key: HostKey) -> u64 {
        if let Some(known) = self.inodes.borrow().get(&key) {
            return known.ino;
        }
        let ino = self.fresh_ino();
        self.inodes.borrow_mut().insert(key, Known { ino, times: None });
        ino
    }

    /// Forgets a host inode whose last name is gone: the host may reuse its number at once or
    /// never, and the guest must not see the difference.
    pub fn forget(&self, key: HostKey) {
        self.inodes.borrow_mut().remove(&key);
    }

    /// Records that the guest modified the file's contents now.
    pub fn touch(&self, stat: &HostStat) {
        let now = self.platform.now();
        self.update(stat, |t| {
            t.mtime = now;
            t.ctime = now;
        });
    }

    /// Records that the guest created the file now.
    pub fn created(&self, stat: &HostStat) {
        let now = self.platform.now();
        self.update(stat, |t| *t = Times { atime: now, mtime: now, ctime: now });
    }

    /// Changes the recorded times of a file.
    pub fn update(&self, stat: &HostStat, change: impl FnOnce(&mut Times)) {
        let key = key_of(stat);
        self.ino(key);
        if let Some(known) = self.inodes.borrow_mut().get_mut(&key) {
            change(known.times.get_or_insert_with(|| host_times(stat)));
        }
    }

    /// Attributes for the guest of a host file that lies on mount `dev`.
    pub fn stat(&self, host: &HostStat, dev: u64, mnt_id: u64) -> Stat {
        let key = key_of(host);
        let ino = self.ino(key);
        let known = self.inodes.borrow().get(&key).and_then(|k| k.times);
        let times = known.unwrap_or_else(|| host_times(host));
        let mode = host.st_mode;
        let is_dir = mode & s::IFMT == s::IFDIR;
        Stat {
            dev,
            ino,
            mode,
            nlink: if is_dir { 1 } else { host.st_nlink as u32 },
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

/// The identity of the inode that `stat` describes.
pub(crate) fn key_of(stat: &HostStat) -> HostKey {
    (stat.st_dev, stat.st_ino)
}

/// The host's modification time stands for all three: the other two depend on when the sysroot was
/// unpacked and who read it since.
fn host_times(stat: &HostStat) -> Times {
    let mtime = Timespec { sec: stat.st_mtime, nsec: (stat.st_mtime_nsec as u32).min(999_999_999) };
    Times { atime: mtime, mtime, ctime: mtime }
}
