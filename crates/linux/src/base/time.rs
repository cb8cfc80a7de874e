//! Units of time, and the start of the virtual clock.

use super::errno::Errno;

/// Nanoseconds in a second.
pub const SECOND: u64 = 1_000_000_000;

/// What the real-time clock shows when the virtual clock starts: 2026-01-01T00:00:00Z in seconds since
/// 1970, so that runs repeat.
pub const EPOCH: u64 = 1_767_225_600;

/// Converts the fields of a `struct timespec` to nanoseconds.
///
/// # Errors
/// `EINVAL` when the nanoseconds are not less than a second, or the seconds negative.
pub fn from_timespec(sec: i64, nsec: i64) -> Result<u64, Errno> {
    let sec = u64::try_from(sec).map_err(|_| Errno::EINVAL)?;
    match u64::try_from(nsec) {
        Ok(nsec) if nsec < SECOND => Ok(sec.saturating_mul(SECOND).saturating_add(nsec)),
        _ => Err(Errno::EINVAL),
    }
}
