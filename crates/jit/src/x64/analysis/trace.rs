//! A trace: blocks that follow each other in one piece of code and keep values in host registers from one to the next.

use super::fuse::{Form, Fused};
use super::operands::{Operands, operands};
use crate::interface::addresses::{AddressRange, Effect, addresses};
use crate::interface::trace::Source;
use crate::x64::vector_plan::Plan;
use capvec_sim::insn::Insn;

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
        let effects = uses.iter().enumerate().map(|(at, o)| {
            let form = fused.form(at);
            let base = if let Form::Scaled { base, .. } = form { Some(base) } else { None };
            Effect { call: o.call, write: o.write, fused: form != Form::Plain, base }
        });
        let addresses = addresses(&insns, effects);
        Trace { start: source.steps[0].block.start, insns, operands: uses, fused, addresses }
    }
}
