//! The queue of a vector unit: when its instructions start and when they are done. All in ticks.

use super::shape::{Shape, UNITS, Unit};

/// Number of vector registers.
const REGISTERS: usize = 32;

/// Ticks of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// Before the first step. This part is pipelined: it delays results, not the next instruction.
    pub(super) startup: u64,
    /// From there to the first result.
    pub(super) first: u64,
    /// From there to the end.
    pub(super) body: u64,
    /// The part of `body` that moves registers.
    pub(super) moves: u64,
}

/// Consecutive registers.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) first: u8,
    pub(super) count: u64,
}

impl Span {
    fn registers(self) -> impl Iterator<Item = usize> {
        let first = self.first as usize;
        (first..first + self.count as usize).map(|r| r % REGISTERS)
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
}

/// The work in a queued unit. Times are absolute.
pub(super) struct Queue {
    /// Completion times of the last instructions queued, as a ring.
    done: Box<[u64]>,
    /// Index of the oldest of them.
    oldest: usize,
    /// When each functional unit can start its next instruction.
    free: [u64; UNITS],
    /// When an instruction that depends on a register can start.
    ready: [u64; REGISTERS],
    /// When it can be done at the earliest.
    pub(super) complete: [u64; REGISTERS],
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
            free: [0; UNITS],
            ready: [0; REGISTERS],
            complete: [0; REGISTERS],
        }
    }

    /// Queues an instruction that issues at `now`, or as soon as there is room.
    pub(super) fn push(
        &mut self,
        now: u64,
        unit: Unit,
        cost: Cost,
        spans: &Spans,
        chaining: bool,
    ) -> Queued {
        let issued = now.max(self.done[self.oldest]);
        // Waits for the destination, too: results appear in order.
        let (mut ready, mut complete) = (0, 0);
        for span in spans.sources.iter().chain([&spans.target]).flatten() {
            for r in span.registers() {
                ready = self.ready[r].max(ready);
                complete = self.complete[r].max(complete);
            }
        }
        let unit = unit as usize;
        let start = issued.max(self.free[unit]).max(ready);
        let done = (start + cost.startup + cost.body).max(complete + 1);
        let ready = if chaining { start + cost.startup + cost.first } else { done };
        for r in [spans.target, spans.second].iter().flatten().flat_map(|s| s.registers()) {
            self.ready[r] = ready;
            self.complete[r] = done;
        }
        self.free[unit] = start + cost.body.max(1);
        // Completion is reported in order.
        let last = self.done.len() - 1;
        let newest = if self.oldest == 0 { last } else { self.oldest - 1 };
        self.done[self.oldest] = done.max(self.done[newest]);
        self.oldest = if self.oldest == last { 0 } else { self.oldest + 1 };
        Queued { issued, done }
    }
}
