//! What an engine that generates code needs of the model: what it may count by itself, and calls for all else.
//!
//! Such an engine adds ticks to one cell, and asks for the whole cycles when its code returns. It keeps the front
//! end's cells as `FrontEnd::enter` does, and looks for lines where they usually are; what it does not find is
//! left to the calls here, which are the model's own functions.

use crate::cache::Tags;
use crate::fetch::Cells;
use crate::fetch::words;
use crate::inorder::{InOrder, Stall};
use crate::params::{Branch, Data};
use capvec_sim::Hart;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Exit, Plan, Seen};

pub use crate::fetch::Words;
pub use crate::reader::TICKS;

/// Where the state stands that generated code reads and writes, as long as the model lives and stays where it is.
#[derive(Clone, Copy, Debug)]
pub struct Native {
    /// Host address of the ticks that are not told of yet.
    pub ticks: u64,
    /// Host address of the number of the present block's batch that has been counted: 0 when a block with one is
    /// entered.
    pub caught_up: u64,
    /// Host address of the addresses that vector instructions have accessed, by their number in the block.
    pub addresses: u64,
    /// What vector instructions take is known before: see `InOrder::fixed`.
    pub fixed: bool,
    /// And of those with a constant stride, too.
    pub strided: bool,
    /// Vector instructions go through the data cache.
    pub vector_cached: bool,
    /// The front end's cells.
    pub front: Cells,
    /// The data cache's tags, if there is one.
    pub tags: Option<Tags>,
    /// Ticks of redirections.
    pub branch: Branch,
    /// The data side.
    pub data: Data,
    /// Stalls for data do not go on beneath fetching: then `Data::read` and `Data::write` are static.
    pub shared: bool,
}

/// What is static of how a block is entered, in ticks.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Of its instructions, without waiting for fetching.
    pub issue: u64,
    /// Words behind a redirection.
    pub redirected: Words,
    /// By how much issue takes longer than fetching, if control comes in sequence.
    pub ahead: i64,
    /// The most that fetching is ahead by.
    pub buffer: u64,
}

impl Entry {
    /// Words in sequence, if fetching was ahead by `slack` ticks.
    pub fn after(&self, slack: u64) -> Words {
        words(slack as i64 + self.ahead, self.buffer)
    }
}

/// Ticks of the first `n` instructions of a block.
pub fn static_ticks(plan: &Plan, n: usize) -> u64 {
    plan.cumulative.get(n).copied().unwrap_or(0) as u64 * TICKS as u64
}

impl InOrder {
    /// What generated code may touch.
    pub fn native(&mut self) -> Native {
        Native {
            ticks: std::ptr::from_mut(&mut self.carry) as u64,
            caught_up: std::ptr::from_mut(&mut self.caught_up) as u64,
            addresses: self.addresses.as_mut_ptr() as u64,
            fixed: self.is_fixed(),
            strided: self.knows_strided(),
            vector_cached: self.vector.as_ref().is_some_and(|unit| unit.is_cached()),
            front: self.front.native(),
            tags: self.data.tags(),
            branch: self.params.branch,
            data: self.params.data,
            shared: self.params.fetch.shared,
        }
    }

    /// What is static of entering the block `start..end`.
    pub fn entry(&self, start: u64, end: u64, plan: &Plan) -> Entry {
        let issue = static_ticks(plan, plan.cumulative.len().saturating_sub(1));
        Entry {
            issue,
            redirected: self.front.redirected(start, end, issue),
            ahead: self.front.ahead(start, end, issue),
            buffer: self.front.buffer(),
        }
    }

    /// Host address of the counter for the branch that ends at `end`, if there is a history: taken is predicted
    /// from 2 on, 3 is the most.
    pub fn counter(&self, end: u64) -> Option<u64> {
        self.front.counter(end)
    }

    /// Control is about to enter a block: whether by a redirection, which is counted.
    pub fn redirect(&mut self, sequential: bool) -> bool {
        let lost = self.front.redirect(sequential);
        self.carry += lost.unwrap_or(0);
        lost.is_some()
    }

    /// Generated code has left a block that ends at `end`.
    pub fn leave(&mut self, exit: Exit, end: u64) {
        self.front.leave(exit, end);
    }

    /// Counts a scalar access, of which `counted` ticks have been.
    pub fn count_access(&mut self, access: Access, counted: u64) {
        let memory = self.data.scalar(&[access]);
        let ticks = self.behind_fetching(Stall { memory, other: 0 });
        // Code may put off ticks that it has counted.
        self.carry = self.carry.wrapping_add(ticks).wrapping_sub(counted);
    }

    /// Counts the dynamic instruction that the hart has just executed. The ticks of its issue are those that stand
    /// in the cell, and `correction`.
    pub fn count(&mut self, h: &mut Hart, insn: &Insn, note: u8, correction: i64) {
        let issue = self.carry.wrapping_add_signed(correction);
        let now = (h.cycles * TICKS as u64).wrapping_add(issue);
        let seen = Seen { accesses: &h.accesses, vl: h.v.vl, vtype: h.v.vtype };
        self.carry += self.ticks(now, note, insn, &seen);
        h.accesses.clear();
    }

    /// What was counted too much.
    pub fn give_back(&mut self, ticks: u64) {
        self.carry = self.carry.wrapping_sub(ticks);
    }

    /// The whole cycles that have been counted; the rest stays.
    pub fn take_cycles(&mut self) -> u64 {
        let ticks = self.carry;
        self.carry = ticks % TICKS as u64;
        ticks / TICKS as u64
    }
}
