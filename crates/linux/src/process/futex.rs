//! Threads that wait for futexes.

use std::collections::{HashMap, VecDeque};

/// A futex: the same for every thread that means the same word of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// Address space and address.
    Private(u64, u64),
    /// Shared object and offset in it.
    Shared(u64, u64),
}

/// Waiting threads, each with the bits that wake it, in the order in which they came.
#[derive(Default)]
pub struct Futexes {
    queues: HashMap<Key, VecDeque<(i32, u32)>>,
}

impl Futexes {
    /// A thread waits.
    pub fn add(&mut self, key: Key, tid: i32, bits: u32) {
        self.queues.entry(key).or_default().push_back((tid, bits));
    }

    /// A thread does not wait any more.
    pub fn remove(&mut self, key: Key, tid: i32) {
        if let Some(queue) = self.queues.get_mut(&key) {
            queue.retain(|(t, _)| *t != tid);
            if queue.is_empty() {
                self.queues.remove(&key);
            }
        }
    }

    /// The first `max` threads that wait at `key` for one of `bits`; they stay until they are removed.
    pub fn waiting(&self, key: Key, max: usize, bits: u32) -> Vec<(i32, u32)> {
        let Some(queue) = self.queues.get(&key) else { return Vec::new() };
        queue.iter().filter(|(_, b)| b & bits != 0).take(max).copied().collect()
    }
}
