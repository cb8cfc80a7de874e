//! Limits the host mappings of guest memory.
//!
//! The host allows a process a limited number of mappings (`vm.max_map_count`, see the kernel's
//! Documentation/admin-guide/sysctl/vm.rst), and a process that has used them up cannot allocate memory either. So
//! all address spaces together may use all but a reserve.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The host's default limit, `DEFAULT_MAX_MAP_COUNT`.
const DEFAULT_LIMIT: u64 = 65530;
/// Maximum number of mappings that one change of a page range adds: its own, and the remainder of one that it splits.
const MAX_ADDED: u64 = 2;
/// Room that must be left after a count, so that mappings are not counted at every change.
const HEADROOM: u64 = 256;

/// The number of mappings at the last count plus the most that have been added since.
static ESTIMATE: AtomicU64 = AtomicU64::new(u64::MAX);

/// The number of mappings that guests may bring the process to: an eighth of the limit is reserved.
fn limit() -> u64 {
    static LIMIT: OnceLock<u64> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/vm/max_map_count").unwrap_or_default();
        let all: u64 = text.trim().parse().unwrap_or(DEFAULT_LIMIT);
        all - all / 8
    })
}

/// Mappings of this process: lines of `/proc/self/maps`.
fn count() -> Option<u64> {
    let text = fs::read("/proc/self/maps").ok()?;
    Some(text.iter().filter(|b| **b == b'\n').count() as u64)
}

/// Accounts for a change that takes what it adds from the reserve.
pub(super) fn exceed() {
    let _ = ESTIMATE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |now| {
        Some(now.saturating_add(MAX_ADDED))
    });
}

/// Accounts for one change of a page range; false if there may be too many mappings. Mappings that have gone away are
/// noticed when the estimate reaches the limit and the mappings are counted again.
pub(super) fn reserve() -> bool {
    #[cfg(test)]
    if let Some(left) = tests::LEFT.get() {
        tests::LEFT.set(Some(left.saturating_sub(1)));
        return left > 0;
    }
    let next = ESTIMATE.load(Ordering::Relaxed).saturating_add(MAX_ADDED);
    if next <= limit() {
        ESTIMATE.fetch_add(MAX_ADDED, Ordering::Relaxed);
        return true;
    }
    let Some(now) = count().filter(|now| now + HEADROOM <= limit()) else { return false };
    ESTIMATE.store(now + MAX_ADDED, Ordering::Relaxed);
    true
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// How many more changes are granted to guests of this thread, if that is limited.
        pub static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    }
}
