//! Counts of executed instructions, by the blocks' entries.

use crate::space::Space;
use capvec_sim::engine::Histogram;
use capvec_sim::insn::Insn;

/// What has retired, besides what blocks that live have counted.
pub struct Tally {
    /// By `Op`; empty if nothing is counted.
    retired: Vec<u64>,
}

impl Tally {
    /// Nothing yet.
    pub fn new(on: bool) -> Tally {
        Tally { retired: vec![0; if on { capvec_isa::op::OPS.len() } else { 0 }] }
    }

    /// Whether anything is counted.
    pub fn is_on(&self) -> bool {
        !self.retired.is_empty()
    }

    /// Adds what the space's blocks have counted.
    pub fn add(&mut self, space: &Space) {
        if self.is_on() {
            tally(&mut self.retired, space);
        }
    }

    /// These instructions have retired, of a block that has not.
    pub fn part(&mut self, insns: &[Insn]) {
        if self.is_on() {
            insns.iter().for_each(|i| self.retired[i.op() as usize] += 1);
        }
    }

    /// All, with what these spaces have counted.
    pub fn histogram<'a>(&self, spaces: impl Iterator<Item = &'a Space>) -> Option<Histogram> {
        let mut by_op = self.retired.clone();
        self.is_on().then(|| spaces.for_each(|s| tally(&mut by_op, s)))?;
        Some(Histogram { by_op })
    }
}

fn tally(retired: &mut [u64], space: &Space) {
    for b in &space.blocks {
        b.code.insns.iter().for_each(|i| retired[i.op() as usize] += b.code.entered);
    }
}
