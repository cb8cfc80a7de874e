//! A recorded run.

use super::passage::{Code, Counter, Passage};
use std::collections::BTreeSet;

/// The word for: the hart switches to another context of the same address space.
pub(super) const SWITCH: u32 = u32::MAX;
/// The word for: the hart enters this address space.
pub(super) const ENTER_SPACE: u32 = u32::MAX - 1;

/// What a process did until it last read a counter, or until its end if it read none.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// The counters that it read, in order.
    pub reads: Vec<Counter>,
    /// The system calls that it made.
    pub calls: BTreeSet<u64>,
    /// Whether everything was recorded: it was not too long.
    pub whole: bool,
    /// Indices of passages, each followed by the lower halves of its addresses.
    pub(super) words: Vec<u32>,
    /// The largest index of a passage.
    pub(super) last: u32,
}

/// A recorded run.
#[derive(Default)]
pub struct Recording {
    /// Its processes, in the order in which they began to run.
    pub processes: Vec<Process>,
    pub(super) code: Vec<Code>,
    pub(super) passages: Vec<Passage>,
}

impl Recording {
    /// By process: whether it is known to have done the same in both runs. After a process that did not, nothing is known of
    /// others that take new passages.
    pub fn same(&self, other: &Recording) -> Vec<bool> {
        let code = |p: &Passage| p.code as usize;
        let equal = |(a, b): &(&Passage, &Passage)| {
            a == b && self.code[code(a)].key == other.code[code(b)].key
        };
        let common = self.passages.iter().zip(&other.passages).take_while(equal).count();
        let both = self.processes.iter().zip(&other.processes);
        both.map(|(a, b)| a == b && (a.last as usize) < common.max(1)).collect()
    }
}
