//! A platform for tests, which set its clock and its random numbers.

use crate::base::charge::Meter;
use crate::base::errno::{Errno, Result};
use crate::base::random::Xoshiro256;
use crate::fs::platform::Platform;
use crate::fs::stat::Timespec;
use std::cell::{Cell, RefCell};

/// A platform with a clock that is set by hand and a seeded generator.
#[derive(Debug)]
pub struct FixedPlatform {
    epoch: Timespec,
    monotonic: Cell<u64>,
    rng: RefCell<Xoshiro256>,
    used: Cell<u64>,
    over: Cell<bool>,
}

impl FixedPlatform {
    /// A platform whose monotonic clock starts at 0 when the wall clock shows `epoch`.
    #[must_use]
    pub fn new(epoch: Timespec, seed: u64) -> Self {
        FixedPlatform {
            epoch,
            monotonic: Cell::new(0),
            rng: RefCell::new(Xoshiro256::from_seed(seed)),
            used: Cell::new(0),
            over: Cell::new(false),
        }
    }

    /// Bytes of the guest's memory in use.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Makes `ensure_running` fail from now on.
    pub fn end_run(&self) {
        self.over.set(true);
    }

    /// Moves both clocks forward by `ns` nanoseconds.
    pub fn advance(&self, ns: u64) {
        self.monotonic.set(self.monotonic.get().saturating_add(ns));
    }
}

impl Platform for FixedPlatform {
    fn now(&self) -> Timespec {
        let ns = self.monotonic.get() + u64::from(self.epoch.nsec);
        Timespec {
            sec: self.epoch.sec + (ns / 1_000_000_000) as i64,
            nsec: (ns % 1_000_000_000) as u32,
        }
    }

    fn monotonic_ns(&self) -> u64 {
        self.monotonic.get()
    }

    fn fill_random(&self, buf: &mut [u8]) {
        self.rng.borrow_mut().fill(buf);
    }

    fn ensure_running(&self) -> Result<()> {
        if self.over.get() { Err(Errno::EINTR) } else { Ok(()) }
    }
}

impl Meter for FixedPlatform {
    fn charge(&self, bytes: u64) -> Result<()> {
        self.used.set(self.used.get() + bytes);
        Ok(())
    }

    fn release(&self, bytes: u64) {
        self.used.set(self.used.get() - bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_carries_nanoseconds() {
        let p = FixedPlatform::new(Timespec { sec: 5, nsec: 999_999_999 }, 0);
        p.advance(2);
        assert_eq!(p.now(), Timespec { sec: 6, nsec: 1 });
    }
}
