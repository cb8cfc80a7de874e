//! The interface between the run loop and core models, which live in their own crate.

mod static_costs;

use crate::hart::Access;
use crate::insn::Insn;
use crate::vector::VType;
pub use static_costs::StaticCosts;

/// An instruction whose cost is dynamic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dynamic {
    /// Index of the instruction in its block.
    pub index: u8,
    /// The model's own note about it.
    pub note: u8,
    /// Cycles from the block's start to its issue, as far as they are static.
    pub issue: u32,
}

/// How control leaves a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Exit {
    /// To the next address: the block ended for another reason.
    #[default]
    Next,
    /// A conditional branch.
    Branch,
    /// A direct jump.
    Jump,
    /// An indirect jump.
    Indirect,
    /// An indirect jump through the link register that does not link: a return.
    Return,
    /// A trap, or a return from one.
    System,
}

/// The static cost of a block, computed once when the block is built.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Static cycles of its instructions. The dynamic ones are followed by a call of `Timing::execute`.
    pub costs: StaticCosts,
    /// How control leaves.
    pub exit: Exit,
    /// Bytes of the first instruction.
    pub first: u8,
    /// The model's own number of the block.
    pub number: u32,
}

/// A core model: turns retired instructions into cycles. All state that depends on more than the block is in the
/// implementation, so that engines agree to the last cycle.
pub trait Timing {
    /// Whether the model needs calls at all; `false` for one cycle per instruction.
    const ACTIVE: bool = true;

    /// Static costs of the block of `insns` that starts at `start`.
    fn plan(&self, start: u64, insns: &[Insn]) -> Plan;

    /// Control enters the block `start..end` with this plan. `sequential`: from the block just before it in memory,
    /// without a taken branch or trap. Returns cycles for the redirection and for fetching.
    fn enter(&mut self, start: u64, end: u64, plan: &Plan, sequential: bool) -> u64;

    /// A dynamic instruction, issued at cycle `now`, has executed with these observations. Returns cycles beyond the
    /// static ones.
    fn execute(&mut self, now: u64, what: Dynamic, insn: &Insn, seen: &Seen<'_>) -> u64;

    /// The hart switches to another context, so pipeline state is lost.
    fn switch(&mut self) {}

    /// The hart switches to another address space, so state found by virtual address is lost, too.
    fn change_space(&mut self) {
        self.switch();
    }
}

/// What the run loop observed of an instruction.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// Its memory accesses, in order.
    pub accesses: &'a [Access],
    /// vl after the instruction.
    pub vl: u64,
    /// vtype after the instruction.
    pub vtype: VType,
}

/// One cycle per instruction.
pub struct Ideal;

impl Timing for Ideal {
    const ACTIVE: bool = false;

    fn plan(&self, _: u64, _: &[Insn]) -> Plan {
        Plan::default()
    }

    fn enter(&mut self, _: u64, _: u64, _: &Plan, _: bool) -> u64 {
        0
    }

    fn execute(&mut self, _: u64, _: Dynamic, _: &Insn, _: &Seen<'_>) -> u64 {
        0
    }
}
