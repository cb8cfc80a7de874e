//! First-order out-of-order issue: instructions enter a window in order, start when their operands are ready and a pipe is
//! free, and retire in order.
//!
//! What an out-of-order core does with a block depends on what came before: the work of one block overlaps that of the next.
//! A block is therefore charged what one more execution costs when it is executed again and again, with its results as its
//! own operands. That suits loops, where the time goes, and takes dependences through registers from one part of unrolled
//! code to the next into account. A block ends a fetch group, so its cost is a whole number of cycles.

use super::{Schedule, Slot};
use crate::operands::REGISTERS;
use crate::params::{Params, Pipe, Started};

/// Maximum number of executions of a block after which its cost is taken.
const EXECUTIONS: usize = 8;

/// The window, and when everything in it happens.
struct Window<'a> {
    p: &'a Params,
    /// Cycle from which a register can be read.
    ready: [u32; REGISTERS],
    /// Cycles in which the last `size` instructions retired, as a ring.
    retired: Vec<u32>,
    /// Number of instructions so far.
    count: usize,
    /// The cycle in which instructions enter the window, and how many have.
    entering: (u32, u32),
    /// The cycle in which instructions retire, and how many have.
    retiring: (u32, u32),
    /// Instructions that start in each cycle, by pipe.
    started: Vec<Started>,
    /// Cycle from which a pipe that is not pipelined can start its next instruction.
    busy: [u32; Pipe::ALL.len()],
}

impl Window<'_> {
    /// An instruction enters the window. Returns the cycle.
    fn enter(&mut self) -> u32 {
        let room = self.retired[self.count % self.retired.len()];
        self.entering = next(self.entering, self.p.issue_width, room);
        self.entering.0
    }

    /// The first cycle from `from` on in which a pipe is free, which is taken.
    fn start(&mut self, slot: &Slot, from: u32) -> u32 {
        let pipe = slot.pipe as usize;
        let blocking = slot.cost.occupancy > 1;
        let mut at = if blocking { from.max(self.busy[pipe]) } else { from };
        loop {
            if self.started.len() <= at as usize {
                self.started.resize(at as usize + 1, Default::default());
            }
            let started = &mut self.started[at as usize];
            if self.p.pipes.has_room(slot.pipe, started) {
                started[pipe] += 1;
                break;
            }
            at += 1;
        }
        if blocking {
            self.busy[pipe] = at + slot.cost.occupancy;
        }
        at
    }

    /// Executes an instruction. Returns the cycles in which it enters the window and in which it retires.
    fn execute(&mut self, slot: &Slot) -> (u32, u32) {
        let entered = self.enter();
        let operands = slot.operands.reads().map(|r| self.ready[r]).max().unwrap_or(0);
        let from = entered.max(operands);
        let done = match slot.cost.occupancy {
            0 => from,
            _ => self.start(slot, from) + slot.cost.latency,
        };
        if let Some(r) = slot.operands.writes {
            self.ready[r as usize] = done;
        }
        self.retiring = next(self.retiring, self.p.issue_width, done);
        let size = self.retired.len();
        self.retired[self.count % size] = self.retiring.0;
        self.count += 1;
        (entered, self.retiring.0)
    }

    /// The next instruction after a block enters in a cycle of its own: the block ends a group.
    fn end_group(&mut self) {
        self.entering.1 = self.p.issue_width;
    }
}

/// The cycle of the next event and the number of events in it, of which a cycle has at most `width`: not before `from`.
fn next((cycle, count): (u32, u32), width: u32, from: u32) -> (u32, u32) {
    match () {
        () if from > cycle => (from, 1),
        () if count < width => (cycle, count + 1),
        () => (cycle + 1, 1),
    }
}

/// When the instructions of a block enter a window of `size`, and what the block costs.
pub fn schedule(p: &Params, size: u32, slots: &[Slot]) -> Schedule {
    let mut w = Window {
        p,
        ready: [0; REGISTERS],
        retired: vec![0; size as usize],
        count: 0,
        entering: (0, 0),
        retiring: (0, 0),
        started: Vec::new(),
        busy: Default::default(),
    };
    let (mut end, mut cost) = (0, None);
    let mut retired = Vec::new();
    for _ in 0..EXECUTIONS {
        retired = slots.iter().map(|slot| w.execute(slot).1).collect();
        w.end_group();
        let last = retired.last().copied().unwrap_or(end);
        let previous = cost.replace(last - end);
        if previous == cost {
            break;
        }
        end = last;
    }
    let cost = cost.unwrap_or(0).max(1);
    // The block's own part of the time at which it retires: the rest has been charged to what came before.
    let before = retired.last().map_or(0, |last| last - cost.min(*last));
    let own = |at: &u32| at.saturating_sub(before).min(cost);
    let cumulative: Vec<u32> = std::iter::once(0).chain(retired.iter().map(own)).collect();
    let issued = cumulative.iter().take(slots.len()).copied().collect();
    Schedule { issued, cumulative }
}

#[cfg(test)]
mod tests {
    use crate::params::{Params, Pipe};
    use crate::schedule::plan;
    use crate::testing::{params, r};
    use capvec_isa::Op;
    use capvec_sim::insn::Insn;

    /// Cycles of a block that is executed again and again.
    fn cost(p: &Params, insns: &[Insn]) -> u32 {
        plan(p, insns).costs.total()
    }

    /// Four instructions in a cycle; 64 in flight.
    fn wide() -> Params {
        Params { issue_width: 4, window: Some(64), ..params() }
    }

    #[test]
    fn independent_work_is_bound_by_the_width() {
        let code: Vec<Insn> = (5..17).map(|rd| r(Op::Add, rd, 20, 21)).collect();
        assert_eq!(cost(&wide(), &code), 3);
        assert_eq!(cost(&Params { issue_width: 1, ..wide() }, &code), 12);
        assert_eq!(cost(&wide(), &code[..1]), 1, "a block takes a cycle");
    }

    /// The additions depend on the load before them, but not on anything of the last execution.
    #[test]
    fn latency_within_an_execution_is_hidden() {
        let code =
            [r(Op::Lw, 5, 10, 0), r(Op::Add, 6, 5, 5), r(Op::Add, 7, 6, 6), r(Op::Add, 8, 7, 7)];
        assert_eq!(cost(&wide(), &code), 1);
    }

    #[test]
    fn latency_of_a_chain_through_all_executions_is_not_hidden() {
        let code = [r(Op::Mul, 5, 5, 11), r(Op::Add, 6, 10, 11), r(Op::Mul, 7, 5, 11)];
        assert_eq!(cost(&wide(), &code), 4);
        let two = [r(Op::Mul, 5, 6, 11), r(Op::Mul, 6, 5, 11)];
        assert_eq!(cost(&wide(), &two), 8);
    }

    #[test]
    fn pipes_bound_what_they_execute() {
        let mut p = wide();
        let loads: Vec<Insn> = (5..13).map(|rd| r(Op::Lw, rd, 20, 0)).collect();
        assert_eq!(cost(&p, &loads), 2);
        p.pipes.each[Pipe::Load as usize] = Some(1);
        assert_eq!(cost(&p, &loads), 8);
        let mixed: Vec<Insn> =
            loads.iter().cloned().chain((5..13).map(|rd| r(Op::Add, rd, 20, 21))).collect();
        assert_eq!(cost(&p, &mixed), 8, "additions fill the cycles");
    }

    /// Divisions are not pipelined: 20 cycles each, whatever the width.
    #[test]
    fn a_unit_that_is_not_pipelined_takes_one_at_a_time() {
        let code = [r(Op::Div, 5, 10, 11), r(Op::Div, 6, 10, 11), r(Op::Add, 7, 10, 11)];
        assert_eq!(cost(&wide(), &code), 40);
    }

    /// A window of four cannot hold the eight instructions that the latency of a load would need.
    #[test]
    fn a_small_window_exposes_latency() {
        let code: Vec<Insn> = (5..13).map(|rd| r(Op::Lw, rd, 20, 0)).collect();
        let small = Params { window: Some(4), ..wide() };
        assert!(cost(&small, &code) > cost(&wide(), &code));
    }

    #[test]
    fn the_cycles_of_parts_add_up() {
        let code = [r(Op::Lw, 5, 5, 0), r(Op::Add, 6, 5, 5), r(Op::Mul, 7, 6, 6)];
        let costs = plan(&wide(), &code).costs;
        assert!((0..=3).is_sorted_by_key(|k| costs.before(k)));
        assert_eq!((costs.before(3), costs.total()), (3, 3));
    }
}
