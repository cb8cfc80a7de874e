//! The blocks of an address space.

use crate::timed::Timed;
use crate::x64::{Edge, Entry};
use capvec_isa::Class;
use capvec_sim::block::{Block as Code, Built, Index, build, span};
use capvec_sim::csr::is_own_block;
use capvec_sim::interp::{OBSERVED, PLAIN};
use capvec_sim::mem::{PAGE, SPACE};
use capvec_sim::timing::Plan;
use capvec_sim::{Hart, Memory, Trap};
use capvec_timing::batch::Batch;
use std::collections::BTreeMap;
use std::ops::Range;

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
    /// Edges that have been linked to its translations.
    pub incoming: Vec<Edge>,
    /// Blocks whose translations contain this one, besides itself.
    pub heads: Vec<u32>,
    /// The blocks that were last found after this one: at its end, and elsewhere. They may have been dropped since.
    successors: [u32; 2],
}

impl Block {
    /// A block that has not been entered.
    fn new(code: Box<Code>, hot_threshold: u8) -> Block {
        let mut block = Block {
            code,
            state: State::Cold(hot_threshold),
            vset_vl: Vec::new(),
            state_misses: 0,
            variants: 0,
            exits: (0, 0),
            loops: false,
            batches: Vec::new(),
            incoming: Vec::new(),
            heads: Vec::new(),
            successors: [0; 2],
        };
        if block.reads_counters() {
            block.state = State::Interpreted;
        }
        block
    }

    /// All generated code has been dropped. If the block was translated, it is again at its next entry, by what is known
    /// of it.
    fn forget_code(&mut self) {
        self.heads.clear();
        self.incoming.clear();
        self.batches.clear();
        if matches!(self.state, State::Code(_)) {
            self.state = State::Cold(0);
        }
    }

    /// The block's translations have been dropped, since a block in them has changed. It was hot, so it is translated
    /// again as soon as it is known again which way its branch goes.
    pub fn cool(&mut self, hot_threshold: u8) {
        self.batches.clear();
        if matches!(self.state, State::Code(_)) {
            let entries = hot_threshold.min(WATCHED_ENTRIES);
            (self.state, self.exits, self.loops) = (State::Cold(entries), (0, 0), false);
        }
    }

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
        // A cold block may be interpreted without becoming warmer, when the budget ends.
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

/// Why there is no block at the hart's pc.
pub enum NoBlock {
    /// The fetch traps.
    Trap(Trap),
    /// Too many blocks: drop them before building another.
    Full,
}

/// The blocks of one address space.
pub struct Space {
    /// `Memory::code_version` when they were last compared with memory.
    pub version: u64,
    /// `Memory::decoding_version` when they were decoded.
    pub decoding: u64,
    /// The blocks by number. A dropped block stays until its number is used again.
    pub blocks: Vec<Block>,
    pub index: Index,
    /// The blocks that depend on a page, by its address.
    by_page: BTreeMap<u64, Vec<u32>>,
    /// Number of traces that have been translated.
    traces: usize,
    /// Entries of a block before it is translated.
    hot_threshold: u8,
}

/// A program with more traces than this is large: its traces end where others begin. Before that, traces overlap, so that
/// each path through a hot loop is one trace.
const LARGE: usize = 4096;

impl Space {
    /// A space without blocks.
    pub fn new(mem: &Memory, hot_threshold: u8) -> Space {
        Space {
            version: mem.code_version(),
            decoding: mem.decoding_version(),
            blocks: Vec::new(),
            index: Index::default(),
            by_page: BTreeMap::new(),
            traces: 0,
            hot_threshold,
        }
    }

    /// Index of the block at `h.pc`, which is built if necessary.
    #[inline(always)]
    pub fn find(&mut self, h: &Hart, timed: Option<&Timed>) -> Result<u32, NoBlock> {
        match self.index.find(h.pc) {
            Some(index) => Ok(index),
            None => self.build(h, timed),
        }
    }

    /// `find` after control has left block `previous`. Large programs spend much of their time on looking blocks up, and
    /// most blocks are followed by the same ones as before.
    #[inline(always)]
    pub fn find_after(
        &mut self,
        previous: Option<u32>,
        h: &Hart,
        timed: Option<&Timed>,
    ) -> Result<u32, NoBlock> {
        let Some(previous) = previous.map(|index| index as usize) else {
            return self.find(h, timed);
        };
        let side = usize::from(h.pc != self.blocks[previous].code.end);
        let last = self.blocks[previous].successors[side];
        let code = &self.blocks[last as usize].code;
        if code.start == h.pc && code.is_live() {
            return Ok(last);
        }
        let index = self.find(h, timed)?;
        self.blocks[previous].successors[side] = index;
        Ok(index)
    }

    #[cold]
    fn build(&mut self, h: &Hart, timed: Option<&Timed>) -> Result<u32, NoBlock> {
        if self.index.is_full() {
            return Err(NoBlock::Full);
        }
        let start = h.pc;
        let table = if timed.is_some() { OBSERVED } else { PLAIN };
        let Built { insns, end, source } =
            build(&h.mem, &h.config, table, start).map_err(NoBlock::Trap)?;
        let plan = timed.map_or_else(Plan::default, |t| t.plan(start, &insns));
        let index = self.index.insert(start, insns.len());
        for page in source.pages(start) {
            self.by_page.entry(page).or_default().push(index);
            h.mem.watch_code(page);
        }
        let code = Box::new(Code { start, end, insns, source, plan, entered: 0 });
        let block = Block::new(code, self.hot_threshold);
        match self.blocks.get_mut(index as usize) {
            Some(dropped) => *dropped = block,
            None => self.blocks.push(block),
        }
        Ok(index)
    }

    /// Whether it has so much code that translating a block in several traces costs more than it gains.
    pub fn is_large(&self) -> bool {
        self.traces > LARGE
    }

    /// Records that the first block's translation contains these blocks.
    pub fn note_trace(&mut self, path: &[u32]) {
        self.traces += 1;
        let Some((head, others)) = path.split_first() else { return };
        for other in others.iter().filter(|other| *other != head) {
            let heads = &mut self.blocks[*other as usize].heads;
            // A loop that was unrolled repeats its blocks.
            if heads.last() != Some(head) {
                heads.push(*head);
            }
        }
    }

    /// The blocks that depend on these pages; all, if no pages are given. A block may occur more than once.
    pub fn depending(&self, pages: Option<Vec<Range<u64>>>) -> Vec<u32> {
        let all = std::iter::once(0..SPACE / PAGE).collect();
        let mut found = Vec::new();
        for range in pages.unwrap_or(all) {
            let addresses = range.start * PAGE..range.end * PAGE;
            self.by_page.range(addresses).for_each(|(_, blocks)| found.extend(blocks));
        }
        found
    }

    /// Has `Memory` report further changes of a block that was compared with it.
    pub fn watch(&self, index: u32, mem: &Memory) {
        let code = &self.blocks[index as usize].code;
        code.source.pages(code.start).for_each(|page| mem.watch_code(page));
    }

    /// Drops a block without translations.
    pub fn drop_block(&mut self, index: u32) {
        let code = &mut self.blocks[index as usize].code;
        self.index.remove(code.start, code.insns.len());
        for page in code.source.pages(code.start) {
            if let Some(blocks) = self.by_page.get_mut(&page) {
                blocks.retain(|b| *b != index);
                if blocks.is_empty() {
                    self.by_page.remove(&page);
                }
            }
        }
        code.drop_contents();
    }

    /// All generated code has been dropped.
    pub fn forget_code(&mut self) {
        self.blocks.iter_mut().for_each(Block::forget_code);
    }
}
