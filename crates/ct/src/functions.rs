//! Functions whose calls and returns matter: those whose arguments are marked, whose results are declassified, and those that
//! must leave no secret behind.

use crate::heap::Heap;
use crate::marks::Entry;
use crate::numbers::NumberMap;
use std::ops::Range;

/// What happens when a function returns.
#[derive(Clone, Debug)]
pub enum Exit {
    /// Its result becomes public.
    Public,
    /// These bytes become public.
    PublicMemory(u64, u64),
    /// Leftovers are looked for.
    Leftovers(String),
    /// It returns a block of this size.
    Allocated(u64),
    /// It stores the address of a block of this size there, unless it fails.
    Stored(u64, u64),
    /// It returns the address of the code that is this function on this hart.
    Chosen(String),
}

/// A call that has not returned.
pub struct Call {
    /// The stack pointer, which tells calls of a recursive function and of several threads apart.
    pub sp: u64,
    pub exit: Exit,
}

/// The functions, by address space and address, and their open calls, by return address.
#[derive(Default)]
pub struct Functions {
    pub entries: NumberMap<(u64, u64), Vec<Entry>>,
    pub calls: NumberMap<(u64, u64), Vec<Call>>,
    pub heap: Heap,
    /// How often the entries have changed.
    pub version: u64,
}

impl Functions {
    /// These things happen when control arrives at `addr`.
    pub fn watch(&mut self, space: u64, addr: u64, entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        let known = self.entries.entry((space, addr)).or_default();
        for entry in entries {
            if !known.contains(&entry) {
                self.version += 1;
                known.push(entry);
            }
        }
    }

    /// The space has code in these areas only.
    pub fn keep(&mut self, space: u64, areas: &[Range<u64>]) {
        let has_code = |addr: &u64| areas.iter().any(|area| area.contains(addr));
        let before = self.entries.len();
        self.entries.retain(|(of, addr), _| *of != space || has_code(addr));
        self.version += u64::from(self.entries.len() != before);
    }

    /// Whether something happens when control arrives there.
    pub fn watches(&self, space: u64, addr: u64) -> bool {
        !self.entries.is_empty() && self.entries.contains_key(&(space, addr))
    }

    /// Where a run without checks has to stop.
    pub fn stops(&self) -> impl Iterator<Item = u64> {
        self.entries.keys().chain(self.calls.keys()).map(|(_, pc)| *pc)
    }

    /// The calls that return to `pc` with this stack pointer, the last one first.
    pub fn returned(&mut self, space: u64, pc: u64, sp: u64) -> Vec<Exit> {
        let Some(calls) = self.calls.remove(&(space, pc)) else { return Vec::new() };
        let (ended, open): (Vec<Call>, Vec<Call>) = calls.into_iter().partition(|c| c.sp == sp);
        if !open.is_empty() {
            self.calls.insert((space, pc), open);
        }
        ended.into_iter().rev().map(|call| call.exit).collect()
    }
}
