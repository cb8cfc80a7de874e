//! What the run loop tells a core model. Models live in their own crate.

use crate::hart::Access;
use crate::insn::Insn;
use crate::vector::VType;

/// A block's cost that does not depend on data: computed once, when the block is built.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// `cumulative[k]`: cycles of the first k instructions, so the last entry is the whole block's.
    pub cumulative: Box<[u32]>,
    /// Whether instruction k needs `Timing::execute` after it.
    pub dynamic: Box<[bool]>,
}

/// A core model: turns retired instructions into cycles. All state that is not a function of the block
/// lives in the implementation, so that engines agree to the last cycle.
pub trait Timing {
    /// Whether the model wants anything at all: `false` for one cycle an instruction.
    const ACTIVE: bool = true;

    /// Static costs of the block of `insns` that starts at `start`.
    fn plan(&self, start: u64, insns: &[Insn]) -> Plan;

    /// Control enters the block `start..end`; `sequential` if from the block just before it in memory,
    /// without a taken branch. Cycles for the redirection and for fetching.
    fn enter(&mut self, start: u64, end: u64, sequential: bool) -> u64;

    /// A dynamic instruction has executed, with its accesses and vl and vtype as it found them. Cycles on top
    /// of the static ones; `now` is the cycle count so far.
    fn execute(&mut self, now: u64, insn: &Insn, accesses: &[Access], vl: u64, vtype: VType)
    -> u64;

    /// The hart goes on with another context: nothing of its pipeline survives.
    fn switch(&mut self) {}
}

/// One cycle an instruction.
pub struct Ideal;

impl Timing for Ideal {
    const ACTIVE: bool = false;

    fn plan(&self, _: u64, _: &[Insn]) -> Plan {
        Plan::default()
    }

    fn enter(&mut self, _: u64, _: u64, _: bool) -> u64 {
        0
    }

    fn execute(&mut self, _: u64, _: &Insn, _: &[Access], _: u64, _: VType) -> u64 {
        0
    }
}
