//! Counts retired instructions by opcode, from the entry counts of blocks.

use crate::space::Space;
use capvec_sim::block::Block;
use capvec_sim::engine::Histogram;
use capvec_sim::insn::Insn;

/// Retired instructions, apart from those that live blocks still hold as entry counts.
pub struct Tally {
    /// By `Op`; empty if counting is off.
    retired: Vec<u64>,
}

impl Tally {
    /// All counts zero.
    pub fn new(on: bool) -> Tally {
        Tally { retired: vec![0; if on { capvec_isa::Op::COUNT } else { 0 }] }
    }

    /// Whether counting is on.
    pub fn is_on(&self) -> bool {
        !self.retired.is_empty()
    }

    /// Adds the counts of the space's blocks.
    pub fn add(&mut self, space: &Space) {
        space.blocks.iter().for_each(|b| self.add_block(&b.code));
    }

    /// Adds the count of a block.
    pub fn add_block(&mut self, block: &Block) {
        if self.is_on() {
            tally(&mut self.retired, block);
        }
    }

    /// Counts the instructions that retired before a trap in their block.
    pub fn part(&mut self, insns: &[Insn]) {
        if self.is_on() {
            insns.iter().for_each(|i| self.retired[i.op() as usize] += 1);
        }
    }

    /// The histogram, including the counts of these spaces.
    pub fn histogram<'a>(&self, spaces: impl Iterator<Item = &'a Space>) -> Option<Histogram> {
        let mut by_op = self.retired.clone();
        let blocks = spaces.flat_map(|s| &s.blocks);
        self.is_on().then(|| blocks.for_each(|b| tally(&mut by_op, &b.code)))?;
        Some(Histogram { by_op })
    }
}

fn tally(retired: &mut [u64], block: &Block) {
    block.insns.iter().for_each(|i| retired[i.op() as usize] += block.entered);
}
