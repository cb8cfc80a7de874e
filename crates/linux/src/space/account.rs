//! How much memory and host time the guest has.

use crate::base::charge::{Charge, Meter};
use crate::base::errno::{Errno, Result};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longest time for which data is still written to files when the run is over.
const GRACE: Duration = Duration::from_secs(1);

/// When the host wants the run to end.
#[derive(Debug, Default)]
pub struct Patience {
    /// The end of its host time.
    pub deadline: Option<Instant>,
    /// A signal's number once the host has asked for the end.
    pub terminate: Option<Arc<AtomicUsize>>,
    /// When the request was first seen here.
    asked: Cell<Option<Instant>>,
    /// The program has been loaded: before, nothing is given up halfway.
    running: Cell<bool>,
}

impl Patience {
    /// Until `deadline`, or until `terminate` is set.
    pub fn new(deadline: Option<Instant>, terminate: Option<Arc<AtomicUsize>>) -> Patience {
        Patience { deadline, terminate, ..Patience::default() }
    }

    /// The signal by which the host has asked for the end.
    pub fn asked(&self) -> Option<u8> {
        let signal = self.terminate.as_ref()?.load(Ordering::Relaxed);
        (signal != 0).then_some(signal as u8)
    }

    /// Whether the host time is over.
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// The program has been loaded.
    pub fn start(&self) {
        self.running.set(true);
    }

    /// Whether the run is to end now: what takes long stops where it is.
    pub fn is_over(&self) -> bool {
        self.running.get() && (self.is_late() || self.asked().is_some())
    }

    /// Whether not even what the guest has written may still be saved.
    pub fn is_exhausted(&self) -> bool {
        let now = Instant::now();
        if self.asked.get().is_none() && self.asked().is_some() {
            self.asked.set(Some(now));
        }
        let ends = [self.deadline, self.asked.get()];
        ends.into_iter().flatten().any(|at| now >= at + GRACE)
    }
}

/// Bytes of guest memory in use, over all processes, against a limit, and the host's patience.
#[derive(Debug)]
pub struct Account {
    limit: u64,
    used: Cell<u64>,
    peak: Cell<u64>,
    patience: Patience,
}

impl Account {
    /// Nothing used of `limit` bytes, with all the time in the world.
    #[cfg(test)]
    pub fn new(limit: u64) -> Account {
        Account::limited(limit, Patience::default())
    }

    /// Nothing used of `limit` bytes, until the host's patience ends.
    pub fn limited(limit: u64, patience: Patience) -> Account {
        Account { limit, used: Cell::new(0), peak: Cell::new(0), patience }
    }

    /// When the host wants the run to end.
    pub fn patience(&self) -> &Patience {
        &self.patience
    }

    /// For loops of system calls that may take long.
    ///
    /// # Errors
    /// `EINTR` when the run is over; the guest does not see it.
    pub fn go_on(&self) -> Result<()> {
        if self.patience.is_over() { Err(Errno::EINTR) } else { Ok(()) }
    }

    /// Takes `bytes` until what is returned is dropped.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn take(self: &Rc<Account>, bytes: u64) -> Result<Charge> {
        Charge::new(Rc::clone(self) as Rc<dyn Meter>, bytes)
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

impl Meter for Account {
    fn charge(&self, bytes: u64) -> Result<()> {
        let used = self.used.get().saturating_add(bytes);
        if used > self.limit {
            return Err(Errno::ENOMEM);
        }
        self.used.set(used);
        self.peak.set(self.peak.get().max(used));
        Ok(())
    }

    fn release(&self, bytes: u64) {
        self.used.set(self.used.get().saturating_sub(bytes));
    }
}
