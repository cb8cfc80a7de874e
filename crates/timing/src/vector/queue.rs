//! The queue of a vector unit: when its instructions start and when they are done. All in ticks.

use super::shape::{Shape, UNITS, Unit};
use crate::params::MAX_PIPES;

/// Number of vector registers.
pub(super) const REGISTERS: usize = 32;

/// Ticks of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Before the first step. This part is pipelined: it delays results, not the next instruction.
    pub(super) startup: u64,
    /// From the first step to the first result.
    pub(super) first: u64,
    /// From the first step to the end.
    pub(super) body: u64,
    /// The part of `body` that moves registers.
    pub(super) moves: u64,
    /// Its steps at the pace of further ones: how long it keeps later instructions of an in-order unit from starting.
    pub(super) pace: u64,
}

/// Consecutive registers.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) first: u8,
    pub(super) count: u64,
}

impl Span {
    /// The registers as a set, one bit each. Numbers wrap around.
    fn set(self) -> u32 {
        let ones =
            u32::MAX.unbounded_shr(REGISTERS as u32 - self.count.min(REGISTERS as u64) as u32);
        ones.rotate_left(self.first as u32)
    }
}

/// The registers of an instruction's operands.
#[derive(Clone, Copy)]
pub(super) struct Spans {
    pub(super) target: Option<Span>,
    /// The second result, which is also a source.
    pub(super) second: Option<Span>,
    pub(super) sources: [Option<Span>; 4],
}

impl Spans {
    /// Number of registers read.
    pub(super) fn reads(&self, shape: &Shape) -> u64 {
        let old = if shape.accumulates { self.target } else { None };
        self.sources.iter().chain([&old]).flatten().map(|s| s.count).sum()
    }

    /// The registers that an instruction waits for, and those that it writes.
    pub(super) fn sets(&self) -> Registers {
        let union = |spans: &[Option<Span>]| spans.iter().flatten().fold(0, |set, s| set | s.set());
        let target = union(&[self.target]);
        // Waits for the destination, too: results appear in order.
        Registers {
            awaited: union(&self.sources) | target,
            written: target | union(&[self.second]),
        }
    }
}

/// Sets of registers, one bit each.
#[derive(Clone, Copy)]
pub(super) struct Registers {
    pub(super) awaited: u32,
    pub(super) written: u32,
}

/// The members of a set.
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < REGISTERS).then_some(first)
    })
}

/// The times of a register.
#[derive(Clone, Copy, Default)]
pub(super) struct Times {
    /// When an instruction that depends on it can start.
    ready: u64,
    /// When such an instruction can be done at the earliest.
    pub(super) complete: u64,
}

/// What executes an instruction: the functional unit, or one of these pipes, given by their indices.
#[derive(Clone, Copy)]
pub(super) struct Executors {
    pub(super) first: u8,
    pub(super) count: u8,
}

impl Executors {
    /// This functional unit.
    pub(super) fn unit(unit: Unit) -> Executors {
        Executors { first: unit as u8, count: 1 }
    }

    /// The first `count` pipes.
    pub(super) fn pipes(count: u32) -> Executors {
        Executors { first: UNITS as u8, count: count as u8 }
    }
}

/// The work in a queued unit. Times are absolute.
pub(super) struct Queue {
    /// Completion times of the last instructions queued, as a ring.
    done: Box<[u64]>,
    /// Index of the oldest of them.
    oldest: usize,
    /// When each functional unit, and then each pipe, can start its next instruction.
    free: [u64; UNITS + MAX_PIPES],
    pub(super) registers: [Times; REGISTERS],
}

/// When a queued instruction was accepted, and when it is done.
pub(super) struct Queued {
    pub(super) issued: u64,
    pub(super) done: u64,
}

impl Queue {
    pub(super) fn new(depth: usize) -> Queue {
        Queue {
            done: vec![0; depth].into_boxed_slice(),
            oldest: 0,
            free: [0; UNITS + MAX_PIPES],
            registers: [Times::default(); REGISTERS],
        }
    }

    /// Queues an instruction that issues at `now`, or as soon as there is room.
    #[inline]
    pub(super) fn push(
        &mut self,
        now: u64,
        executors: Executors,
        cost: Cost,
        sets: Registers,
        chaining: bool,
    ) -> Queued {
        let issued = now.max(self.done[self.oldest]);
        let Times { ready, complete } = self.awaited(sets);
        let unit = self.earliest(executors);
        let start = issued.max(self.free[unit]).max(ready);
        let done = (start + cost.startup + cost.body).max(complete + 1);
        let ready = if chaining { start + cost.startup + cost.first } else { done };
        self.write(sets, Times { ready, complete: done });
        self.free[unit] = start + cost.body.max(1);
        // Completion is reported in order.
        let last = self.done.len() - 1;
        let newest = if self.oldest == 0 { last } else { self.oldest - 1 };
        self.done[self.oldest] = done.max(self.done[newest]);
        self.oldest = if self.oldest == last { 0 } else { self.oldest + 1 };
        Queued { issued, done }
    }

    /// The executor that is free first. The last of several, since the first one has work that no other can do.
    fn earliest(&self, executors: Executors) -> usize {
        let first = executors.first as usize;
        let all = (first..first + executors.count as usize).rev();
        all.min_by_key(|unit| self.free[*unit]).unwrap_or(first)
    }

    /// When the registers that an instruction waits for are ready and complete.
    fn awaited(&self, sets: Registers) -> Times {
        let mut last = Times::default();
        for r in members(sets.awaited) {
            last.ready = self.registers[r].ready.max(last.ready);
            last.complete = self.registers[r].complete.max(last.complete);
        }
        last
    }

    fn write(&mut self, sets: Registers, times: Times) {
        for r in members(sets.written) {
            self.registers[r] = times;
        }
    }
}
