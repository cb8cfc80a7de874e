//! The blocks of an address space.

use crate::x64::Entry;
use capvec_isa::Class;
use capvec_sim::block::build;
use capvec_sim::csr::is_alone;
use capvec_sim::insn::Insn;
use capvec_sim::interp::PLAIN;
use capvec_sim::{Hart, Trap};
use std::collections::HashMap;

/// Slots of the direct-mapped cache in front of the hash table; a power of two.
const FAST: usize = 4096;

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

/// A block, as `capvec_sim::block` defines it.
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    /// Address behind the last.
    pub end: u64,
    /// At least one; they stay where they are.
    pub insns: Box<[Insn]>,
    /// How far it has come.
    pub state: State,
    /// Instruction and the vl that it has set last, while it was interpreted.
    pub seen: Vec<(u8, u64)>,
}

impl Block {
    /// Interprets it from instruction `from` on; the index of the one that raised, if one did.
    pub fn interpret(&self, h: &mut Hart, from: usize) -> Result<(), usize> {
        h.pc = self.end;
        for (k, i) in self.insns.iter().enumerate().skip(from) {
            if (i.exec)(h, i).is_err() {
                return Err(k);
            }
        }
        Ok(())
    }

    /// Interprets it, and notes what a translation goes by.
    pub fn learn(&mut self, h: &mut Hart) -> Result<(), usize> {
        h.pc = self.end;
        self.seen.clear();
        for (k, i) in self.insns.iter().enumerate() {
            (i.exec)(h, i).map_err(|_| k)?;
            if i.op().row().class == Class::Vset {
                self.seen.push((k as u8, h.v.vl));
            }
        }
        Ok(())
    }

    /// The counters are up to date between blocks only when the run loop is asked for each.
    fn reads_counters(&self) -> bool {
        self.insns.iter().any(|i| i.op().row().class == Class::Csr && is_alone(i.imm as u16))
    }
}

/// Blocks of one address space, of one version of its code.
pub struct Space {
    /// `Memory::code_version` when they were built.
    pub version: u64,
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
        Space { version, blocks: Vec::new(), by_start: HashMap::new(), fast, patience }
    }

    /// Index of the block at `h.pc`, built if need be; the trap of fetching it.
    #[inline(always)]
    pub fn find(&mut self, h: &Hart) -> Result<u32, Trap> {
        let slot = (h.pc >> 1) as usize % FAST;
        let (start, index) = self.fast[slot];
        if start == h.pc {
            return Ok(index);
        }
        let index = match self.by_start.get(&h.pc) {
            Some(&index) => index,
            None => self.build(h)?,
        };
        self.fast[slot] = (h.pc, index);
        Ok(index)
    }

    #[cold]
    fn build(&mut self, h: &Hart) -> Result<u32, Trap> {
        let (insns, end) = build(&h.mem, &h.config, PLAIN, h.pc)?;
        let (state, seen) = (State::Cold(self.patience), Vec::new());
        let mut block = Block { start: h.pc, end, insns, state, seen };
        if block.reads_counters() {
            block.state = State::Interpreted;
        }
        let index = self.blocks.len() as u32;
        self.blocks.push(block);
        self.by_start.insert(h.pc, index);
        Ok(index)
    }

    /// The generated code is gone.
    pub fn forget_code(&mut self) {
        for b in &mut self.blocks {
            if matches!(b.state, State::Code(_)) {
                b.state = State::Cold(self.patience);
            }
        }
    }
}
