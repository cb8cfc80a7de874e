//! Futexes that a thread holds when it ends (get_robust_list(2)).

use crate::kernel::{Schedule, Tasks};
use crate::space::Space;
use std::cell::RefCell;

/// Bits of a robust futex word (`include/uapi/linux/futex.h`).
const FUTEX_OWNER_DIED: u32 = 0x4000_0000;
const FUTEX_WAITERS: u32 = 0x8000_0000;
const FUTEX_TID_MASK: u32 = 0x3fff_ffff;
/// Maximum length of a robust list (`ROBUST_LIST_LIMIT`).
const ROBUST_LIMIT: u32 = 2048;

/// Marks the robust futexes that thread `tid` held, whose list starts at `head`, as those of a dead owner, and wakes a waiter of each.
pub fn release(
    sched: &mut Schedule,
    tasks: &mut Tasks,
    space: &RefCell<Space>,
    (head, tid): (u64, i32),
) {
    if head == 0 {
        return;
    }
    let mem = space.borrow().mem.clone();
    let load = |at: u64| mem.load::<u64>(at);
    let (Some(first), Some(offset)) = (load(head), load(head.wrapping_add(8))) else { return };
    let pending = load(head.wrapping_add(16)).unwrap_or(0);
    let mut entries = Vec::new();
    let mut entry = first;
    // The lowest bit marks priority-inheriting futexes.
    while entry & !1 != head && entries.len() < ROBUST_LIMIT as usize {
        entries.push(entry & !1);
        let Some(next) = load(entry & !1) else { break };
        entry = next;
    }
    if pending & !1 != 0 {
        entries.push(pending & !1);
    }
    for entry in entries {
        let at = entry.wrapping_add(offset);
        let Some(word) = mem.load::<u32>(at) else { continue };
        if word & FUTEX_TID_MASK != tid as u32 {
            continue;
        }
        let _ = mem.store(at, word & FUTEX_WAITERS | FUTEX_OWNER_DIED);
        if word & FUTEX_WAITERS != 0 {
            sched.wake_address(tasks, space, at, 1);
        }
    }
}
