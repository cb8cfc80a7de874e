//! The wait queues of futexes.

use crate::base::errno::{Errno, Result};
use crate::space::{Backing, Space};
use std::collections::{HashMap, VecDeque};

/// The identity of a futex: the same for all threads that use the same word of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Address space and address.
    Private(u64, u64),
    /// Shared object and offset in it.
    Shared(u64, u64),
}

impl Key {
    /// The futex at an address.
    ///
    /// # Errors
    /// `EINVAL` for an address that is not aligned; `EFAULT` where nothing is mapped.
    pub fn at(space: &Space, addr: u64) -> Result<Key> {
        if !addr.is_multiple_of(4) {
            return Err(Errno::EINVAL);
        }
        let (start, vma) = space.area(addr).ok_or(Errno::EFAULT)?;
        Ok(match &vma.backing {
            Backing::Shared(object) => Key::Shared(object.id(), vma.offset + (addr - start)),
            _ => Key::Private(space.mem.id(), addr),
        })
    }
}

/// Waiting threads, each with its wake-up bit set, in order of arrival.
#[derive(Default)]
pub struct Futexes {
    queues: HashMap<Key, VecDeque<(i32, u32)>>,
}

impl Futexes {
    /// Adds a waiting thread.
    pub fn add(&mut self, key: Key, tid: i32, bits: u32) {
        self.queues.entry(key).or_default().push_back((tid, bits));
    }

    /// Removes a thread.
    pub fn remove(&mut self, key: Key, tid: i32) {
        if let Some(queue) = self.queues.get_mut(&key) {
            queue.retain(|(t, _)| *t != tid);
            if queue.is_empty() {
                self.queues.remove(&key);
            }
        }
    }

    /// The first `max` threads that wait at `key` for one of `bits`; they stay in the queue.
    pub fn waiting(&self, key: Key, max: usize, bits: u32) -> Vec<(i32, u32)> {
        let Some(queue) = self.queues.get(&key) else { return Vec::new() };
        queue.iter().filter(|(_, b)| b & bits != 0).take(max).copied().collect()
    }
}
