//! A trace under translation, in parts: the emitter, the vector registers, the cycles, the exits, the checked permissions,
//! and the position in the trace. What can leave the trace needs several of them, and works on the whole.

use super::calls::BlockEnd;
use super::group::Group;
use crate::x64::analysis::trace::{Step, Trace};
use crate::x64::asm::{Asm, Label, Width, at};
use crate::x64::cycles::{Cycles, Uncounted, VectorInsn};
use crate::x64::emit::{Emitter, Exits, Regs, VectorRegs, VectorSnapshot, Vectors};
use crate::x64::runtime::Runtime;
use crate::x64::runtime::calls::Calls;
use crate::x64::runtime::convention::LEFT;
use crate::x64::runtime::exit::Exit;
use crate::x64::scalar::fused;
use crate::x64::vector_plan::{Plan, State};
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// A trace under translation.
pub struct Translator<'a> {
    /// The assembler and the allocation of x registers.
    pub out: Emitter<'a>,
    /// Which parts of the guest's vector registers host registers hold.
    pub vregs: VectorRegs,
    /// What has been counted of the core model.
    pub cycles: Cycles<'a>,
    /// Exits, and code out of line.
    pub exits: Exits<'a>,
    /// Groups of accesses whose permission has been checked.
    pub checked: Vec<Group>,
    /// Where in the trace code is being generated.
    pub at: Position<'a>,
    /// What the vector instructions become.
    pub plan: &'a Plan,
    /// What generated code calls.
    pub runtime: &'a Runtime,
    /// The log of calls, if they are reported.
    pub calls: Option<Calls<'a>>,
}

/// A position in a trace.
pub struct Position<'a> {
    /// The trace.
    pub trace: &'a Trace<'a>,
    /// The number of the current instruction in it.
    pub insn: usize,
    /// The current block.
    pub step: Step<'a>,
    /// The next block of the trace, if control stays in it.
    pub follow: Option<Step<'a>>,
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
        self.regs.spill(a);
        fused::materialize(a, self.trace, self.insn);
        exits.leave_saved(a, self.exit);
    }
}

impl<'a> Translator<'a> {
    /// What operations on vector registers need.
    pub fn vectors(&mut self) -> Vectors<'_, 'a> {
        Vectors { out: &mut self.out, vregs: &mut self.vregs, vlenb: self.plan.vlenb }
    }

    /// Vector instruction `k` of the block in this state, for counting.
    pub fn vector_insn<'i>(&self, k: usize, insn: &'i Insn, state: State) -> VectorInsn<'i>
    where
        'a: 'i,
    {
        VectorInsn { block: self.at.step.block, k, insn, state }
    }

    /// Takes the block's instructions from the budget. Keeps flags.
    pub fn charge_budget(&mut self) {
        let insns = self.at.step.block.insns.len() as i64;
        self.out.a.lea(Width::Q, LEFT, at(LEFT, -insns));
    }

    /// Writes the guest's vector registers back and frees the host's.
    pub fn release(&mut self) {
        self.vregs.release(&mut self.out.a);
    }

    /// Moves registers to where entries and exits expect them. Keeps flags.
    pub fn restore_homes(&mut self) {
        self.release();
        self.out.regs.restore_homes(&mut self.out.a);
    }

    /// The end of the current block.
    pub fn block_end(&self) -> BlockEnd<'a> {
        BlockEnd { calls: self.calls, step: self.at.step, deferred: self.cycles.deferred }
    }

    /// Reports that control goes to `to`, if that is to be reported.
    pub fn report_to(&mut self, to: u64) {
        let end = self.block_end();
        end.report_to(&mut self.out.a, &mut self.out.regs, &mut self.exits, to);
    }

    /// A jump, under the code's condition, to the block at `pc`.
    pub fn edge(&mut self, code: Code, pc: u64) {
        self.restore_homes();
        let end = self.block_end();
        end.edge(&mut self.out.a, &mut self.out.regs, &mut self.exits, code, pc);
    }

    /// Leaves the trace for the block at `pc` under the code's condition.
    pub fn side_exit(&mut self, code: Code, pc: u64) {
        let from = self.out.a.label();
        self.out.a.jump(code, from);
        let (end, mut regs) = (self.block_end(), self.out.regs);
        self.exits.out_of_line(move |a, exits| {
            a.bind(from);
            regs.restore_homes(a);
            end.edge(a, &mut regs, exits, Code::Jmp_rel32_64, pc);
        });
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
