//! What a job leaves: a digest of all its runs, or everything after its only run.

use super::*;
use crate::layout::{job_result, row, state};

/// v0 to v7 ← v0 to v7 × t4 + the group at `from`. The factor is odd, so no change of a single digested number goes
/// undetected.
fn fold(a: &mut Asm, from: u8) {
    a.op(Op::VmaddVx, |d| (d.rd, d.rs1, d.rs2) = (0, T4, from));
}

/// Sets up `fold`: e32 and m8, the factor in t4, the bytes of a group in t2.
fn prepare_fold(a: &mut Asm) {
    a.imm(Op::Vsetvli, T2, ZERO, 2 << 3 | 3);
    a.imm(Op::Slli, T2, T2, 2);
    // Any odd number.
    a.li(T4, 0x2545_f491);
}

/// Folds the memory from t1 to t3 into the digest.
fn fold_memory(a: &mut Asm) {
    let more = a.label();
    a.bind(more);
    a.op(Op::Vl8re32V, |d| (d.rd, d.rs1) = (8, T1));
    fold(a, 8);
    a.reg(Op::Add, T1, T1, T2);
    a.branch(Op::Bltu, T1, T3, more);
}

/// Folds the data at x3 and the vector registers into the digest, and continues with the job's next state.
pub fn digest(a: &mut Asm, again: Label) {
    let last = a.label();
    a.op(Op::Vs8rV, |d| d.rs1 = S0);
    a.la(A0, CONTROL + control::DIGEST);
    a.op(Op::Vl8re32V, |d| d.rs1 = A0);
    prepare_fold(a);
    [8, 16, 24].into_iter().for_each(|group| fold(a, group));
    a.op(Op::Vl8re32V, |d| (d.rd, d.rs1) = (8, S0));
    fold(a, 8);
    a.reg(Op::Add, T1, GP, ZERO);
    a.reg(Op::Add, T3, S0, ZERO);
    fold_memory(a);
    a.op(Op::Vs8rV, |d| d.rs1 = A0);
    a.op(Op::Vsetivli, |_| {});

    ld(a, T1, S1, control::LEFT);
    a.imm(Op::Addi, T1, T1, -1);
    sd(a, T1, S1, control::LEFT);
    a.branch(Op::Beq, T1, ZERO, last);
    // t2 holds the size of eight registers.
    ld(a, T3, S1, control::STATE);
    a.imm(Op::Slli, T2, T2, 2);
    a.reg(Op::Add, T3, T3, T2);
    a.imm(Op::Addi, T3, T3, state::V);
    sd(a, T3, S1, control::STATE);
    a.branch(Op::Jal, ZERO, 0, again);
    a.bind(last);
}

/// Completes a digest with the memory, stores it in the result, and restores the memory.
pub fn end_digest(a: &mut Asm, next: Label, copy: Label) {
    let keep = a.label();
    prepare_fold(a);
    ld(a, T1, S1, control::DATA);
    a.li(T3, WRITABLE);
    a.reg(Op::Add, T3, T3, T1);
    fold_memory(a);
    a.op(Op::Vsetivli, |_| {});
    ld(a, A0, S1, control::RESULT);
    ld(a, T1, A0, job_result::SIGNALS);
    a.imm(Op::Slli, T3, T1, 3);
    a.imm(Op::Slli, T4, T1, 4);
    a.reg(Op::Add, A0, A0, T3);
    a.reg(Op::Add, A0, A0, T4);
    a.imm(Op::Addi, A0, A0, job_result::SIGNAL);
    a.op(Op::Vs8rV, |d| d.rs1 = A0);
    a.reg(Op::Add, A0, A0, T2);
    ld(a, T1, T0, row::KEEP);
    a.branch(Op::Bne, T1, ZERO, keep);
    restore(a, copy);
    a.bind(keep);
    next_job(a, next);
}

/// Stores vector registers and memory at s0, and restores the memory.
pub fn end_whole(a: &mut Asm, next: Label, copy: Label) {
    vectors(a, Op::Vs8rV, S0);
    ld(a, T1, S1, control::DATA);
    a.branch(Op::Jal, RA, 0, copy);
    ld(a, A0, S1, control::RESULT);
    ld(a, T1, T0, row::WHOLE);
    a.reg(Op::Add, A0, A0, T1);
    restore(a, copy);
    next_job(a, next);
}

/// Restores the batch's memory.
fn restore(a: &mut Asm, copy: Label) {
    ld(a, T1, S1, control::IMAGE);
    ld(a, S0, S1, control::DATA);
    a.branch(Op::Jal, RA, 0, copy);
}

/// Continues with the job after t0, whose result is at a0.
fn next_job(a: &mut Asm, next: Label) {
    sd(a, A0, S1, control::RESULT);
    a.imm(Op::Addi, T0, T0, row::SIZE as i64);
    sd(a, T0, S1, control::JOB);
    a.branch(Op::Jal, ZERO, 0, next);
}
