//! The core model as the run loop uses it: the same calls in the same order as in the interpreter. Generated code
//! does the frequent ones itself.

#[cfg(target_arch = "x86_64")]
mod for_code;

use crate::access;
use capvec_sim::Hart;
use capvec_sim::block::Block;
use capvec_sim::debug::execute_one;
use capvec_sim::mem::Low;
use capvec_sim::timing::{Plan, Timing};
use capvec_sim::trap::Raised;
use capvec_timing::inline::{InlineState, static_ticks};
use capvec_timing::{FirstOrder, Params};

/// `Timed::last_end` when the next entry is not sequential: an address at which no block starts.
const NOT_SEQUENTIAL: u64 = 1;

/// The model and the run loop's state for it.
pub struct Timed {
    /// The one model. Its address stays the same: generated code holds it.
    model: Low<FirstOrder>,
    inline: InlineState,
    /// End of the block that ran last, to recognise sequential entries.
    last_end: u64,
}

impl Timed {
    /// Wraps a model. `low`: moves what generated code accesses to low addresses.
    pub fn new(model: FirstOrder, low: bool) -> Timed {
        let mut model = Low::from(vec![model]);
        if low {
            model.lower();
            model[0].lower();
        }
        let inline = model[0].inline_state();
        Timed { model, inline, last_end: NOT_SEQUENTIAL }
    }

    /// The parts of the model that generated code may access.
    pub fn inline_state(&self) -> &InlineState {
        &self.inline
    }

    /// What decides which code is generated for the model.
    pub fn identity(&self) -> (Params, u32) {
        self.model[0].identity()
    }

    /// Numbers of instruction-cache and of data-cache misses, without those of generated code.
    pub fn misses(&self) -> [u64; 2] {
        [self.model[0].fetch_misses(), self.model[0].data_misses()]
    }

    /// Static costs of a block.
    pub fn plan(&self, start: u64, insns: &[capvec_sim::insn::Insn]) -> Plan {
        self.model[0].plan(start, insns)
    }

    /// Generated code starts to run.
    pub fn begin(&mut self, h: &Hart) {
        self.model[0].begin(h.cycles);
    }

    /// Control enters the block's generated code; returns whether by a redirection.
    pub fn enter(&mut self, b: &Block) -> bool {
        let sequential = b.start == self.last_end;
        self.last_end = NOT_SEQUENTIAL;
        self.model[0].redirect(sequential)
    }

    /// Generated code has left the block after its last instruction retired; control continues at `pc`.
    pub fn left(&mut self, b: &Block, pc: u64) {
        self.model[0].leave(b.plan.exit, b.end);
        self.last_end = if pc == b.end { pc } else { NOT_SEQUENTIAL };
    }

    /// Generated code has left the block at instruction `k`, which did not retire. Gives back the ticks that were
    /// counted at the entry: the block's static cost, and the static ticks of the accesses that are still to come.
    pub fn left_early(&mut self, b: &Block, k: usize) {
        self.model[0].leave(b.plan.exit, b.end);
        self.last_end = NOT_SEQUENTIAL;
        let accesses = access::static_ticks(&self.inline, &b.insns[k..]);
        self.model[0].give_back(static_ticks(&b.plan, b.insns.len()) + accesses);
    }

    /// Brings the hart's cycles up to date.
    pub fn update_cycles(&mut self, h: &mut Hart) {
        h.cycles = h.cycles.wrapping_add(self.model[0].take_cycles());
    }

    /// Interprets the block from its start. `entry_counted`: generated code has already counted the entry. Calls `note`
    /// with each instruction that has retired.
    pub fn interpret(
        &mut self,
        h: &mut Hart,
        b: &Block,
        entry_counted: bool,
        note: impl FnMut(&Hart, usize),
    ) -> Result<(), usize> {
        if entry_counted {
            self.left_early(b, 0);
            self.update_cycles(h);
        } else {
            self.enter_interpreted(h, b);
        }
        self.execute(h, b, 0, note)
    }

    /// Control enters a block that is going to be interpreted.
    pub fn enter_interpreted(&mut self, h: &mut Hart, b: &Block) {
        let sequential = b.start == self.last_end;
        self.last_end = NOT_SEQUENTIAL;
        h.cycles += self.model[0].enter(b.start, b.end, &b.plan, sequential);
    }

    /// Interprets instruction `k` of the block; see `capvec_sim::debug`.
    pub fn execute_one(&mut self, h: &mut Hart, b: &Block, k: usize) -> Result<(), Raised> {
        execute_one(&mut self.model[0], h, b, k)
    }

    /// All instructions of the block have been interpreted one by one.
    pub fn executed(&mut self, h: &mut Hart, b: &Block) {
        h.cycles += b.cycles();
        self.last_end = if h.pc == b.end { h.pc } else { NOT_SEQUENTIAL };
    }

    /// Interprets the rest of a block that generated code entered. Calls `note` with each instruction that has retired.
    pub fn finish(
        &mut self,
        h: &mut Hart,
        b: &Block,
        from: usize,
        note: impl FnMut(&Hart, usize),
    ) -> Result<(), usize> {
        self.execute(h, b, from, note)
    }

    fn execute(
        &mut self,
        h: &mut Hart,
        b: &Block,
        from: usize,
        note: impl FnMut(&Hart, usize),
    ) -> Result<(), usize> {
        b.execute(&mut self.model[0], h, from, note)?;
        self.last_end = if h.pc == b.end { h.pc } else { NOT_SEQUENTIAL };
        Ok(())
    }

    /// See `Engine::switch`.
    pub fn switch(&mut self) {
        self.last_end = NOT_SEQUENTIAL;
        self.model[0].switch();
    }

    /// See `Engine::change_space`.
    pub fn change_space(&mut self) {
        self.last_end = NOT_SEQUENTIAL;
        self.model[0].change_space();
    }
}
