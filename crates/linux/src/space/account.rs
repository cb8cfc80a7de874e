//! How much memory the guest has.

use crate::errno::{Errno, Result};
use std::cell::Cell;
use std::rc::Rc;

/// Bytes of guest memory in use, over all processes, against a limit.
#[derive(Debug)]
pub struct Account {
    limit: u64,
    used: Cell<u64>,
    peak: Cell<u64>,
}

impl Account {
    /// Nothing used of `limit` bytes.
    pub fn new(limit: u64) -> Account {
        Account { limit, used: Cell::new(0), peak: Cell::new(0) }
    }

    /// Takes `bytes`.
    ///
    /// # Errors
    /// `ENOMEM` when that would exceed the limit; nothing is taken then.
    pub fn charge(&self, bytes: u64) -> Result<()> {
        let used = self.used.get().saturating_add(bytes);
        if used > self.limit {
            return Err(Errno::ENOMEM);
        }
        self.used.set(used);
        self.peak.set(self.peak.get().max(used));
        Ok(())
    }

    /// Gives `bytes` back.
    pub fn release(&self, bytes: u64) {
        self.used.set(self.used.get().saturating_sub(bytes));
    }

    /// The limit in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// The most bytes that were ever in use.
    pub fn peak(&self) -> u64 {
        self.peak.get()
    }
}

/// Memory that somebody has taken; dropping it gives it back.
#[derive(Debug)]
pub struct Charge {
    account: Rc<Account>,
    pub(super) bytes: u64,
}

impl Charge {
    /// Takes `bytes`.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(account: &Rc<Account>, bytes: u64) -> Result<Charge> {
        account.charge(bytes)?;
        Ok(Charge { account: Rc::clone(account), bytes })
    }

    /// Takes more, or gives some back.
    ///
    /// # Errors
    /// `ENOMEM`; it is as before then.
    pub fn resize(&mut self, bytes: u64) -> Result<()> {
        if bytes > self.bytes {
            self.account.charge(bytes - self.bytes)?;
        } else {
            self.account.release(self.bytes - bytes);
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.account.release(self.bytes);
    }
}
