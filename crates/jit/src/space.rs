//! The blocks of an address space.

use crate::timed::Timed;
use crate::x64::Entry;
use capvec_isa::Class;
use capvec_sim::block::{Block as Code, build, span};
use capvec_sim::csr::is_alone;
use capvec_sim::interp::{OBSERVED, PLAIN};
use capvec_sim::timing::Plan;
use capvec_sim::{Hart, Trap};
use capvec_timing::batch::Batch;
use std::collections::HashMap;

/// Slots of the direct-mapped cache in front of the hash table; a power of two.
const FAST: usize = 4096;

/// Most instructions that are kept decoded, over all address spaces, as in the interpreter.
pub const MOST: usize = 4 << 20;

/// What a block counts in `Space::size` beside its instructions.
const EACH: usize = 8;

/// Of a block's entries before it is translated, the last so many say which way control goes: loops that end now and then are
/// loops.
const WATCHED: u8 = 8;

/// How far a block has come.
#[derive(Clone, Copy, Debug)]
pub enum State {
    /// Interpreted so many times more before it is translated.
    Cold(u8),
    /// Translated.
    Code(Entry),
    /// Always interpreted.
    Interpreted,
}

/// A block, and how far it has come.
pub struct Block {
    /// As the interpreter has it. It stays where it is.
    pub code: Box<Code>,
    /// How far it has come.
    pub state: State,
    /// Instruction and the vl that it has set last, while it was interpreted.
    pub seen: Vec<(u8, u64)>,
    /// Times that no translation was for the vector unit's state, since the last one was made.
    pub misses: u8,
    /// Translations, each for a state of the vector unit.
    pub variants: u8,
    /// Of its last entries before it is translated: how many there were, and how often control went elsewhere than on
    /// behind it then.
    pub ways: (u8, u8),
    /// Its translation is that of a loop.
    pub loops: bool,
    /// What the translations refer to.
    #[expect(clippy::vec_box, reason = "generated code has their addresses")]
    pub batches: Vec<Box<Batch>>,
}

impl Block {
    /// Interprets it from instruction `from` on; the index of the one that raised, if one did.
    pub fn interpret(&self, h: &mut Hart, from: usize) -> Result<(), usize> {
        h.pc = self.code.end;
        span(h, &self.code.insns[from..], |_, _| ()).map_err(|k| from + k)
    }

    /// Interprets it, and notes what a translation goes by.
    ///
    /// That it was entered may have been counted by generated code.
    pub fn learn(
        &mut self,
        h: &mut Hart,
        timed: Option<&mut Timed>,
        entered: bool,
    ) -> Result<(), usize> {
        let (code, seen) = (&self.code, &mut self.seen);
        seen.clear();
        let note = |h: &Hart, k: usize| {
            if code.insns[k].op().row().class == Class::Vset {
                seen.push((k as u8, h.v.vl));
            }
        };
        match timed {
            Some(t) => t.interpret(h, code, entered, note),
            None => {
                h.pc = code.end;
                span(h, &code.insns, note)
            }
        }
    }

    /// It was interpreted, and control went to `pc`.
    pub fn note_way(&mut self, pc: u64) {
        if let State::Cold(0..WATCHED) = self.state {
            self.ways = (self.ways.0 + 1, self.ways.1 + (pc != self.code.end) as u8);
        }
    }

    /// The counters are up to date between blocks only when the run loop is asked for each.
    fn reads_counters(&self) -> bool {
        let insns = &self.code.insns;
        insns.iter().any(|i| i.op().row().class == Class::Csr && is_alone(i.imm as u16))
    }
}

/// Why there is no block at the hart's pc.
pub enum Missing {
    /// Fetching it traps.
    Trap(Trap),
    /// There are too many: they have to go before another is built.
    Full,
}

/// Blocks of one address space, of one version of its code.
pub struct Space {
    /// `Memory::code_version` when they were built.
    pub version: u64,
    /// Instructions of all blocks, and about as much for each as it takes beside them.
    pub size: usize,
    /// The blocks, in the order in which they were built.
    pub blocks: Vec<Block>,
    by_start: HashMap<u64, u32>,
    /// (start, index); an odd start never matches.
    fast: Box<[(u64, u32)]>,
    /// Entries of a block before it is translated.
    patience: u8,
}

impl Space {
    /// Without blocks.
    pub fn new(version: u64, patience: u8) -> Space {
        let fast = vec![(1, 0); FAST].into_boxed_slice();
        let (blocks, by_start) = (Vec::new(), HashMap::new());
        Space { version, size: 0, blocks, by_start, fast, patience }
    }

    /// Index of the block at `h.pc`, built if need be.
    #[inline(always)]
    pub fn find(&mut self, h: &Hart, timed: Option<&Timed>) -> Result<u32, Missing> {
        let slot = (h.pc >> 1) as usize % FAST;
        let (start, index) = self.fast[slot];
        if start == h.pc {
            return Ok(index);
        }
        let index = match self.known(h.pc) {
            Some(index) => index,
            None => self.build(h, timed)?,
        };
        self.fast[slot] = (h.pc, index);
        Ok(index)
    }

    /// Index of the block at `start`, if there is one.
    pub fn known(&self, start: u64) -> Option<u32> {
        self.by_start.get(&start).copied()
    }

    #[cold]
    fn build(&mut self, h: &Hart, timed: Option<&Timed>) -> Result<u32, Missing> {
        if self.size >= MOST {
            return Err(Missing::Full);
        }
        let start = h.pc;
        let table = if timed.is_some() { OBSERVED } else { PLAIN };
        let (insns, end) = build(&h.mem, &h.config, table, start).map_err(Missing::Trap)?;
        let plan = timed.map_or_else(Plan::default, |t| t.plan(start, &insns));
        self.size += insns.len() + EACH;
        let code = Box::new(Code { start, end, insns, plan, entered: 0 });
        let (state, seen) = (State::Cold(self.patience), Vec::new());
        let mut block = Block {
            code,
            state,
            seen,
            misses: 0,
            variants: 0,
            ways: (0, 0),
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

    /// The generated code is gone.
    pub fn forget_code(&mut self) {
        for b in &mut self.blocks {
            b.batches.clear();
            if matches!(b.state, State::Code(_)) {
                (b.state, b.ways) = (State::Cold(self.patience), (0, 0));
            }
        }
    }
}
