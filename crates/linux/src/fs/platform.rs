//! What the file system needs from the machine around it: time, random bytes, memory.

use std::cell::{Cell, RefCell};

use crate::base::charge::Meter;
use crate::base::errno::{Errno, Result};
use crate::fs::stat::Timespec;

/// Time and randomness of the simulated machine, which must be reproducible in a default run, and the account of the
/// guest's memory, to which private files, pipes and other objects are charged.
pub trait Platform: Meter {
    /// The guest's wall-clock time, for time stamps.
    fn now(&self) -> Timespec;

    /// The guest's monotonic time in nanoseconds, for timer descriptors.
    fn monotonic_ns(&self) -> u64;

    /// Fills `buf` with random bytes (`getrandom`, `/dev/urandom`, `AT_RANDOM`).
    fn fill_random(&self, buf: &mut [u8]);

    /// Checked in loops that may take long.
    ///
    /// # Errors
    /// `EINTR` when the run must stop.
    fn ensure_running(&self) -> Result<()> {
        Ok(())
    }
}

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

/// The generator xoshiro256** 1.0 of Blackman and Vigna (<https://prng.di.unimi.it>), seeded with
/// their SplitMix64.
///
/// It passes statistical tests but is not a cryptographic generator: guest keys are reproducible by
/// design and must not leave the simulator.
#[derive(Clone, Debug)]
pub struct Xoshiro256 {
    state: [u64; 4],
}

impl Xoshiro256 {
    /// A generator whose whole stream follows from `seed`.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        let mut x = seed;
        let state = std::array::from_fn(|_| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = x;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Xoshiro256 { state }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Fills `buf`; a partial last word discards its remaining bytes.
    pub fn fill(&mut self, buf: &mut [u8]) {
        for chunk in buf.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_and_xoshiro_known_answers() {
        // SplitMix64 from seed 1234567: published outputs of the reference C program.
        let g = Xoshiro256::from_seed(1_234_567);
        assert_eq!(g.state[0], 6_457_827_717_110_365_317);
        assert_eq!(g.state[1], 3_203_168_211_198_807_973);
        // xoshiro256** from state 1, 2, 3, 4: first outputs of the reference C program.
        let mut g = Xoshiro256 { state: [1, 2, 3, 4] };
        let got: Vec<u64> = (0..4).map(|_| g.next_u64()).collect();
        assert_eq!(got, [11520, 0, 1_509_978_240, 1_215_971_899_390_074_240]);
    }

    #[test]
    fn clock_carries_nanoseconds() {
        let p = FixedPlatform::new(Timespec { sec: 5, nsec: 999_999_999 }, 0);
        p.advance(2);
        assert_eq!(p.now(), Timespec { sec: 6, nsec: 1 });
    }
}
