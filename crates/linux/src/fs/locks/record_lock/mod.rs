//! Locks of byte ranges (fcntl(2), "Advisory record locking").

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};

/// The owner of a lock. Processes that share a descriptor table (`CLONE_FILES`) share locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockOwner {
    /// The descriptor table with this number.
    Table(u64),
    /// The open file description with this number (`F_OFD_SETLK`).
    Description(u64),
}

/// The bytes from `first` to `last`; a lock to the end of the file, whatever that is, ends at [`END`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub first: i64,
    /// The last byte.
    pub last: i64,
}

/// The greatest offset.
pub const END: i64 = i64::MAX;

/// A lock, held or requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLock {
    /// Its owner.
    pub owner: LockOwner,
    /// The process that has asked for it.
    pub pid: i32,
    /// A write lock; otherwise a read lock, which others may hold, too.
    pub exclusive: bool,
    /// The bytes that it covers.
    pub span: Span,
}

/// The locks of one owner on one file, by their first byte. They do not overlap, and no two adjacent ones have the same
/// type.
struct OwnerLocks {
    owner: LockOwner,
    pid: i32,
    spans: BTreeMap<i64, (i64, bool)>,
}

/// The locks of one file. Owners are kept in the order of their first lock.
pub(crate) struct RecordLocks {
    owners: RefCell<Vec<OwnerLocks>>,
    charge: Charge,
}

/// Guest memory charged for a lock (Linux allocates a `struct file_lock`, 192 bytes, for each).
const LOCK: u64 = 256;

impl OwnerLocks {
    /// Its locks that overlap or adjoin `span`, in order.
    fn near(&self, span: Span) -> Vec<(Span, bool)> {
        let (from, to) = (span.first.saturating_sub(1), span.last.saturating_add(1));
        let before = self.spans.range(..from).next_back();
        let others = self.spans.range(from..=to);
        let all = before.into_iter().chain(others);
        let all = all.map(|(first, (last, kind))| (Span { first: *first, last: *last }, *kind));
        all.filter(|(held, _)| held.last >= from).collect()
    }

    /// The first lock that overlaps `span` and conflicts: any for a write lock, a write lock for a read lock.
    fn conflict(&self, span: Span, exclusive: bool) -> Option<RecordLock> {
        let overlaps = |held: &Span| held.first <= span.last && held.last >= span.first;
        let mut near = self.near(span).into_iter();
        let found = near.find(|(held, kind)| overlaps(held) && (exclusive || *kind))?;
        Some(RecordLock { owner: self.owner, pid: self.pid, exclusive: found.1, span: found.0 })
    }

    /// The locks that replace `near` when `span` gets a lock of this type, or is unlocked.
    fn change(near: &[(Span, bool)], span: Span, exclusive: Option<bool>) -> Vec<(Span, bool)> {
        let mut whole = span;
        let mut rest = Vec::new();
        for (held, kind) in near {
            if exclusive == Some(*kind) {
                whole.first = whole.first.min(held.first);
                whole.last = whole.last.max(held.last);
                continue;
            }
            if held.first < span.first {
                rest.push((Span { last: held.last.min(span.first - 1), ..*held }, *kind));
            }
            if held.last > span.last {
                rest.push((Span { first: held.first.max(span.last + 1), ..*held }, *kind));
            }
        }
        rest.extend(exclusive.map(|kind| (whole, kind)));
        rest
    }
}

impl RecordLocks {
    /// No locks. `charge` will grow with them.
    pub fn new(charge: Charge) -> RecordLocks {
        RecordLocks { owners: RefCell::default(), charge }
    }

    /// The first conflicting lock of another owner.
    pub fn conflict(&self, wanted: &RecordLock) -> Option<RecordLock> {
        let owners = self.owners.borrow();
        let mut others = owners.iter().filter(|held| held.owner != wanted.owner);
        others.find_map(|held| held.conflict(wanted.span, wanted.exclusive))
    }

    /// The owner's own first lock in the span.
    pub fn own_lock(&self, owner: LockOwner, span: Span) -> Option<RecordLock> {
        self.owners.borrow().iter().find(|held| held.owner == owner)?.conflict(span, true)
    }

    /// Sets the lock in place of the owner's locks in the span; without `lock`, unlocks the span. Returns whether
    /// another owner may now get a lock that it could not get before.
    ///
    /// # Errors
    /// `ENOLCK` beyond the guest's memory.
    pub fn set(&self, wanted: &RecordLock, lock: bool) -> Result<bool> {
        let mut owners = self.owners.borrow_mut();
        let RecordLock { owner, pid, exclusive, span } = *wanted;
        let at = owners.iter().position(|held| held.owner == owner);
        let near = at.map_or_else(Vec::new, |at| owners[at].near(span));
        let new = OwnerLocks::change(&near, span, lock.then_some(exclusive));
        let bytes = self.charge.bytes() + new.len() as u64 * LOCK - near.len() as u64 * LOCK;
        self.charge.resize(bytes).map_err(|_| Errno::ENOLCK)?;
        let at = at.unwrap_or_else(|| {
            owners.push(OwnerLocks { owner, pid, spans: BTreeMap::new() });
            owners.len() - 1
        });
        let held = &mut owners[at];
        held.pid = pid;
        for (span, _) in &near {
            held.spans.remove(&span.first);
        }
        held.spans.extend(new.iter().map(|(span, kind)| (span.first, (span.last, *kind))));
        if held.spans.is_empty() {
            owners.remove(at);
        }
        let freed = |(held, kind): &(Span, bool)| {
            held.first <= span.last && held.last >= span.first && (!lock || *kind && !exclusive)
        };
        Ok(near.iter().any(freed))
    }

    /// Releases all locks of an owner; returns whether it had any.
    pub fn release(&self, owner: LockOwner) -> bool {
        let mut owners = self.owners.borrow_mut();
        let Some(at) = owners.iter().position(|held| held.owner == owner) else { return false };
        let held = owners.remove(at);
        self.charge.shrink(held.spans.len() as u64 * LOCK);
        if owners.is_empty() {
            *owners = Vec::new();
        }
        true
    }
}

#[cfg(test)]
mod tests;
