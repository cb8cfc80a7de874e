//! Where bytes lie between the call that writes them and the call that reads them, for a follower of the run.

use std::cell::{Cell, RefCell};

/// A byte in a file, a pipe, or the queue of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredByte {
    /// What holds it: the device and inode number of a file; of anything else, `KERNEL` and a number.
    pub object: (u64, u64),
    /// How many bytes precede it: in the file, or among those ever written to a queue.
    pub position: u64,
}

impl StoredByte {
    /// The first byte of a file of the host.
    pub fn first(stat: &rustix::fs::Stat) -> StoredByte {
        StoredByte { object: (stat.st_dev, stat.st_ino), position: 0 }
    }
}

/// In place of a device number: the object exists in the emulation only.
pub const KERNEL: u64 = u64::MAX;

/// The places of the last transfers.
#[derive(Default)]
pub struct Transfers {
    noting: Cell<bool>,
    /// The last two: a copy between files reads one and writes the other.
    places: RefCell<Vec<StoredByte>>,
    numbers: Cell<u64>,
}

impl Transfers {
    /// Transfers are noted from now on.
    pub fn note_all(&self) {
        self.noting.set(true);
    }

    /// Bytes are about to be transferred, from or to this place and those that follow it.
    pub fn note(&self, place: impl FnOnce() -> Option<StoredByte>) {
        if !self.noting.get() {
            return;
        }
        let mut places = self.places.borrow_mut();
        if places.len() == 2 {
            places.remove(0);
        }
        places.extend(place());
    }

    /// Transfers of `f` are not noted: they bring a file and its mappings into line.
    pub fn quietly<T>(&self, f: impl FnOnce() -> T) -> T {
        let noting = self.noting.replace(false);
        let result = f();
        self.noting.set(noting);
        result
    }

    /// The last transfers since the previous call of this function.
    pub fn take(&self) -> Vec<StoredByte> {
        self.places.take()
    }

    /// A number for an object of the emulation.
    pub fn fresh(&self) -> u64 {
        self.numbers.set(self.numbers.get() + 1);
        self.numbers.get()
    }
}
