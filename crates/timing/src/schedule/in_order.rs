//! Instructions issue in order, each when its operands are ready and its pipe is free. All registers are taken to be ready
//! when a block is entered.

use super::{Schedule, Slot};
use crate::operands::REGISTERS;
use crate::params::{Params, Pipe, Started};

struct Issue {
    /// Cycle in which the next instruction may issue.
    now: u32,
    /// Instructions that have issued in that cycle, in all and to each kind of pipe.
    used: u32,
    in_pipe: Started,
    /// Cycle from which a separate pipe can start its next instruction.
    busy: [u32; Pipe::ALL.len()],
    /// Cycle from which a register can be read.
    ready: [u32; REGISTERS],
    /// Cycle from which it can be written again.
    free: [u32; REGISTERS],
}

impl Issue {
    /// Issues an instruction and returns its cycle.
    fn issue(&mut self, slot: &Slot, p: &Params) -> u32 {
        let Slot { operands, cost, pipe } = slot;
        let written = operands.writes.map(|r| self.free[r as usize]);
        let ready = operands.reads().map(|r| self.ready[r]).chain(written).max().unwrap_or(0);
        if cost.occupancy == 0 {
            // Free: its result is ready with its operands.
            if let Some(r) = operands.writes {
                self.ready[r as usize] = ready;
            }
            return self.now;
        }
        let ready = ready.max(self.busy[*pipe as usize]);
        let full = self.used == p.issue_width || !p.pipes.has_room(*pipe, &self.in_pipe);
        if ready > self.now || full {
            self.next(ready.max(self.now + full as u32));
        }
        let at = self.now;
        if let Some(r) = operands.writes {
            self.ready[r as usize] = at + cost.latency;
            self.free[r as usize] = at + p.rewrite;
        }
        self.used += 1;
        self.in_pipe[*pipe as usize] += 1;
        match cost.occupancy {
            1 => {}
            n if p.pipes.is_separate(*pipe) => self.busy[*pipe as usize] = at + n,
            n => self.next(self.now + n),
        }
        at
    }

    /// Goes on to this cycle, in which nothing has issued yet.
    fn next(&mut self, cycle: u32) {
        self.now = cycle;
        self.used = 0;
        self.in_pipe = Default::default();
    }

    /// Cycles that have begun.
    fn elapsed(&self) -> u32 {
        self.now + (self.used > 0) as u32
    }
}

/// When the instructions of a block issue.
pub fn schedule(p: &Params, slots: &[Slot]) -> Schedule {
    let mut issue = Issue {
        now: 0,
        used: 0,
        in_pipe: Default::default(),
        busy: Default::default(),
        ready: [0; REGISTERS],
        free: [0; REGISTERS],
    };
    let mut schedule = Schedule {
        issued: Vec::with_capacity(slots.len()),
        cumulative: Vec::with_capacity(slots.len() + 1),
    };
    schedule.cumulative.push(0);
    for slot in slots {
        schedule.issued.push(issue.issue(slot, p));
        schedule.cumulative.push(issue.elapsed());
    }
    schedule
}
