//! The blocks of an address space.

use crate::block::Block;
use crate::interface::exit::Edge;
use crate::interface::link::Incoming;
use crate::small::Lists;
use crate::timed::Timed;
use capvec_sim::block::{Block as Code, Built, Index, build};
use capvec_sim::interp;
use capvec_sim::mem::{PAGE, SPACE};
use capvec_sim::timing::Plan;
use capvec_sim::{Hart, Memory, Trap};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Why there is no block at the hart's pc.
pub enum NoBlock {
    /// The fetch traps.
    Trap(Trap),
    /// Too many blocks: drop them before building another.
    Full,
}

/// Room for the blocks of a small program: so much that the allocator maps it by itself. Pages are made as they are touched, and a
/// mapping grows without being copied.
const USUAL_BLOCKS: usize = 2048;

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
    /// Landing pads of calls that continue at an address where no block has code.
    pub waiting: HashMap<u64, Incoming>,
    /// The lists `Block::heads` and `Block::pads`.
    lists: Lists,
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
            blocks: Vec::with_capacity(USUAL_BLOCKS),
            index: Index::default(),
            by_page: BTreeMap::new(),
            waiting: HashMap::new(),
            lists: Lists::default(),
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
    /// most blocks are followed by the same block as last time.
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
        let table = interp::table(64, timed.is_some());
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
            if self.lists.first(*heads) != Some(*head) {
                self.lists.push(heads, *head);
            }
        }
    }

    /// The blocks whose translations contain this one, which are going to be dropped.
    pub fn take_heads(&mut self, index: u32) -> Vec<u32> {
        self.lists.take(&mut self.blocks[index as usize].heads)
    }

    /// Records that this edge is a landing pad in the block's translation.
    pub fn note_pad(&mut self, index: u32, Edge(pad): Edge) {
        self.lists.push(&mut self.blocks[index as usize].pads, pad);
    }

    /// The landing pads in the translations of a block, which are going to be dropped.
    pub fn take_pads(&mut self, index: u32) -> Vec<Edge> {
        self.lists.take(&mut self.blocks[index as usize].pads).into_iter().map(Edge).collect()
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

    /// Has `Memory` report further changes of the pages of a block that has just been compared with memory.
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
        self.lists.clear();
        self.waiting.clear();
    }
}
