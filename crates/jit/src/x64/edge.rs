//! Edges under a core model.
//!
//! The interpreter stops between blocks before it looks how control went, so an edge tests the budget, then counts
//! the redirection, then jumps to one of the next block's entries. Until it is linked, its gate leaves always.

use super::asm::{Label, Reg, Rm, Width, at};
use super::entry;
use super::regs::LEFT;
use super::translate::{Cold, Step, Translator};
use crate::timed::Timed;
use capvec_sim::timing::Exit;
use iced_x86::Code;

/// What links change.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The block's number.
    pub block: u32,
    /// Where the distance to the next block's entry behind a redirection stands.
    pub redirected: Option<usize>,
    /// Where that to its entry in sequence does.
    pub sequential: Option<usize>,
    /// Where that to another translation of the same block does.
    pub inner: Option<usize>,
    /// Where a jump has to become conditional.
    pub gate: Option<usize>,
}

/// First bytes of `jle`, for a gate.
pub const OPEN: [u8; 2] = [0x0f, 0x8e];
/// The same length: `nop`, and the first byte of `jmp` with the same distance.
const SHUT: [u8; 2] = [0x90, 0xe9];

impl Site {
    /// Nothing to change yet.
    pub fn of(block: u32) -> Site {
        Site { block, redirected: None, sequential: None, inner: None, gate: None }
    }

    /// In code that stands at `start`.
    pub fn moved(self, start: usize) -> Site {
        let moved = |at: Option<usize>| at.map(|at| start + at);
        Site {
            block: self.block,
            redirected: moved(self.redirected),
            sequential: moved(self.sequential),
            inner: moved(self.inner),
            gate: moved(self.gate),
        }
    }
}

impl<'a> Translator<'a> {
    /// As `edge`.
    pub fn timed_edge(&mut self, timed: &Timed, code: Code, pc: u64) {
        let around = (code != Code::Jmp_rel32_64).then(|| self.a.label());
        if let Some(around) = around {
            self.a.jump(opposite(code), around);
        }
        self.count_put_off();
        let out = self.a.label();
        let mut site = Site { gate: Some(self.gate(out)), ..Site::of(self.number) };
        let (exit, end) = (self.block.plan.exit, self.block.end);
        let sequential = pc == end;
        match timed.counter(end).filter(|_| exit == Exit::Branch) {
            Some(counter) => self.predict(timed, counter, !sequential, &mut site),
            None if sequential => site.sequential = Some(self.link_later()),
            None => {
                self.lose(timed.lost(exit), Reg::RAX);
                site.redirected = Some(self.link_later());
            }
        }
        self.add_edge(out, pc, site);
        if let Some(around) = around {
            self.a.bind(around);
        }
    }

    /// Goes to `out` if the budget is used up, and, until the edge is linked, always: where that is said.
    fn gate(&mut self, out: Label) -> usize {
        self.a.op2_to(Code::Test_rm64_r64, Width::Q, Rm::R(LEFT), LEFT);
        let at = self.a.len();
        self.a.jump(Code::Jle_rel32_64, out);
        self.a.replace(at, SHUT);
        at
    }

    /// A jump to a place that is not known yet: where its distance stands.
    fn link_later(&mut self) -> usize {
        let here = self.a.label();
        self.a.jump(Code::Jmp_rel32_64, here);
        self.a.bind(here);
        self.a.len() - 4
    }

    /// Counts ticks. Loses a register.
    fn lose(&mut self, ticks: u64, scratch: Reg) {
        if let (Some(timed), 1..) = (self.timed, ticks) {
            self.a.mov_imm(scratch, timed.native().ticks);
            self.count_ticks(Rm::M(at(scratch, 0)), ticks);
        }
    }

    /// Counts what was put off. Loses RCX.
    pub fn count_put_off(&mut self) {
        self.lose(self.put_off, Reg::RCX);
    }

    /// An edge behind a branch with a history.
    fn predict(&mut self, timed: &Timed, counter: u64, taken: bool, site: &mut Site) {
        let (wrong, entry) = (self.a.label(), self.a.label());
        self.guess(timed, counter, taken, wrong);
        if !taken {
            site.sequential = Some(self.link_later());
        }
        self.a.bind(entry);
        site.redirected = Some(self.link_later());
        self.later(Cold::Wrong { from: wrong, taken, counter, to: entry });
    }

    /// A branch's counter goes up or down, and tells which entry follows. A guess that holds makes it the most or the
    /// least. Loses RAX.
    fn guess(&mut self, timed: &Timed, counter: u64, taken: bool, wrong: Label) {
        self.a.mov_imm(Reg::RAX, counter);
        let cell = Rm::M(at(Reg::RAX, 0));
        self.a.imm(Code::Cmp_rm8_imm8, Width::B, cell, 2);
        let (otherwise, value) =
            if taken { (Code::Jb_rel32_64, 3) } else { (Code::Jae_rel32_64, 0) };
        self.a.jump(otherwise, wrong);
        self.a.imm(Code::Mov_rm8_imm8, Width::B, cell, value);
        if taken {
            self.lose(timed.native().branch.taken as u64, Reg::RAX);
        }
    }

    /// The guess was wrong.
    pub fn wrong(&mut self, from: Label, taken: bool, counter: u64, to: Label) {
        self.a.bind(from);
        self.a.mov_imm(Reg::RAX, counter);
        let code = if taken { Code::Inc_rm8 } else { Code::Dec_rm8 };
        self.a.op1_rm(code, Width::B, Rm::M(at(Reg::RAX, 0)));
        if let Some(timed) = self.timed {
            self.lose(timed.native().branch.mispredict as u64, Reg::RAX);
        }
        self.a.jump(Code::Jmp_rel32_64, to);
    }

    /// Counts the redirection of an indirect jump. Loses RAX.
    pub fn lose_jump(&mut self) {
        if let Some(timed) = self.timed {
            self.lose(timed.lost(self.block.plan.exit), Reg::RAX);
        }
    }

    /// An indirect jump to RAX: goes to `out` if the budget is used up, or if control goes on just behind the block,
    /// which is no redirection. Loses RCX.
    pub fn timed_jump(&mut self, out: Label) {
        if self.timed.is_some() {
            self.count_put_off();
            self.a.op2_to(Code::Test_rm64_r64, Width::Q, Rm::R(LEFT), LEFT);
            self.a.jump(Code::Jle_rel32_64, out);
            self.a.mov_imm(Reg::RCX, self.block.end);
            self.a.op2(Code::Cmp_r64_rm64, Width::Q, Reg::RAX, Rm::R(Reg::RCX));
            self.a.jump(Code::Je_rel32_64, out);
        }
    }
}

/// Control goes from the present block to the next of the trace, which is the present one then.
pub fn inside<'a>(t: &mut Translator<'a>, timed: &Timed, next: Step<'a>) {
    let (exit, end) = (t.block.plan.exit, t.block.end);
    let sequential = next.block.start == end;
    let counter = timed.counter(end).filter(|_| exit == Exit::Branch);
    let mut other = None;
    // An instruction's immediate holds what is put off.
    if t.put_off > 1 << 29 {
        t.count_put_off();
        t.put_off = 0;
    }
    if let Some(counter) = counter {
        let (from, to) = (t.a.label(), t.a.label());
        t.guess(timed, counter, !sequential, from);
        t.later(Cold::Wrong { from, taken: !sequential, counter, to });
        other = Some(to);
    } else if !sequential {
        t.put_off += timed.lost(exit);
    }
    (t.number, t.block) = (next.number, next.block);
    entry::inside(t, timed, sequential, other, end - 1);
}

/// The condition that holds if the code's does not.
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
