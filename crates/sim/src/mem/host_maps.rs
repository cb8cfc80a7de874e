//! How many mappings of the host this process may still make.
//!
//! The host gives a process a number of them (`vm.max_map_count`, see the kernel's
//! Documentation/admin-guide/sysctl/vm.rst), and one that has none left cannot allocate either. So guests get
//! all but a reserve, over all their address spaces together.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The host's limit unless it says otherwise: `DEFAULT_MAX_MAP_COUNT`.
const USUAL: u64 = 65530;
/// Most mappings that one change of a range of pages adds: itself, and the rest of one that it divides.
const CHANGE: u64 = 2;
/// What there has to be room for when mappings have been counted, so that it is not done at every change.
const STEP: u64 = 256;

/// Mappings there were when they were counted, and what has been added since if nothing went away.
static ESTIMATE: AtomicU64 = AtomicU64::new(u64::MAX);

/// Mappings up to which guests get some: an eighth of the limit is this program's own.
fn limit() -> u64 {
    static LIMIT: OnceLock<u64> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let text = fs::read_to_string("/proc/sys/vm/max_map_count").unwrap_or_default();
        let all: u64 = text.trim().parse().unwrap_or(USUAL);
        all - all / 8
    })
}

/// Mappings of this process: lines of `/proc/self/maps`.
fn count() -> Option<u64> {
    let text = fs::read("/proc/self/maps").ok()?;
    Some(text.iter().filter(|b| **b == b'\n').count() as u64)
}

/// Takes what a change of a range of pages may add; false when that would be too many. What goes away is noticed
/// when the estimate has reached the limit, and the mappings are counted.
pub(super) fn take() -> bool {
    let next = ESTIMATE.load(Ordering::Relaxed).saturating_add(CHANGE);
    if next <= limit() {
        ESTIMATE.fetch_add(CHANGE, Ordering::Relaxed);
        return true;
    }
    let Some(now) = count().filter(|now| now + STEP <= limit()) else { return false };
    ESTIMATE.store(now + CHANGE, Ordering::Relaxed);
    true
}
