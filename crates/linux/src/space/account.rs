//! The limits on the guest's memory and on host time.

use crate::base::charge::{Charge, Meter};
use crate::base::errno::{Errno, Result};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long shared mappings may still be written back once the run must stop.
const GRACE: Duration = Duration::from_secs(1);

/// When the run must stop at the host's request.
#[derive(Debug, Default)]
pub struct StopRequest {
    /// When the host time is used up.
    pub deadline: Option<Instant>,
    /// The number of the signal that asked for the end; 0 before.
    pub terminate: Option<Arc<AtomicUsize>>,
    /// When that signal was first seen here.
    asked: Cell<Option<Instant>>,
    /// The program has been loaded. Before that, nothing is abandoned halfway.
    running: Cell<bool>,
}

impl StopRequest {
    /// Stops at `deadline`, or when `terminate` is set.
    pub fn new(deadline: Option<Instant>, terminate: Option<Arc<AtomicUsize>>) -> StopRequest {
        StopRequest { deadline, terminate, ..StopRequest::default() }
    }

    /// The signal that asked for the end.
    pub fn asked(&self) -> Option<u8> {
        let signal = self.terminate.as_ref()?.load(Ordering::Relaxed);
        (signal != 0).then_some(signal as u8)
    }

    /// Whether the host time is used up.
    pub fn deadline_passed(&self) -> bool {
        self.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// Notes that the program has been loaded.
    pub fn start(&self) {
        self.running.set(true);
    }

    /// Whether the run must stop now: long operations give up.
    pub fn must_stop(&self) -> bool {
        self.running.get() && (self.deadline_passed() || self.asked().is_some())
    }

    /// Whether even writing back shared mappings must stop.
    pub fn grace_passed(&self) -> bool {
        let now = Instant::now();
        if self.asked.get().is_none() && self.asked().is_some() {
            self.asked.set(Some(now));
        }
        let ends = [self.deadline, self.asked.get()];
        ends.into_iter().flatten().any(|at| now >= at + GRACE)
    }
}

/// The memory that all processes use and its limit, and the host's request to stop.
#[derive(Debug)]
pub struct Account {
    limit: u64,
    used: Cell<u64>,
    peak: Cell<u64>,
    stop_request: StopRequest,
}

impl Account {
    /// An account of `limit` bytes without a time limit.
    #[cfg(test)]
    pub fn new(limit: u64) -> Account {
        Account::limited(limit, StopRequest::default())
    }

    /// An account of `limit` bytes.
    pub fn limited(limit: u64, stop_request: StopRequest) -> Account {
        Account { limit, used: Cell::new(0), peak: Cell::new(0), stop_request }
    }

    /// When the run must stop.
    pub fn stop_request(&self) -> &StopRequest {
        &self.stop_request
    }

    /// Checked in loops that may take long.
    ///
    /// # Errors
    /// `EINTR` when the run must stop; the guest does not see it.
    pub fn ensure_running(&self) -> Result<()> {
        if self.stop_request.must_stop() { Err(Errno::EINTR) } else { Ok(()) }
    }

    /// Charges `bytes` until the result is dropped.
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

    /// The peak of the bytes in use.
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
