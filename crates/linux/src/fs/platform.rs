//! What the file system needs from the machine around it: time, random bytes, memory.

use crate::base::charge::Meter;
use crate::base::errno::Result;
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
