//! Emits the blocks of a trace, one after the other.
//!
//! Counts and cycles are those of single blocks: each takes its instructions from the budget, and under a core model
//! counts its entry as at the entry of a trace. One test of the budget covers several blocks.

use super::insn;
use super::translator::Translator;
use crate::interface::counting::Counting;
use crate::interface::exit::Exit;
use crate::interface::frames::frames;
use crate::interface::trace::{Source, Step};
use crate::x64::asm::{Asm, Reg, Rm, at};
use crate::x64::emit::{Arrangement, set_pc};
use crate::x64::runtime::convention::LEFT;
use crate::x64::scalar::fused;
use capvec_isa::Op;
use capvec_sim::block::Block;
use iced_x86::Code;

/// One test of the budget covers several blocks, up to this many instructions: the most that has to be interpreted if the
/// budget ends among them.
const MAX_SEGMENT_INSNS: usize = 96;

/// Emits all blocks after the entry of the first. A loop starts with the registers in this arrangement.
pub fn emit<'a>(t: &mut Translator<'a>, source: &Source<'a>, arrangement: Option<Arrangement>) {
    let start = t.insns.out.a.label();
    if let Some(arrangement) = &arrangement {
        t.insns.out.regs.arrange(&mut t.insns.out.a, arrangement);
    }
    if source.loops {
        t.insns.cycles.enter_loop(t.insns.at.step.block);
    }
    t.insns.out.a.bind(start);
    let first = source.loops.then_some(source.steps[0]);
    // The block after which the budget is tested next.
    let mut test = 0;
    let blocks: Vec<&Block> = source.steps.iter().map(|step| step.block).collect();
    for ((n, step), frames) in source.steps.iter().enumerate().zip(frames(&blocks, source.loops)) {
        t.frames = frames;
        t.follow = source.steps.get(n + 1).copied().or(first);
        let open = block(t);
        match t.follow {
            Some(next) => {
                t.report_to(next.block.start);
                if n == test {
                    let insns;
                    (test, insns) = segment(source, n);
                    test_budget(t, next.block.start, insns);
                }
                proceed(t, next);
                count_entry(&mut t.insns.out.a, source, (n + 1) % source.steps.len());
            }
            None if open => {
                t.insns.cycles.finish_batch(&mut t.insns.out.a, &mut t.insns.vregs);
                t.edge(Code::Jmp_rel32_64, step.block.end);
            }
            None => {}
        }
    }
    if let Some(arrangement) = &arrangement {
        t.insns.cycles.deferred.count(&mut t.insns.out.a);
        t.insns.out.regs.arrange(&mut t.insns.out.a, arrangement);
        t.insns.out.a.jump(Code::Jmp_rel32_64, start);
    }
}

/// Counts the entry of block `n` of the trace.
pub fn count_entry(a: &mut Asm, source: &Source<'_>, n: usize) {
    match source.count {
        Counting::No => {}
        Counting::InBlock => {
            let entered = &source.steps[n].block.entered;
            a.mov_address(Reg::RAX, std::ptr::from_ref(entered) as u64);
            a.op1_rm(Code::Inc_rm64, Rm::M(at(Reg::RAX, 0)));
        }
        Counting::InSets { cells, first } => {
            let slot = first as usize + n;
            a.mov_address(Reg::RAX, cells);
            a.imm(Code::Mov_rm64_imm32, Rm::M(at(Reg::RAX, 8)), slot as i32);
            a.mov(Reg::RAX, Rm::M(at(Reg::RAX, 0)));
            a.op1_rm(Code::Inc_rm64, Rm::M(at(Reg::RAX, 8 * slot as i64)));
        }
    }
}

/// Emits the current block. Returns whether control can go on after it.
fn block(t: &mut Translator<'_>) -> bool {
    let mut open = true;
    for (k, i) in t.insns.at.step.block.insns.iter().enumerate() {
        if i.op() == Op::FenceI || i.op().row().class.transfers_control() {
            t.insns.cycles.finish_batch(&mut t.insns.out.a, &mut t.insns.vregs);
        }
        open = insn::emit(t, k, i);
        t.insns.at.insn += 1;
    }
    open
}

/// A test of the budget after block `n` of a trace covers all blocks up to the next test. Returns the number of the block
/// after which the next test comes, and the number of instructions in between: the budget that is left must exceed it.
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

/// Leaves to the run loop at `pc` if the budget that is left is at most `budget`. The run loop then runs the blocks one by
/// one.
fn test_budget(t: &mut Translator<'_>, pc: u64, budget: usize) {
    let from = t.insns.out.a.label();
    match budget as i32 {
        0 => t.insns.out.a.op2_to(Code::Test_rm64_r64, Rm::R(LEFT), LEFT),
        budget => t.insns.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(LEFT), budget),
    }
    t.insns.out.a.jump(Code::Jle_rel32_64, from);
    let exit = Exit::Budget { block: t.insns.at.step.number };
    let (mut regs, deferred) = (t.insns.out.regs, t.insns.cycles.deferred);
    let (trace, insn) = (t.insns.at.trace, t.insns.at.insn);
    t.insns.exits.out_of_line(move |a, exits| {
        a.bind(from);
        exits.spill(a, &mut regs);
        fused::materialize(a, trace, insn);
        deferred.count(a);
        set_pc(a, pc);
        exits.leave_saved(a, exit);
    });
}

/// Control continues to the next block of the trace.
fn proceed<'a>(t: &mut Translator<'a>, next: Step<'a>) {
    t.insns.cycles.pass(&mut t.insns.out.a, &mut t.insns.exits, t.insns.at.step, next);
    t.insns.at.step = next;
    t.charge_budget();
}
