//! The translation of instructions, in parts: the emitter, the vector registers, the cycles, the exits, the checked
//! permissions, and the position in the trace. An instruction that can leave the trace needs several.

use super::bounds::{Aligned, Bounds};
use super::float_state::FloatState;
use crate::interface::exit::Exit;
use crate::interface::group::Checked;
use crate::interface::state::State;
use crate::interface::trace::Step;
use crate::x64::analysis::trace::Trace;
use crate::x64::asm::{Asm, Label};
use crate::x64::cycles::{Cycles, Uncounted, VectorInsn};
use crate::x64::emit::{Emitter, Exits, Regs, VectorRegs, VectorSnapshot, Vectors};
use crate::x64::scalar::fused;
use capvec_sim::hart::MustAlign;
use capvec_sim::insn::Insn;

/// What the translation of instructions needs.
pub struct InsnTranslator<'a> {
    /// The assembler and the allocation of x registers.
    pub out: Emitter<'a>,
    /// Which parts of the guest's vector registers are in host registers.
    pub vregs: VectorRegs,
    /// Bytes of a guest's vector register.
    pub vlenb: u32,
    /// What has been counted of the core model.
    pub cycles: Cycles<'a>,
    /// Exits, and code out of line.
    pub exits: Exits<'a>,
    /// Accesses whose permission has been checked.
    pub checked: Checked,
    /// Addresses that are known to be in the address space.
    pub bounds: Bounds,
    /// Addresses that are known to be aligned.
    pub aligned: Aligned,
    /// Accesses that are left to the interpreter unless they are aligned.
    pub must_align: MustAlign,
    /// What is known about the floating-point state.
    pub float: FloatState,
    /// Where in the trace code is being generated.
    pub at: Position<'a>,
}

/// A position in a trace.
pub struct Position<'a> {
    /// The trace.
    pub trace: &'a Trace<'a>,
    /// The number of the current instruction in it.
    pub insn: usize,
    /// The current block.
    pub step: Step<'a>,
}

/// The translator's state at a possible exit to the interpreter.
pub struct Bailout<'a> {
    exit: Exit,
    trace: &'a Trace<'a>,
    insn: usize,
    regs: Regs<'a>,
    vregs: VectorSnapshot,
    uncounted: Uncounted<'a>,
}

impl Bailout<'_> {
    /// Leaves.
    pub fn emit(mut self, a: &mut Asm, exits: &Exits<'_>) {
        self.vregs.restore(a);
        self.uncounted.emit(a);
        exits.spill(a, &mut self.regs);
        fused::materialize(a, self.trace, self.insn);
        exits.leave_saved(a, self.exit);
    }
}

impl<'a> InsnTranslator<'a> {
    /// What operations on vector registers need.
    pub fn vectors(&mut self) -> Vectors<'_, 'a> {
        Vectors { out: &mut self.out, vregs: &mut self.vregs, vlenb: self.vlenb }
    }

    /// Vector instruction `k` of the block in this state, for counting.
    pub fn vector_insn<'i>(&self, k: usize, insn: &'i Insn, state: State) -> VectorInsn<'i>
    where
        'a: 'i,
    {
        VectorInsn { block: self.at.step.block, k, insn, state }
    }

    /// Writes the guest's vector registers back and frees the host's.
    pub fn release(&mut self) {
        self.vregs.release(&mut self.out.a);
    }

    /// The exit that has the block interpreted from instruction `k` on.
    pub fn bailout(&mut self, k: usize) -> Label {
        let from = self.out.a.label();
        let bailout = self.bailout_state(k);
        self.exits.out_of_line(move |a, exits| {
            a.bind(from);
            bailout.emit(a, exits);
        });
        from
    }

    /// The state for an exit that has the block interpreted from the current instruction, `k`, on.
    pub fn bailout_state(&self, k: usize) -> Bailout<'a> {
        let Position { trace, insn, step, .. } = self.at;
        let exit = Exit::Interpret { block: step.number, insn: k as u8 };
        let (regs, vregs) = (self.out.regs, self.vregs.snapshot());
        Bailout { exit, trace, insn, regs, vregs, uncounted: self.cycles.uncounted_before(k) }
    }
}
