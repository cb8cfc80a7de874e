//! The guest's clocks.

use crate::base::time::{EPOCH, SECOND};
use crate::interface::ClockMode;
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The machine's clocks.
pub struct Clock {
    mode: ClockMode,
    /// Hz of the modelled core.
    frequency: u64,
    start: Instant,
    /// Seconds and nanoseconds of the host's clock at the start.
    host_epoch: Duration,
    /// Modelled cycles, updated before the guest can read a clock.
    cycles: Cell<u64>,
}

impl Clock {
    /// A clock that starts now.
    pub fn new(mode: ClockMode, frequency: u64) -> Clock {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let host_epoch = since.unwrap_or_default();
        let frequency = frequency.max(1);
        Clock { mode, frequency, start: Instant::now(), host_epoch, cycles: Cell::new(0) }
    }

    /// Whether the clock is the host's.
    pub fn is_host(&self) -> bool {
        self.mode == ClockMode::Host
    }

    /// When it started, on the host.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// Sets the modelled cycles.
    pub fn set_cycles(&self, cycles: u64) {
        self.cycles.set(cycles);
    }

    /// The duration of `cycles` in nanoseconds, rounded down.
    pub fn ns_of(&self, cycles: u64) -> u64 {
        (cycles as u128 * SECOND as u128 / self.frequency as u128).min(u64::MAX as u128) as u64
    }

    /// The first cycle count at which `ns` have passed.
    pub fn cycles_at(&self, ns: u64) -> u64 {
        let product = ns as u128 * self.frequency as u128;
        product.div_ceil(SECOND as u128).min(u64::MAX as u128) as u64
    }

    /// The basis of CPU time when the hart has run for `cycles`: these, or the host's time in cycles.
    pub fn cpu_base(&self, cycles: u64) -> u64 {
        if self.is_host() { self.cycles_at(self.monotonic()) } else { cycles }
    }

    /// Nanoseconds since the start.
    pub fn monotonic(&self) -> u64 {
        match self.mode {
            ClockMode::Virtual => self.ns_of(self.cycles.get()),
            ClockMode::Host => self.start.elapsed().as_nanos() as u64,
        }
    }

    /// Nanoseconds since 1970.
    pub fn realtime(&self) -> u64 {
        self.realtime_epoch().saturating_add(self.monotonic())
    }

    /// Seconds since 1970, the unit of System V IPC.
    pub fn seconds(&self) -> i64 {
        (self.realtime() / SECOND) as i64
    }

    /// Cycles as clock ticks (`AT_CLKTCK`, 100 a second).
    pub fn ticks(&self, cycles: u64) -> u64 {
        self.ns_of(cycles) / (SECOND / 100)
    }

    /// Converts a time of a clock to monotonic time.
    pub fn to_monotonic(&self, ns: u64, realtime: bool) -> u64 {
        if realtime { ns.saturating_sub(self.realtime_epoch()) } else { ns }
    }

    /// What the real-time clock showed at the start, in nanoseconds since 1970.
    pub fn realtime_epoch(&self) -> u64 {
        match self.mode {
            ClockMode::Virtual => EPOCH * SECOND,
            ClockMode::Host => self.host_epoch.as_nanos() as u64,
        }
    }
}
