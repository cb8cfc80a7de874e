//! Branches and jumps.

use super::translator::Translator;
use crate::a64::asm::{Cond, Op3, OpMask, Pair, Reg, Shift, Transfer, Width, ZR, br, op3_shifted};
use crate::a64::registers::{HART, LR, T0, T1, T2, hart_field};
use crate::interface::exit::Exit;
use crate::interface::relocation::Refers;
use crate::interface::targets::{MASK, SCALE, SHIFT};
use capvec_isa::Op;
use capvec_sim::Hart;
use capvec_sim::calls::Transfer as Transfers;
use capvec_sim::insn::Insn;
use std::mem::offset_of;

/// The condition under which a branch is taken, after comparing rs1 with rs2.
fn condition(op: Op) -> Option<Cond> {
    Some(match op {
        Op::Beq => Cond::Eq,
        Op::Bne => Cond::Ne,
        Op::Blt => Cond::Lt,
        Op::Bge => Cond::Ge,
        Op::Bltu => Cond::Lo,
        Op::Bgeu => Cond::Hs,
        _ => return None,
    })
}

/// Translates a branch or jump, which ends the block. Control then follows the trace, if the block is not its last.
pub fn emit(t: &mut Translator<'_>, op: Op, i: &Insn) -> bool {
    let step = t.step;
    match op {
        Op::Jal => {
            link(t, i, step.block.end);
            if t.follow.is_none() {
                t.edge(step, i.imm as u64);
            }
        }
        // The trace continues at the jump's target.
        Op::Jalr if t.follow.is_some() => link(t, i, step.block.end),
        Op::Jalr => jalr(t, i),
        _ => {
            let Some(cond) = condition(op) else { return false };
            branch(t, cond, i);
        }
    }
    true
}

fn branch(t: &mut Translator<'_>, cond: Cond, i: &Insn) {
    let (step, taken) = (t.step, i.imm as u64);
    match t.follow {
        Some(next) if next.block.start == step.block.end => side_exit(t, cond, i, taken),
        Some(_) => side_exit(t, cond.opposite(), i, step.block.end),
        None => {
            side_exit(t, cond, i, taken);
            t.edge(step, step.block.end);
        }
    }
}

/// Leaves the trace for the block at `pc` if the comparison of rs1 with rs2 holds.
fn side_exit(t: &mut Translator<'_>, cond: Cond, i: &Insn, pc: u64) {
    let step = t.step;
    let from = t.out_of_line(move |t| t.edge(step, pc));
    let w = t.out.compared(i.rs1, i.rs2);
    let a = t.out.x_at(w, i.rs1, T0);
    match (cond, i.rs2) {
        (Cond::Eq, 0) => t.out.a.jump_if_zero(w, a, from),
        (Cond::Ne, 0) => t.out.a.jump_unless_zero(w, a, from),
        _ => {
            let b = t.out.x_at(w, i.rs2, T1);
            t.out.a.compare(w, a, b);
            t.out.a.jump_if(cond, from);
        }
    }
}

/// rd = the return address.
fn link(t: &mut Translator<'_>, i: &Insn, to: u64) {
    if i.rd_is_x0() {
        return;
    }
    let d = t.out.target(i.rd, T1);
    t.out.a.mov_imm(d, to);
    t.out.wrote(i.rd, d);
}

/// Jumps to an address in a register, through the table of targets. If the table does not have it, the run loop continues there.
fn jalr(t: &mut Translator<'_>, i: &Insn) {
    const ENTRY: Reg = T1;
    let step = t.step;
    target(t, i);
    link(t, i, step.block.end);
    t.report(step, None, Transfers::of(i));
    t.out.extend();
    let miss = t.out.a.label();
    let a = &mut t.out.a;
    a.mask((OpMask::And, Op3::And), ENTRY, T0, MASK << SHIFT, T2);
    a.load_literal(T2, t.runtime.targets, Refers::Address);
    let index = (ENTRY, Shift::Lsl, SCALE.trailing_zeros());
    a.put(op3_shifted(Op3::Add, Width::X, ENTRY, T2, index));
    a.pair(Pair::Ldp, [T2, LR], ENTRY, 0);
    a.compare(Width::X, T2, T0);
    a.jump_if(Cond::Ne, miss);
    a.put(br(LR));
    a.bind(miss);
    a.transfer(Transfer::Str, T0, HART, hart_field(offset_of!(Hart, pc)));
    t.leave(Exit::Next { block: step.number });
}

/// `T0` = the target.
fn target(t: &mut Translator<'_>, i: &Insn) {
    let base = t.out.x(i.rs1, T0);
    let a = &mut t.out.a;
    if base == ZR {
        a.mov_imm(T0, i.imm as u64);
    } else {
        a.add_imm(Width::X, T0, base, i.imm, T2);
    }
    a.mask((OpMask::And, Op3::And), T0, T0, !1, T2);
}
