//! A block and what the engine knows of it: how hot it is, which way its branch goes, and its translations.

use crate::access::{Access, SP, is_nearby};
use crate::interface::entry::Entry;
use crate::interface::link::Incoming;
use crate::interface::trace::{Seen, Step};
use crate::small::{Few, List};
use crate::timed::Timed;
use capvec_isa::Class;
use capvec_sim::Hart;
use capvec_sim::block::{Block as Code, span};
use capvec_sim::csr::is_own_block;
use capvec_sim::insn::Insn;
use capvec_timing::batch::Batch;
use std::sync::Arc;

/// The number of entries before translation that decide which way a branch usually goes. There are few, so that a loop with
/// an occasional exit still counts as a loop.
const WATCHED_ENTRIES: u8 = 8;

/// The number of interpreted entries from which on it is known what a block often misses.
const SURE: u8 = 20;

/// How a block is executed.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// Interpreted for this many more entries, then translated.
    Cold(u8),
    /// Translated; generated code runs from this entry.
    Code(Entry),
    /// Always interpreted.
    Interpreted,
}

/// A block and its translation state.
pub struct Block {
    /// The decoded block, as the interpreter has it. Its address stays the same: generated code refers to it.
    pub code: Box<Code>,
    /// How it is executed.
    pub state: State,
    /// For each vset: its index, and the vl that it set when the block was last interpreted.
    pub vset_vl: Few<(u8, u64)>,
    /// Entries, since the last translation, in a vector state that has no translation.
    pub state_misses: u8,
    /// Number of translations, each for one state of the vector unit.
    pub variants: u8,
    /// Of its last entries before translation: how many were counted, and in how many of them the final branch was taken.
    pub exits: (u8, u8),
    /// The translation is a loop.
    pub loops: bool,
    /// Deferred vector instructions of its translations, by the addresses that the code holds.
    pub batches: Few<Arc<Batch>>,
    /// Edges that have been linked to its translations.
    pub incoming: Incoming,
    /// Other blocks whose translations contain this one.
    pub heads: List,
    /// The landing pads of its translations, as numbers of edges.
    pub pads: List,
    /// The blocks that last followed this one: in sequence, and after a redirection. They may have been dropped since.
    pub successors: [u32; 2],
    /// While it was interpreted under a core model: entries, and misses of the instruction and of the data cache; at most 255 of
    /// each.
    pub missed: (u8, [u8; 2]),
    /// The stack pointer was a multiple of eight whenever it was interpreted under a core model.
    pub stack_is_aligned: bool,
    /// Whether the set of counters may change within it, once that is known.
    pub divided: Option<bool>,
}

impl Block {
    /// A block that has not been entered.
    pub fn new(code: Box<Code>, hot_threshold: u8) -> Block {
        let mut block = Block {
            code,
            state: State::Cold(hot_threshold),
            vset_vl: Few::default(),
            state_misses: 0,
            variants: 0,
            exits: (0, 0),
            loops: false,
            batches: Few::default(),
            incoming: Incoming::default(),
            heads: List::default(),
            pads: List::default(),
            successors: [0; 2],
            missed: (0, [0; 2]),
            stack_is_aligned: true,
            divided: None,
        };
        if block.reads_counters() {
            block.state = State::Interpreted;
        }
        block
    }

    /// All generated code has been dropped. If the block was translated, it is translated again at its next entry, with what
    /// is known about it.
    pub fn forget_code(&mut self) {
        (self.heads, self.pads, self.incoming, self.batches) = Default::default();
        if matches!(self.state, State::Code(_)) {
            self.state = State::Cold(0);
        }
    }

    /// The block's translations have been dropped, because a block in them has changed. It was hot, so it is translated again
    /// as soon as enough entries show which way its branch goes.
    pub fn cool(&mut self, hot_threshold: u8) {
        self.batches = Few::default();
        if matches!(self.state, State::Code(_)) {
            let entries = hot_threshold.min(WATCHED_ENTRIES);
            (self.state, self.exits, self.loops) = (State::Cold(entries), (0, 0), false);
            self.missed = (0, [0; 2]);
        }
    }

    /// Keeps the block from being translated, or allows it again. It has no translations.
    pub fn interpret_only(&mut self, only: bool, hot_threshold: u8) {
        self.state = match only || self.reads_counters() {
            true => State::Interpreted,
            false => State::Cold(hot_threshold),
        };
    }

    /// Interprets the block from instruction `from` on. The error is the index of the instruction that raised a trap. Calls
    /// `note` with each instruction that has executed.
    pub fn interpret(
        &self,
        h: &mut Hart,
        from: usize,
        mut note: impl FnMut(&Hart, usize),
    ) -> Result<(), usize> {
        h.pc = self.code.end;
        span(h, &self.code.insns[from..], |h, k| note(h, from + k)).map_err(|k| from + k)
    }

    /// Interprets the block and records what a later translation is specialised for. `entry_counted`: generated code has
    /// already counted the entry. Calls `seen` with each instruction that has executed.
    pub fn profile(
        &mut self,
        h: &mut Hart,
        timed: Option<&mut Timed>,
        entry_counted: bool,
        mut seen: impl FnMut(&Hart, &Insn),
    ) -> Result<(), usize> {
        let (code, vset_vl) = (&self.code, &mut self.vset_vl);
        vset_vl.clear();
        let note = |h: &Hart, k: usize| {
            if code.insns[k].op().row().class == Class::Vset {
                vset_vl.push((k as u8, h.v.vl));
            }
            seen(h, &code.insns[k]);
        };
        match timed {
            Some(t) => {
                self.stack_is_aligned &= h.x(SP).is_multiple_of(8);
                let before = t.misses();
                let ended = t.interpret(h, code, entry_counted, note);
                let after = t.misses();
                let (entries, missed) = &mut self.missed;
                if *entries < u8::MAX {
                    *entries += 1;
                    for (k, n) in missed.iter_mut().enumerate() {
                        *n = n.saturating_add((after[k] - before[k]).min(255) as u8);
                    }
                }
                ended
            }
            None => {
                h.pc = code.end;
                span(h, &code.insns, note)
            }
        }
    }

    /// The block as part of a trace.
    pub fn step(&self, number: u32) -> Step<'_> {
        Step { number, block: &self.code, seen: self.seen() }
    }

    /// What a translation is specialised for. It often missed a modelled cache while it was interpreted if it did in more than an eighth
    /// of its entries, or of its loads that are not nearby.
    fn seen(&self) -> Seen {
        let (entries, [fetching, missed]) = self.missed;
        let loads = |i: &&Insn| {
            Access::of(i.op()).is_some_and(|access| !access.is_store()) && !is_nearby(i)
        };
        let loads = entries as usize * self.code.insns.iter().filter(loads).count();
        let often = |missed: u8, of: usize| entries >= SURE && missed as usize * 8 > of;
        Seen {
            misses_fetching: often(fetching, entries as usize),
            misses_loads: often(missed, loads),
            stack_is_aligned: self.stack_is_aligned,
        }
    }

    /// Records that the block was interpreted and control went to `pc`.
    pub fn note_exit(&mut self, pc: u64) {
        // Near the end of the budget, a cold block is interpreted without being counted as warmer.
        if let State::Cold(0..WATCHED_ENTRIES) = self.state
            && self.exits.0 < WATCHED_ENTRIES
        {
            self.exits = (self.exits.0 + 1, self.exits.1 + (pc != self.code.end) as u8);
        }
    }

    /// Whether it reads counters: they are up to date only when the run loop enters each block itself.
    fn reads_counters(&self) -> bool {
        let insns = &self.code.insns;
        insns.iter().any(|i| i.op().row().class == Class::Csr && is_own_block(i.imm as u16))
    }
}
