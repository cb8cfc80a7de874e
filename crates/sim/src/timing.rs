//! What the run loop tells a core model. Models live in their own crate.

use crate::hart::Access;
use crate::insn::Insn;
use crate::vector::VType;

/// An instruction whose cost depends on data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dynamic {
    /// Which of the block's instructions.
    pub index: u8,
    /// The model's own note on it.
    pub note: u8,
    /// Cycles from the block's start to its issue, as far as they are static.
    pub issue: u32,
}

/// How control leaves a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    /// Always to the next address: the block was cut for another reason.
    #[default]
    Next,
    /// A conditional branch.
    Branch,
    /// A jump to an address in the instruction.
    Jump,
    /// A jump to an address in a register.
    Indirect,
    /// An indirect jump through the link register, which does not link.
    Return,
    /// A trap or return from one.
    System,
}

/// A block's cost that does not depend on data: computed once, when the block is built.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// `cumulative[k]`: cycles of the first k instructions, so the last entry is the whole block's.
    pub cumulative: Box<[u32]>,
    /// Instructions that need `Timing::execute` after them, in order. All that access memory are here.
    pub dynamic: Box<[Dynamic]>,
    /// How control leaves.
    pub exit: Exit,
}

/// A core model: turns retired instructions into cycles. All state that is not a function of the block
/// lives in the implementation, so that engines agree to the last cycle.
pub trait Timing {
    /// Whether the model wants anything at all: `false` for one cycle an instruction.
    const ACTIVE: bool = true;

    /// Static costs of the block of `insns` that starts at `start`.
    fn plan(&self, start: u64, insns: &[Insn]) -> Plan;

    /// Control enters the block `start..end` with this plan; `sequential` if from the block just before it
    /// in memory, without a taken branch or a trap. Cycles for the redirection and for fetching.
    fn enter(&mut self, start: u64, end: u64, plan: &Plan, sequential: bool) -> u64;

    /// A dynamic instruction has executed, with what the run loop saw of it. Cycles on top of the static
    /// ones; `now` is the cycle of its issue.
    fn execute(&mut self, now: u64, what: Dynamic, insn: &Insn, seen: &Seen<'_>) -> u64;

    /// The hart goes on with another context: nothing of its pipeline survives.
    fn switch(&mut self) {}

    /// Another address space begins or goes on. What is found by virtual address is not of this space.
    fn change_space(&mut self) {
        self.switch();
    }
}

/// What the run loop saw of an instruction.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// Its memory accesses, in order.
    pub accesses: &'a [Access],
    /// vl after it.
    pub vl: u64,
    /// vtype after it.
    pub vtype: VType,
}

/// One cycle an instruction.
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
