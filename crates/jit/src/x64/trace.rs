//! A trace: blocks that follow each other in one piece of code and keep values in host registers from one to the
//! next.
//!
//! Counts and cycles are those of single blocks: each takes its instructions from the budget, and under a core model
//! counts its entry as at the entry of a trace. One test of the budget covers several blocks.

use super::addresses::{AddressRange, addresses};
use super::asm::{Label, Rm};
use super::exit::Exit;
use super::fuse::Fused;
use super::regs::{Arrangement, LEFT, Regs};
use super::translate::{Cold, Source, Step, Translator};
use super::uses::{Operands, operands};
use super::vector::Plan;
use super::{calls, edge, entry, fused};
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// One test of the budget covers several boundaries between blocks, up to so many instructions. They are what has to be
/// interpreted at most when the budget ends there.
const MAX_SEGMENT_INSNS: usize = 96;

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
        let (mut insns, mut uses, mut ends) = (Vec::new(), Vec::new(), Vec::new());
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

/// Emits all blocks after the entry of the first. A loop starts with the registers in this shape.
pub fn emit<'a>(t: &mut Translator<'a>, source: &Source<'a>, shape: Option<Arrangement>) {
    let start = t.out.a.label();
    if let Some(shape) = &shape {
        t.out.regs.arrange(&mut t.out.a, shape);
    }
    if let (Some(timed), true) = (t.timed, source.loops) {
        t.fetching = entry::in_loop(t, timed);
    }
    t.out.a.bind(start);
    let first = source.loops.then_some(source.steps[0]);
    // The block after which the budget is tested next.
    let mut test = 0;
    for (n, step) in source.steps.iter().enumerate() {
        t.follow = source.steps.get(n + 1).copied().or(first);
        let open = block(t);
        match t.follow {
            Some(next) => {
                let mut budget = None;
                if n == test {
                    let (next, insns) = segment(source, n);
                    (test, budget) = (next, Some(insns));
                }
                proceed(t, next, budget);
            }
            None if open => {
                t.finish_batch();
                t.edge(Code::Jmp_rel32_64, step.block.end);
            }
            None => {}
        }
    }
    if let Some(shape) = &shape {
        t.count_deferred_ticks();
        t.out.regs.arrange(&mut t.out.a, shape);
        t.out.a.jump(Code::Jmp_rel32_64, start);
    }
}

/// Emits the current block. Returns whether control can go on after it.
fn block(t: &mut Translator<'_>) -> bool {
    let mut open = true;
    for (k, i) in t.block.insns.iter().enumerate() {
        if i.op() == Op::FenceI || i.op().row().class.transfers_control() {
            t.finish_batch();
        }
        open = t.insn(k, i);
        t.position += 1;
    }
    open
}

/// A test of the budget after block `n` of a trace that covers the boundaries between blocks up to the next test:
/// after which block that is, and that more must be left than the instructions of the blocks between.
fn segment(source: &Source<'_>, n: usize) -> (usize, usize) {
    let boundaries = source.steps.len() - usize::from(!source.loops);
    let (mut next, mut insns) = (n + 1, 0);
    while next < boundaries {
        let more = source.steps[next].block.insns.len();
        if insns + more > MAX_SEGMENT_INSNS {
            break;
        }
        (next, insns) = (next + 1, insns + more);
    }
    (next, insns)
}

/// Control goes on to the next block of the trace, unless the budget that is left is at most `budget`. Then the run loop
/// runs the blocks one by one.
fn proceed<'a>(t: &mut Translator<'a>, next: Step<'a>, budget: Option<usize>) {
    calls::at_end(t, next.block.start);
    if let Some(budget) = budget {
        let from = t.out.a.label();
        match budget as i32 {
            0 => t.out.a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT),
            budget => t.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(LEFT), budget),
        }
        t.out.a.jump(Code::Jle_rel32_64, from);
        let (pc, exit) = (next.block.start, Exit::Budget { block: t.number });
        let (regs, position, deferred_ticks) = (t.out.regs, t.position, t.deferred_ticks);
        t.out_of_line(Cold::Stop { from, pc, exit, regs, position, deferred_ticks });
    }
    match t.timed {
        Some(timed) => edge::continue_trace(t, timed, next),
        None => (t.number, t.block) = (next.number, next.block),
    }
    t.charge_budget();
    t.count_entry();
}

/// The exit between two blocks of a trace when the budget is used up.
pub fn stop<'a>(
    t: &mut Translator<'a>,
    from: Label,
    pc: u64,
    exit: Exit,
    mut regs: Regs<'a>,
    position: usize,
) {
    t.out.a.bind(from);
    regs.spill(&mut t.out.a);
    fused::materialize(t, position);
    t.count_deferred_ticks();
    t.set_pc(pc);
    t.leave_saved(exit);
}

/// The exit of a trace on the unlikely side of a branch after this block.
pub fn side<'a>(t: &mut Translator<'a>, from: Label, pc: u64, step: Step<'a>, regs: Regs<'a>) {
    t.out.a.bind(from);
    (t.number, t.block, t.out.regs) = (step.number, step.block, regs);
    t.edge(Code::Jmp_rel32_64, pc);
}

impl<'a> Translator<'a> {
    /// Leaves the trace for the block at `pc` under the code's condition.
    pub fn side(&mut self, code: Code, pc: u64) {
        let from = self.out.a.label();
        self.out.a.jump(code, from);
        let step = Step { number: self.number, block: self.block };
        self.out_of_line(Cold::Side {
            from,
            pc,
            step,
            regs: self.out.regs,
            deferred_ticks: self.deferred_ticks,
        });
    }
}
