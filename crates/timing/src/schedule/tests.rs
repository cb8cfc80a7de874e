//! Issue in order, and what the last instruction of a block decides.

use super::*;
use crate::testing::{insn, params, r};
use capvec_isa::Op;

/// Static cycles up to each instruction.
fn cumulative(p: &Params, insns: &[Insn]) -> Vec<u32> {
    let costs = plan(p, insns).costs;
    (0..=insns.len()).map(|k| costs.before(k)).collect()
}

#[test]
fn instructions_wait_for_their_operands() {
    let code = [
        r(Op::Lw, 5, 10, 0),
        r(Op::Addi, 6, 7, 0),
        // Waits until 3 for the load of cycle 0, not for the addition.
        r(Op::Add, 8, 6, 5),
        r(Op::Mul, 9, 8, 8),
        // Issues at 4 + 4.
        r(Op::Sub, 9, 9, 8),
    ];
    assert_eq!(cumulative(&params(), &code), [0, 1, 2, 4, 5, 9]);
}

#[test]
fn pipelined_and_blocking_units() {
    let muls = [r(Op::Mul, 5, 10, 11), r(Op::Mul, 6, 10, 11), r(Op::Add, 7, 10, 11)];
    assert_eq!(cumulative(&params(), &muls), [0, 1, 2, 3]);
    let div = [r(Op::Div, 5, 10, 11), r(Op::Add, 7, 10, 11)];
    assert_eq!(cumulative(&params(), &div), [0, 20, 21]);
}

#[test]
fn instructions_never_wait_for_x0() {
    let code = [r(Op::Lw, 0, 10, 0), r(Op::Add, 5, 0, 0)];
    assert_eq!(cumulative(&params(), &code), [0, 1, 2]);
}

#[test]
fn floating_point_registers_are_tracked_separately() {
    let code = [r(Op::Fld, 5, 10, 0), r(Op::Add, 6, 5, 5), r(Op::FaddD, 7, 5, 6)];
    assert_eq!(cumulative(&params(), &code), [0, 1, 2, 4]);
}

#[test]
fn compressed_instructions_have_the_operands_of_their_expansion() {
    let add = insn(Op::CAdd, |d| (d.rd, d.rs1, d.rs2) = (5, 5, 6));
    assert_eq!(cumulative(&params(), &[r(Op::Lw, 6, 10, 0), add]), [0, 1, 4]);
}

#[test]
fn two_may_issue_in_a_cycle() {
    let p = Params { issue_width: 2, ..params() };
    let free = [5, 6, 7, 8, 9].map(|rd| r(Op::Add, rd, 10, 11));
    assert_eq!(cumulative(&p, &free), [0, 1, 1, 2, 2, 3]);
    let chain = [r(Op::Add, 5, 10, 11), r(Op::Add, 6, 5, 11), r(Op::Add, 7, 10, 11)];
    assert_eq!(cumulative(&p, &chain), [0, 1, 2, 2]);
}

#[test]
fn a_pipe_takes_fewer_than_the_width() {
    let mut p = Params { issue_width: 2, ..params() };
    p.pipes.each[Pipe::Multiply as usize] = Some(1);
    p.pipes.memory = Some(1);
    let code = [
        r(Op::Mul, 5, 10, 11),
        r(Op::Mul, 6, 10, 11),
        r(Op::Add, 7, 10, 11),
        r(Op::Lw, 8, 10, 0),
        r(Op::Sw, 0, 10, 11),
    ];
    assert_eq!(cumulative(&p, &code), [0, 1, 2, 2, 3, 4]);
    p.pipes.memory = None;
    assert_eq!(cumulative(&p, &code), [0, 1, 2, 2, 3, 3]);
}

/// A divider with a pipe of its own keeps only multiplications and divisions waiting.
#[test]
fn a_separate_pipe_blocks_only_itself() {
    let mut p = params();
    let code = [r(Op::Div, 5, 10, 11), r(Op::Add, 6, 10, 11), r(Op::Mul, 7, 10, 11)];
    assert_eq!(cumulative(&p, &code), [0, 20, 21, 22]);
    p.pipes.each[Pipe::Multiply as usize] = Some(1);
    assert_eq!(cumulative(&p, &code), [0, 1, 2, 21]);
}

#[test]
fn instructions_may_wait_for_their_destination() {
    let p = Params { rewrite: 4, ..params() };
    let code = [r(Op::Add, 5, 10, 11), r(Op::Add, 5, 10, 11), r(Op::Add, 6, 10, 11)];
    assert_eq!(cumulative(&p, &code), [0, 1, 5, 6]);
}

#[test]
fn memory_and_vector_instructions_are_dynamic() {
    let code = [
        r(Op::Add, 5, 10, 11),
        r(Op::Sw, 0, 10, 5),
        r(Op::Vsetvli, 5, 10, 0),
        r(Op::VaddVv, 1, 2, 3),
        r(Op::Bne, 0, 5, 0),
    ];
    let plan = plan(&params(), &code);
    let store = Dynamic { index: 1, note: MEMORY, issue: 1 };
    let add = Dynamic { index: 3, note: VECTOR, issue: 3 };
    assert_eq!(plan.costs.dynamic().collect::<Vec<_>>(), [store, add]);
    assert_eq!(plan.exit, Exit::Branch);
}

#[test]
fn the_last_instruction_decides_the_exit() {
    let exit = |i: Insn| plan(&params(), &[i]).exit;
    assert_eq!(exit(r(Op::Jal, 0, 0, 0)), Exit::Jump);
    assert_eq!(exit(r(Op::Jalr, 0, 1, 0)), Exit::Return);
    assert_eq!(exit(r(Op::Jalr, 1, 1, 0)), Exit::Indirect);
    assert_eq!(exit(r(Op::Jalr, 0, 5, 0)), Exit::Indirect);
    assert_eq!(exit(r(Op::Ecall, 0, 0, 0)), Exit::System);
    assert_eq!(exit(r(Op::Add, 5, 6, 7)), Exit::Next);
}
