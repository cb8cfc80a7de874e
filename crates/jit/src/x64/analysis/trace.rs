//! A trace: blocks that follow each other in one piece of code and keep values in host registers from one to the next.

use super::addresses::{AddressRange, addresses};
use super::fuse::Fused;
use super::operands::{Operands, operands};
use crate::timed::Timed;
use crate::x64::runtime::call_log::Calls;
use crate::x64::runtime::counting::Counting;
use crate::x64::vector_plan::Plan;
use capvec_sim::block::Block;
use capvec_sim::insn::Insn;

/// A block of a trace.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Its number, for exits.
    pub number: u32,
    /// Its address stays the same as long as the code is used.
    pub block: &'a Block,
    /// Its loads often miss the modelled data cache.
    pub misses: bool,
}

/// A trace to translate.
pub struct Source<'a> {
    /// Its blocks, at least one. Control can go from each to the next.
    pub steps: &'a [Step<'a>],
    /// Control can go from the last block to the first.
    pub loops: bool,
    /// The core model, if there is one.
    pub timed: Option<&'a Timed>,
    /// How block entries are counted.
    pub count: Counting,
    /// Report calls to this log.
    pub calls: Option<Calls<'a>>,
}

/// A trace's instructions.
pub struct Trace<'a> {
    /// Address of the first.
    pub start: u64,
    /// All of them.
    pub insns: Vec<&'a Insn>,
    /// Their register operands.
    pub operands: Vec<Operands>,
    /// Their fused forms.
    pub fused: Fused,
    /// The address ranges of their accesses.
    pub addresses: Vec<Option<AddressRange>>,
}

impl<'a> Trace<'a> {
    /// The trace of these blocks. `plan` is the first block's; a trace of several blocks has no vector instructions.
    pub fn new(source: &Source<'a>, plan: &Plan) -> Trace<'a> {
        let count = source.steps.iter().map(|step| step.block.insns.len()).sum();
        let (mut insns, mut uses) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut ends = Vec::with_capacity(source.steps.len());
        for step in source.steps {
            uses.extend(step.block.insns.iter().enumerate().map(|(k, i)| operands(k, i, plan)));
            insns.extend(&step.block.insns);
            ends.push(insns.len() - 1);
        }
        let fused = Fused::new(&insns, &uses, &ends);
        let addresses = addresses(&insns, &uses, &fused);
        Trace { start: source.steps[0].block.start, insns, operands: uses, fused, addresses }
    }
}
