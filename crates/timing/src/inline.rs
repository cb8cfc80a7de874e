//! What an engine that generates code uses of the model: the state that generated code updates in line, and functions
//! for everything else.
//!
//! Such an engine adds ticks to one cell and takes the whole cycles when its code returns. It keeps the front end's
//! cells as `FrontEnd::enter` does, and compares each cache line with the most recently used tag of its set; every
//! other case calls the functions here, which are the model's own.

use crate::cache::Tags;
use crate::first_order::{FirstOrder, Stall};
use crate::front_end::{Cells, Extent, words};
use crate::params::{Branch, Data, Params};
use crate::region::range;
use crate::second_level::SecondTags;
use capvec_sim::Hart;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Exit, Plan, Seen};
use std::ops::Range;

pub use crate::front_end::{Words, tage};
pub use crate::reader::TICKS;

/// Host addresses of the state that generated code reads and writes. Valid while the model exists and does not move.
#[derive(Clone, Copy, Debug)]
pub struct InlineState {
    /// Host address of the ticks that have not been turned into cycles yet.
    pub ticks: u64,
    /// Host address of the hart's cycles when its code was entered, in ticks.
    pub since: u64,
    /// Host address of the number of instructions of the current block's batch that have been counted. Set to 0 when
    /// a block with a batch is entered.
    pub caught_up: u64,
    /// Host address of the addresses that vector instructions have accessed, by their index in the block.
    pub addresses: u64,
    /// The cost of every vector instruction is static: see `FirstOrder::static_cost`.
    pub vector_static: bool,
    /// So is the cost of constant-stride accesses.
    pub strided: bool,
    /// Vector accesses go through the data cache.
    pub vector_cached: bool,
    /// Vector instructions with misaligned elements are emulated.
    pub vector_emulated: bool,
    /// The front end's cells.
    pub front: Cells,
    /// The data cache's tags, if there is one.
    pub tags: Option<Tags>,
    /// The tags of what misses look up.
    pub second: SecondTags,
    /// Ticks of redirections.
    pub branch: Branch,
    /// Costs of data accesses.
    pub data: Data,
    /// Data stalls do not overlap fetching, so `Data::read` and `Data::write` are static costs.
    pub shared: bool,
}

/// The static part of entering a block, in ticks.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Issue of its instructions, without waiting for fetching.
    pub issue: u64,
    /// Fetching of its words after a redirection.
    pub redirected: Words,
    /// By how much issue takes longer than fetching if control enters in sequence.
    pub ahead: i64,
    /// The largest prefetch lead.
    pub buffer: u64,
}

impl Entry {
    /// Fetching of its words in sequence, with a prefetch lead of `lead` ticks.
    pub fn after(&self, lead: u64) -> Words {
        words(lead as i64 + self.ahead, self.buffer)
    }
}

/// Ticks of the first `n` instructions of a block.
pub fn static_ticks(plan: &Plan, n: usize) -> u64 {
    u64::from(plan.costs.before(n)) * TICKS as u64
}

impl FirstOrder {
    /// The state that generated code may access.
    pub fn inline_state(&mut self) -> InlineState {
        InlineState {
            ticks: std::ptr::from_mut(&mut self.carry) as u64,
            since: std::ptr::from_mut(&mut self.since) as u64,
            caught_up: std::ptr::from_mut(&mut self.caught_up) as u64,
            addresses: self.addresses.as_mut_ptr() as u64,
            vector_static: self.is_static(),
            strided: self.knows_strided(),
            vector_cached: self.vector.as_ref().is_some_and(|unit| unit.is_cached()),
            vector_emulated: self.vector.as_ref().is_some_and(|unit| unit.emulates()),
            front: self.front.cells(),
            tags: self.data.tags(),
            second: self.data.second.tags(),
            branch: self.params.branch,
            data: self.params.data,
            shared: self.params.fetch.shared,
        }
    }

    /// All host memory of which `inline_state` and `counter` give addresses, except that of the second level and of the tagged
    /// tables: only functions that are emitted for each model use these. Models with the same parameters list corresponding
    /// ranges in the same order.
    pub fn regions(&self) -> [Range<u64>; 5] {
        let model = std::ptr::from_ref(self);
        let model = model as u64..model as u64 + size_of::<FirstOrder>() as u64;
        let [tags, history] = self.front.regions();
        [model, range(&*self.addresses), self.data.region(), tags, history]
    }

    /// The parameters, and VLEN. Models with the same ones have the same static costs.
    pub fn identity(&self) -> (Params, u32) {
        (self.params.clone(), self.vlen)
    }

    /// The static part of entering the block `start..end`.
    pub fn entry(&self, start: u64, end: u64, plan: &Plan) -> Entry {
        let block = Extent::new(start, end, plan);
        Entry {
            issue: block.issue,
            redirected: self.front.redirected(block),
            ahead: self.front.ahead(block),
            buffer: self.front.buffer(),
        }
    }

    /// Host address of the history counter of the branch that ends at `end`, if branches have a history. The counter
    /// predicts taken from 2 on and saturates at 3.
    pub fn counter(&self, end: u64) -> Option<u64> {
        self.front.counter(end)
    }

    /// A branch with the counter at this host address and this hash (`tage::hash`) has been taken, or not. Returns whether it was
    /// mispredicted; counts nothing.
    pub fn mispredicted(&mut self, counter: u64, hash: u64, taken: bool) -> bool {
        let slot = self.front.slot_of(counter);
        !self.front.learn(slot, hash, taken)
    }

    /// Number of data-cache misses, without those of generated code.
    pub fn data_misses(&self) -> u64 {
        self.data.misses()
    }

    /// Number of instruction-cache misses, without those of generated code.
    pub fn fetch_misses(&self) -> u64 {
        self.front.misses()
    }

    /// Control is about to enter a block: counts the redirection, if it is one, and returns whether it is.
    pub fn redirect(&mut self, sequential: bool) -> bool {
        let lost = self.front.redirect(sequential);
        self.carry += lost.unwrap_or(0);
        lost.is_some()
    }

    /// Generated code has left a block that ends at `end`.
    pub fn leave(&mut self, exit: Exit, end: u64) {
        self.front.leave(exit, end);
    }

    /// Counts a scalar access of which `counted` ticks have been counted already.
    pub fn count_access(&mut self, access: Access, counted: u64) {
        let memory = self.data.scalar(&[access]);
        let ticks = self.exposed_stall(Stall { memory, other: 0 });
        // The cell may be negative for a moment: code defers ticks that this subtracts.
        self.carry = self.carry.wrapping_add(ticks).wrapping_sub(counted);
    }

    /// Counts the dynamic instruction that the hart has just executed. It issued at the ticks in the cell plus
    /// `correction`.
    pub fn count(&mut self, h: &mut Hart, insn: &Insn, note: u8, correction: i64) {
        let issue = self.carry.wrapping_add_signed(correction);
        let now = (h.cycles * TICKS as u64).wrapping_add(issue);
        let seen = Seen { accesses: &h.accesses, vl: h.v.vl, vtype: h.v.vtype };
        self.carry += self.ticks(now, note, insn, &seen);
        h.accesses.clear();
    }

    /// Subtracts ticks that were counted in excess.
    pub fn give_back(&mut self, ticks: u64) {
        self.carry = self.carry.wrapping_sub(ticks);
    }

    /// Takes the whole cycles that have been counted; the remaining ticks stay.
    pub fn take_cycles(&mut self) -> u64 {
        let ticks = self.carry;
        self.carry = ticks % TICKS as u64;
        ticks / TICKS as u64
    }
}
