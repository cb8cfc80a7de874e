//! Edges between blocks under a core model.
//!
//! The interpreter stops between blocks before it evaluates the redirection, so an edge tests the budget, then counts
//! the redirection, then jumps to one of the next block's entries. Until the edge is linked, its gate always leaves
//! to the run loop.

use crate::timed::Timed;
use crate::x64::asm::{Label, Reg, Rm, at};
use crate::x64::cycles::entry;
use crate::x64::emit::regs::LEFT;
use crate::x64::translate::{Cold, Step, Translator};
use capvec_sim::timing::Exit;
use iced_x86::Code;

/// The code positions that linking patches. An edge without a gate has one displacement.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Number of the block that the edge leaves.
    pub block: u32,
    /// Where control goes on.
    pub pc: u64,
    /// Displacement of the jump to the next block's entry after a redirection.
    pub redirected: Option<usize>,
    /// Displacement of the jump to its sequential entry.
    pub sequential: Option<usize>,
    /// Displacement of the jump to another variant of the same block.
    pub inner: Option<usize>,
    /// The gate: a jump that becomes conditional.
    pub gate: Option<usize>,
    /// What the displacement is while it leads to the stub, if there is no gate.
    pub stub: [u8; 4],
    /// It has been linked.
    pub linked: bool,
}

/// First bytes of `jle`, for a linked gate.
pub const LINKED_GATE: [u8; 2] = [0x0f, 0x8e];
/// First bytes of an unlinked gate of the same length: `nop`, and the opcode of `jmp` with the same displacement.
const UNLINKED_GATE: [u8; 2] = [0x90, 0xe9];

impl Site {
    /// Nothing to patch yet.
    pub fn of(block: u32, pc: u64) -> Site {
        let (stub, linked) = Default::default();
        let (redirected, sequential, inner, gate) = Default::default();
        Site { block, pc, redirected, sequential, inner, gate, stub, linked }
    }

    /// The displacement of an edge without a gate.
    fn displacement(&self) -> Option<usize> {
        self.redirected.or(self.inner)
    }

    /// The same positions in this code when it starts at `start`.
    pub fn placed(self, code: &[u8], start: usize) -> Site {
        let moved = |at: Option<usize>| at.map(|at| start + at);
        let stub = self.displacement().and_then(|at| code.get(at..)?.first_chunk());
        Site {
            stub: stub.copied().unwrap_or_default(),
            redirected: moved(self.redirected),
            sequential: moved(self.sequential),
            inner: moved(self.inner),
            gate: moved(self.gate),
            ..self
        }
    }

    /// Position and bytes that make it leave to the run loop again.
    pub fn unlinked(&self) -> Option<(usize, &[u8])> {
        match self.gate {
            Some(gate) => Some((gate, &UNLINKED_GATE)),
            None => self.displacement().map(|at| (at, &self.stub[..])),
        }
    }
}

impl<'a> Translator<'a> {
    /// `edge` under a core model.
    pub fn timed_edge(&mut self, timed: &Timed, code: Code, pc: u64) {
        let around = (code != Code::Jmp_rel32_64).then(|| self.out.a.label());
        if let Some(around) = around {
            self.out.a.jump(opposite(code), around);
        }
        self.count_deferred_ticks();
        let out = self.out.a.label();
        let mut site = Site { gate: Some(self.gate(out)), ..Site::of(self.number, pc) };
        let (exit, end) = (self.block.plan.exit, self.block.end);
        let sequential = pc == end;
        match timed.counter(end).filter(|_| exit == Exit::Branch) {
            Some(counter) => self.predict(timed, counter, !sequential, &mut site),
            None if sequential => site.sequential = Some(self.unlinked_jump()),
            None => {
                self.add_ticks(timed.redirect_ticks(exit), Reg::RAX);
                site.redirected = Some(self.unlinked_jump());
            }
        }
        self.add_edge(out, site);
        if let Some(around) = around {
            self.out.a.bind(around);
        }
    }

    /// Leaves to `out` if the budget is used up, and always until the edge is linked. Returns the gate's position.
    fn gate(&mut self, out: Label) -> usize {
        self.out.a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT);
        let at = self.out.a.len();
        self.out.a.jump(Code::Jle_rel32_64, out);
        self.out.a.replace(at, UNLINKED_GATE);
        at
    }

    /// Emits a jump to be linked later; returns the position of its displacement.
    fn unlinked_jump(&mut self) -> usize {
        let here = self.out.a.label();
        self.out.a.jump(Code::Jmp_rel32_64, here);
        self.out.a.bind(here);
        self.out.a.len() - 4
    }

    /// Adds ticks to the count. Clobbers `scratch`.
    fn add_ticks(&mut self, ticks: u64, scratch: Reg) {
        if let (Some(timed), 1..) = (self.timed, ticks) {
            self.out.a.mov_imm(scratch, timed.native().ticks);
            self.count_ticks(Rm::M(at(scratch, 0)), ticks);
        }
    }

    /// Counts the deferred ticks. Clobbers RCX.
    pub fn count_deferred_ticks(&mut self) {
        self.add_ticks(self.deferred_ticks, Reg::RCX);
    }

    /// An edge after a branch with a history counter.
    fn predict(&mut self, timed: &Timed, counter: u64, taken: bool, site: &mut Site) {
        let (mispredicted, entry) = (self.out.a.label(), self.out.a.label());
        self.update_history(timed, counter, taken, mispredicted);
        if !taken {
            site.sequential = Some(self.unlinked_jump());
        }
        self.out.a.bind(entry);
        site.redirected = Some(self.unlinked_jump());
        self.out_of_line(Cold::Mispredicted { from: mispredicted, taken, counter, to: entry });
    }

    /// Updates a branch's counter and selects the entry. A correct prediction saturates the counter. Clobbers RAX.
    fn update_history(&mut self, timed: &Timed, counter: u64, taken: bool, mispredicted: Label) {
        self.out.a.mov_imm(Reg::RAX, counter);
        let cell = Rm::M(at(Reg::RAX, 0));
        self.out.a.imm(Code::Cmp_rm8_imm8, cell, 2);
        let (otherwise, value) =
            if taken { (Code::Jb_rel32_64, 3) } else { (Code::Jae_rel32_64, 0) };
        self.out.a.jump(otherwise, mispredicted);
        self.out.a.imm(Code::Mov_rm8_imm8, cell, value);
        if taken {
            self.add_ticks(timed.native().branch.taken as u64, Reg::RAX);
        }
    }

    /// The misprediction path of `update_history`.
    pub fn emit_mispredicted(&mut self, from: Label, taken: bool, counter: u64, to: Label) {
        self.out.a.bind(from);
        self.out.a.mov_imm(Reg::RAX, counter);
        let code = if taken { Code::Inc_rm8 } else { Code::Dec_rm8 };
        self.out.a.op1_rm(code, Rm::M(at(Reg::RAX, 0)));
        if let Some(timed) = self.timed {
            self.add_ticks(timed.native().branch.mispredict as u64, Reg::RAX);
        }
        self.out.a.jump(Code::Jmp_rel32_64, to);
    }

    /// Counts the redirection of an indirect jump. Clobbers RAX.
    pub fn count_jump(&mut self) {
        if let Some(timed) = self.timed {
            self.add_ticks(timed.redirect_ticks(self.block.plan.exit), Reg::RAX);
        }
    }

    /// Before an indirect jump to RAX: leaves to `out` if the budget is used up, or if the target is the next
    /// sequential block, which is no redirection. Clobbers RCX.
    pub fn timed_jump(&mut self, out: Label) {
        if self.timed.is_some() {
            self.count_deferred_ticks();
            self.out.a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT);
            self.out.a.jump(Code::Jle_rel32_64, out);
            self.out.a.mov_imm(Reg::RCX, self.block.end);
            self.out.a.op2(Code::Cmp_r64_rm64, Reg::RAX, Rm::R(Reg::RCX));
            self.out.a.jump(Code::Je_rel32_64, out);
        }
    }
}

/// Control goes from the current block to the next of the trace, which becomes the current one.
pub fn continue_trace<'a>(t: &mut Translator<'a>, timed: &Timed, next: Step<'a>) {
    let (exit, end) = (t.block.plan.exit, t.block.end);
    let sequential = next.block.start == end;
    let counter = timed.counter(end).filter(|_| exit == Exit::Branch);
    let mut other = None;
    // Deferred ticks must fit in an instruction's immediate.
    if t.deferred_ticks > 1 << 29 {
        t.count_deferred_ticks();
        t.deferred_ticks = 0;
    }
    if let Some(counter) = counter {
        let (from, to) = (t.out.a.label(), t.out.a.label());
        t.update_history(timed, counter, !sequential, from);
        t.out_of_line(Cold::Mispredicted { from, taken: !sequential, counter, to });
        other = Some(to);
    } else if !sequential {
        t.deferred_ticks += timed.redirect_ticks(exit);
    }
    (t.number, t.block) = (next.number, next.block);
    entry::emit_within_trace(t, timed, sequential, other, end - 1);
}

/// The opposite condition.
pub fn opposite(code: Code) -> Code {
    match code {
        Code::Je_rel32_64 => Code::Jne_rel32_64,
        Code::Jne_rel32_64 => Code::Je_rel32_64,
        Code::Jl_rel32_64 => Code::Jge_rel32_64,
        Code::Jge_rel32_64 => Code::Jl_rel32_64,
        Code::Jb_rel32_64 => Code::Jae_rel32_64,
        _ => Code::Jb_rel32_64,
    }
}
