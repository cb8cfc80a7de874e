//! Edges between blocks, and their cost under a core model.
//!
//! The interpreter stops between blocks before it evaluates the redirection, so an edge tests the budget, then counts
//! the redirection, then jumps to one of the next block's entries. Until the edge is linked, its gate always leaves
//! to the run loop.

use super::deferred::Deferred;
use super::state::Cycles;
use super::tage;
use super::ticks::add_ticks;
use crate::interface::link::{Position, Site, UNLINKED_GATE};
use crate::interface::trace::Step;
use crate::timed::Timed;
use crate::x64::asm::{Asm, Label, Reg, Rm, at};
use crate::x64::emit::Exits;
use crate::x64::runtime::convention::{GUEST_SP, LEFT};
use capvec_sim::timing::Exit;
use capvec_timing::inline::tage::hash;
use iced_x86::Code;

/// A jump, under the condition of `code`, from a block to the block at `pc`. All guest registers are at home. `link`: it is a call
/// with this return address, and unconditional.
pub fn emit(
    a: &mut Asm,
    exits: &mut Exits<'_>,
    deferred: Deferred<'_>,
    step: Step<'_>,
    (code, pc): (Code, u64),
    link: Option<u64>,
) {
    let site = Site::of(step.number, pc);
    if let Some(timed) = deferred.timed {
        let around = (code != Code::Jmp_rel32_64).then(|| a.label());
        if let Some(around) = around {
            a.jump(opposite(code), around);
        }
        deferred.count(a);
        timed_edge(a, exits, timed, step, site, link);
        if let Some(around) = around {
            a.bind(around);
        }
    } else {
        let from = a.label();
        link.iter().for_each(|_| a.op1(Code::Push_r64, GUEST_SP));
        a.jump(link.map_or(code, |_| Code::Call_rel32_64), from);
        exits.edge_from(from, Site { redirected: Some(Position::at(a.len() - 4)), ..site });
        link.iter().for_each(|link| exits.pad(a, step.number, *link));
    }
}

/// An unconditional edge under a core model.
fn timed_edge(
    a: &mut Asm,
    exits: &mut Exits<'_>,
    timed: &Timed,
    step: Step<'_>,
    site: Site,
    link: Option<u64>,
) {
    let out = a.label();
    let mut site = Site { gate: Some(gate(a, out)), ..site };
    let (exit, end) = (step.block.plan.exit, step.block.end);
    let sequential = site.pc == end;
    match Branch::of(timed, exit, end, exits.branches()) {
        Some(branch) => predict(a, exits, &branch, !sequential, &mut site),
        None if sequential => site.sequential = Some(unlinked_jump(a)),
        None => {
            add_ticks(a, timed.inline_state().ticks, timed.redirect_ticks(exit), Reg::RAX);
            link.iter().for_each(|_| a.op1(Code::Push_r64, GUEST_SP));
            let code = link.map_or(Code::Jmp_rel32_64, |_| Code::Call_rel32_64);
            site.redirected = Some(unlinked(a, code));
            link.iter().for_each(|link| exits.pad(a, step.number, *link));
        }
    }
    exits.edge_from(out, site);
}

/// Leaves to `out` if the budget is used up, and always until the edge is linked. Returns the gate's position.
fn gate(a: &mut Asm, out: Label) -> Position {
    a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT);
    let at = a.len();
    a.jump(Code::Jle_rel32_64, out);
    a.replace(at, UNLINKED_GATE);
    Position::at(at)
}

/// Emits a jump to be linked later; returns the position of its displacement.
fn unlinked_jump(a: &mut Asm) -> Position {
    unlinked(a, Code::Jmp_rel32_64)
}

/// The same for a jump or call.
fn unlinked(a: &mut Asm, code: Code) -> Position {
    let here = a.label();
    a.jump(code, here);
    a.bind(here);
    Position::at(a.len() - 4)
}

/// An edge after a branch with a history.
fn predict(a: &mut Asm, exits: &mut Exits<'_>, branch: &Branch<'_>, taken: bool, site: &mut Site) {
    let (mispredicted, entry) = (a.label(), a.label());
    branch.update_history(a, taken, mispredicted);
    if !taken {
        site.sequential = Some(unlinked_jump(a));
    }
    a.bind(entry);
    site.redirected = Some(unlinked_jump(a));
    branch.mispredict(exits, taken, (mispredicted, entry));
}

/// A branch with a history.
struct Branch<'t> {
    timed: &'t Timed,
    /// Host address of its two-bit counter.
    counter: u64,
    /// The address after it.
    end: u64,
    /// `Runtime::branches`.
    functions: [u64; 2],
}

impl<'t> Branch<'t> {
    /// The branch at the end of a block; `None` if that is none, or if it has no history.
    fn of(timed: &'t Timed, exit: Exit, end: u64, functions: [u64; 2]) -> Option<Branch<'t>> {
        let counter = timed.counter(end).filter(|_| exit == Exit::Branch)?;
        Some(Branch { timed, counter, end, functions })
    }

    /// Whether tagged tables predict it.
    fn tagged(&self) -> bool {
        self.timed.inline_state().front.tage.is_some()
    }

    /// Updates its history and selects the entry. Clobbers RAX, RCX and RDX.
    fn update_history(&self, a: &mut Asm, taken: bool, mispredicted: Label) {
        if self.tagged() {
            a.mov_address(tage::COUNTER, self.counter);
            a.mov_imm(tage::BRANCH, hash(self.end));
            a.jump_to(Code::Call_rel32_64, self.functions[taken as usize]);
            a.op2_to(Code::Test_rm64_r64, Rm::R(tage::MISPREDICTED), tage::MISPREDICTED);
            a.jump(Code::Jne_rel32_64, mispredicted);
        } else {
            self.update_counter(a, taken, mispredicted);
        }
        if taken {
            let n = self.timed.inline_state();
            add_ticks(a, n.ticks, n.branch.taken as u64, Reg::RAX);
        }
    }

    /// Updates its counter. A correct prediction saturates it.
    fn update_counter(&self, a: &mut Asm, taken: bool, mispredicted: Label) {
        a.mov_address(Reg::RAX, self.counter);
        let cell = Rm::M(at(Reg::RAX, 0));
        a.imm(Code::Cmp_rm8_imm8, cell, 2);
        let (otherwise, value) =
            if taken { (Code::Jb_rel32_64, 3) } else { (Code::Jae_rel32_64, 0) };
        a.jump(otherwise, mispredicted);
        a.imm(Code::Mov_rm8_imm8, cell, value);
    }

    /// The misprediction path of `update_history`: from one label to the other.
    fn mispredict(&self, exits: &mut Exits<'_>, taken: bool, (from, to): (Label, Label)) {
        let n = self.timed.inline_state();
        let (ticks, mispredict) = (n.ticks, n.branch.mispredict as u64);
        let counter = (!self.tagged()).then_some(self.counter);
        exits.out_of_line(move |a, _| {
            a.bind(from);
            if let Some(counter) = counter {
                a.mov_address(Reg::RAX, counter);
                let code = if taken { Code::Inc_rm8 } else { Code::Dec_rm8 };
                a.op1_rm(code, Rm::M(at(Reg::RAX, 0)));
            }
            add_ticks(a, ticks, mispredict, Reg::RAX);
            a.jump(Code::Jmp_rel32_64, to);
        });
    }
}

impl<'a> Cycles<'a> {
    /// Counts the redirection of an indirect jump at the end of the block. Clobbers RAX.
    pub fn count_jump(&self, a: &mut Asm, step: Step<'_>) {
        if let Some(timed) = self.timed() {
            add_ticks(
                a,
                timed.inline_state().ticks,
                timed.redirect_ticks(step.block.plan.exit),
                Reg::RAX,
            );
        }
    }

    /// Before an indirect jump to RAX: leaves to `out` if the budget is used up, or if the target is the next
    /// sequential block, which is not a redirection. Clobbers RCX.
    pub fn check_jump(&self, a: &mut Asm, step: Step<'_>, out: Label) {
        if self.timed().is_some() {
            self.deferred.count(a);
            a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT);
            a.jump(Code::Jle_rel32_64, out);
            a.mov_imm(Reg::RCX, step.block.end);
            a.op2(Code::Cmp_r64_rm64, Reg::RAX, Rm::R(Reg::RCX));
            a.jump(Code::Je_rel32_64, out);
        }
    }

    /// Control goes from a block to the next one of the trace.
    pub fn pass(&mut self, a: &mut Asm, exits: &mut Exits<'a>, from: Step<'a>, to: Step<'a>) {
        let Some(timed) = self.timed() else { return };
        let (exit, end) = (from.block.plan.exit, from.block.end);
        let sequential = to.block.start == end;
        let branch = Branch::of(timed, exit, end, self.runtime.branches);
        let mut other = None;
        if self.deferred.ticks > Deferred::MAX {
            self.deferred.flush(a);
        }
        if let Some(branch) = branch {
            let labels = (a.label(), a.label());
            branch.update_history(a, !sequential, labels.0);
            branch.mispredict(exits, !sequential, labels);
            other = Some(labels.1);
        } else if !sequential {
            self.deferred.ticks += timed.redirect_ticks(exit);
        }
        self.enter_next(a, exits, to, sequential, other, end - 1);
    }
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
