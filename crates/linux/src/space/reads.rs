//! Which memory of the guest a system call acts on.

use std::cell::{Cell, RefCell};

/// Memory that the system call in flight has read in order to act on it.
#[derive(Default)]
pub struct Reads {
    noting: Cell<bool>,
    /// Addresses and lengths.
    all: RefCell<Vec<(u64, u64)>>,
}

impl Reads {
    /// A system call begins, and what it reads is to be noted.
    pub fn begin(&self) {
        self.noting.set(true);
    }

    /// Whether reads are noted.
    pub fn are_noted(&self) -> bool {
        self.noting.get()
    }

    /// The call acts on this memory.
    pub fn note(&self, addr: u64, len: u64) {
        if self.noting.get() && len > 0 {
            self.all.borrow_mut().push((addr, len));
        }
    }

    /// What has been noted since the last call of this function.
    pub fn take(&self) -> Vec<(u64, u64)> {
        self.all.take()
    }

    /// The call has ended.
    pub fn end(&self) {
        self.noting.set(false);
        self.all.take();
    }
}
