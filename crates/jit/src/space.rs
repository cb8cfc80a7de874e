//! The blocks of an address space.

use crate::timed::Timed;
use crate::x64::Entry;
use capvec_isa::Class;
use capvec_sim::block::{Block as Code, build, span};
use capvec_sim::csr::is_own_block;
use capvec_sim::interp::{OBSERVED, PLAIN};
use capvec_sim::timing::Plan;
use capvec_sim::{Hart, Trap};
use capvec_timing::batch::Batch;
use std::collections::HashMap;

/// Slots of the direct-mapped cache in front of the hash table, a power of two.
const SLOTS: usize = 4096;

/// Most decoded instructions kept over all address spaces; the interpreter has the same limit.
pub const MAX_INSNS: usize = 4 << 20;

/// What a block adds to `Space::size` beyond its instructions, to account for its own memory.
const BLOCK_OVERHEAD: usize = 8;

/// Only the last so many entries before translation decide which way a branch usually goes, so that a loop with an
/// occasional exit still counts as a loop.
const WATCHED_ENTRIES: u8 = 8;

/// How a block is executed.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// Interpreted for so many more entries, then translated.
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
    pub vset_vl: Vec<(u8, u64)>,
    /// Entries in a vector state that no translation is made for, since the last translation.
    pub state_misses: u8,
    /// Number of translations, each for one state of the vector unit.
    pub variants: u8,
    /// Of its last entries before translation: how many there were, and in how many the final branch was taken.
    pub exits: (u8, u8),
    /// The translation is a loop.
    pub loops: bool,
    /// Deferred vector instructions of its translations, by the addresses that the code holds.
    #[expect(clippy::vec_box, reason = "generated code has their addresses")]
    pub batches: Vec<Box<Batch>>,
}

impl Block {
    /// Interprets the block from instruction `from` on. The error is the index of the instruction that raised a trap.
    pub fn interpret(&self, h: &mut Hart, from: usize) -> Result<(), usize> {
        h.pc = self.code.end;
        span(h, &self.code.insns[from..], |_, _| ()).map_err(|k| from + k)
    }

    /// Interprets the block and records what a later translation is specialised for. `entry_counted`: generated code has
    /// already counted the entry.
    pub fn profile(
        &mut self,
        h: &mut Hart,
        timed: Option<&mut Timed>,
        entry_counted: bool,
    ) -> Result<(), usize> {
        let (code, vset_vl) = (&self.code, &mut self.vset_vl);
        vset_vl.clear();
        let note = |h: &Hart, k: usize| {
            if code.insns[k].op().row().class == Class::Vset {
                vset_vl.push((k as u8, h.v.vl));
            }
        };
        match timed {
            Some(t) => t.interpret(h, code, entry_counted, note),
            None => {
                h.pc = code.end;
                span(h, &code.insns, note)
            }
        }
    }

    /// Records that the block was interpreted and control went to `pc`.
    pub fn note_exit(&mut self, pc: u64) {
        if let State::Cold(0..WATCHED_ENTRIES) = self.state {
            self.exits = (self.exits.0 + 1, self.exits.1 + (pc != self.code.end) as u8);
        }
    }

    /// Whether it reads counters: they are up to date only when the run loop enters each block itself.
    fn reads_counters(&self) -> bool {
        let insns = &self.code.insns;
        insns.iter().any(|i| i.op().row().class == Class::Csr && is_own_block(i.imm as u16))
    }
}

/// Why there is no block at the hart's pc.
pub enum NoBlock {
    /// The fetch traps.
    Trap(Trap),
    /// Too many blocks: drop them before building another.
    Full,
}

/// The blocks of one address space, for one version of its code.
pub struct Space {
    /// `Memory::code_version` when they were built.
    pub version: u64,
    /// Instructions of all blocks, plus a fixed overhead for each block.
    pub size: usize,
    /// The blocks, in the order in which they were built.
    pub blocks: Vec<Block>,
    by_start: HashMap<u64, u32>,
    /// (start, index). Block addresses are even, so an odd start marks an empty slot.
    slots: Box<[(u64, u32)]>,
    /// Entries of a block before it is translated.
    hot_threshold: u8,
}

impl Space {
    /// A space without blocks.
    pub fn new(version: u64, hot_threshold: u8) -> Space {
        let slots = vec![(1, 0); SLOTS].into_boxed_slice();
        let (blocks, by_start) = (Vec::new(), HashMap::new());
        Space { version, size: 0, blocks, by_start, slots, hot_threshold }
    }

    /// Index of the block at `h.pc`, which is built if necessary.
    #[inline(always)]
    pub fn find(&mut self, h: &Hart, timed: Option<&Timed>) -> Result<u32, NoBlock> {
        let slot = (h.pc >> 1) as usize % SLOTS;
        let (start, index) = self.slots[slot];
        if start == h.pc {
            return Ok(index);
        }
        let index = match self.index_of(h.pc) {
            Some(index) => index,
            None => self.build(h, timed)?,
        };
        self.slots[slot] = (h.pc, index);
        Ok(index)
    }

    /// Index of the block at `start`, if it has been built.
    pub fn index_of(&self, start: u64) -> Option<u32> {
        self.by_start.get(&start).copied()
    }

    #[cold]
    fn build(&mut self, h: &Hart, timed: Option<&Timed>) -> Result<u32, NoBlock> {
        if self.size >= MAX_INSNS {
            return Err(NoBlock::Full);
        }
        let start = h.pc;
        let table = if timed.is_some() { OBSERVED } else { PLAIN };
        let (insns, end) = build(&h.mem, &h.config, table, start).map_err(NoBlock::Trap)?;
        let plan = timed.map_or_else(Plan::default, |t| t.plan(start, &insns));
        self.size += insns.len() + BLOCK_OVERHEAD;
        let code = Box::new(Code { start, end, insns, plan, entered: 0 });
        let (state, vset_vl) = (State::Cold(self.hot_threshold), Vec::new());
        let mut block = Block {
            code,
            state,
            vset_vl,
            state_misses: 0,
            variants: 0,
            exits: (0, 0),
            loops: false,
            batches: Vec::new(),
        };
        if block.reads_counters() {
            block.state = State::Interpreted;
        }
        let index = self.blocks.len() as u32;
        self.blocks.push(block);
        self.by_start.insert(start, index);
        Ok(index)
    }

    /// The generated code has been dropped: blocks are cold again.
    pub fn forget_code(&mut self) {
        for b in &mut self.blocks {
            b.batches.clear();
            if matches!(b.state, State::Code(_)) {
                (b.state, b.exits) = (State::Cold(self.hot_threshold), (0, 0));
            }
        }
    }
}
