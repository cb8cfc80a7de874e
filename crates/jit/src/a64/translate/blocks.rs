//! Emits the blocks of a trace, one after the other. Each takes its instructions from the budget. One test of the budget covers
//! several blocks.

use super::insn;
use super::translator::Translator;
use crate::a64::asm::{Cond, OpImm, Transfer, Width, ZR, op_imm};
use crate::a64::registers::{LEFT, T0, T1, T2};
use crate::interface::counting::Counting;
use crate::interface::exit::Exit;
use crate::interface::relocation::Refers;

/// One test of the budget covers several blocks, up to this many instructions: the most that has to be interpreted if the budget
/// ends among them.
const MAX_SEGMENT_INSNS: usize = 96;

/// Emits the entry and all blocks.
pub fn emit(t: &mut Translator<'_>) {
    let (steps, loops) = (t.source.steps, t.source.loops);
    let exit = Exit::Next { block: steps[0].number };
    test_budget(t, 0, exit, steps[0].block.start);
    charge(t);
    count_entry(t, 0);
    let start = t.out.a.label();
    t.out.a.bind(start);
    let first = loops.then_some(steps[0]);
    // The block after which the budget is tested next.
    let mut test = 0;
    for (n, step) in steps.iter().enumerate() {
        t.follow = steps.get(n + 1).copied().or(first);
        let open = block(t);
        match t.follow {
            Some(next) => {
                t.report_to(*step, next.block.start);
                if n == test {
                    let insns;
                    (test, insns) = segment(t, n);
                    test_budget(t, insns, Exit::Budget { block: step.number }, next.block.start);
                }
                t.step = next;
                charge(t);
                count_entry(t, (n + 1) % steps.len());
            }
            None if open => t.edge(*step, step.block.end),
            None => {}
        }
    }
    if loops {
        t.out.extend();
        t.out.a.jump(start);
    }
}

/// Emits the current block. Returns whether control can go on after it.
fn block(t: &mut Translator<'_>) -> bool {
    let mut open = true;
    let block = t.step.block;
    for (k, i) in block.insns.iter().enumerate() {
        open = insn::emit(t, k, i);
        t.at += 1;
    }
    open
}

/// Takes the current block's instructions from the budget. An exit by a trap gives back what did not retire.
fn charge(t: &mut Translator<'_>) {
    let insns = t.step.block.insns.len() as u32;
    t.out.a.put(op_imm(OpImm::Sub, Width::X, LEFT, LEFT, insns, false));
}

/// Counts the entry of block `n` of the trace.
fn count_entry(t: &mut Translator<'_>, n: usize) {
    let a = &mut t.out.a;
    match t.source.count {
        Counting::No => return,
        Counting::InBlock => {
            let entered = &t.source.steps[n].block.entered;
            a.load_literal(T0, std::ptr::from_ref(entered) as u64, Refers::Address);
        }
        Counting::InSets { cells, first } => {
            let slot = first as usize + n;
            a.load_literal(T0, cells, Refers::Address);
            a.mov_imm(T1, slot as u64);
            a.transfer(Transfer::Str, T1, T0, 8);
            a.transfer(Transfer::Ldr, T0, T0, 0);
            a.add_imm(Width::X, T0, T0, 8 * slot as i64, T2);
        }
    }
    a.transfer(Transfer::Ldr, T1, T0, 0);
    a.put(op_imm(OpImm::Add, Width::X, T1, T1, 1, false));
    a.transfer(Transfer::Str, T1, T0, 0);
}

/// A test of the budget after block `n` of a trace covers all blocks up to the next test. Returns the number of the block after which
/// the next test comes, and the number of instructions in between: the budget that is left must exceed it.
fn segment(t: &Translator<'_>, n: usize) -> (usize, usize) {
    let boundaries = t.source.steps.len() - usize::from(!t.source.loops);
    let (mut next, mut insns) = (n + 1, 0);
    while next < boundaries {
        let more = t.source.steps[next].block.insns.len();
        if insns + more > MAX_SEGMENT_INSNS {
            break;
        }
        (next, insns) = (next + 1, insns + more);
    }
    (next, insns)
}

/// Leaves to the run loop at `pc` if the budget that is left is at most `budget`.
fn test_budget(t: &mut Translator<'_>, budget: usize, exit: Exit, pc: u64) {
    let from = t.exit(exit, Some(pc));
    t.out.a.put(op_imm(OpImm::Subs, Width::X, ZR, LEFT, budget as u32, false));
    t.out.a.jump_if(Cond::Le, from);
}
