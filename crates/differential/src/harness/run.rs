//! Runs a program: its memory and state before it, its registers after it.

use super::*;
use crate::layout::{job_result, row, state};

/// CSR numbers in the order of the result.
const CSRS: [i64; 5] = [0x003, 0x008, 0xc20, 0xc21, 0x00f];
const VSTART: i64 = 0x008;
const FCSR: i64 = 0x003;
const VCSR: i64 = 0x00f;
/// Starts the next job: sets up its memory and an empty result.
pub fn begin(a: &mut Asm, finish: Label, copy: Label) {
    let (no_memory, whole) = (a.label(), a.label());
    a.la(S1, CONTROL);
    ld(a, T0, S1, control::JOB);
    ld(a, T1, S1, control::END);
    a.branch(Op::Beq, T0, T1, finish);
    ld(a, T1, T0, row::IMAGE);
    a.branch(Op::Beq, T1, ZERO, no_memory);
    ld(a, S0, S1, control::DATA);
    a.branch(Op::Jal, RA, 0, copy);
    a.bind(no_memory);
    ld(a, T1, T0, row::STATES);
    sd(a, T1, S1, control::STATE);
    ld(a, T1, T0, row::COUNT);
    sd(a, T1, S1, control::LEFT);
    ld(a, A0, S1, control::RESULT);
    sd(a, ZERO, A0, job_result::SIGNALS);
    a.imm(Op::Addi, A0, A0, job_result::OUTCOME);
    ld(a, T1, T0, row::WHOLE);
    a.branch(Op::Bne, T1, ZERO, whole);
    // e32, m8, tail and mask undisturbed.
    a.imm(Op::Vsetvli, T2, ZERO, 2 << 3 | 3);
    a.imm(Op::VmvVI, 0, ZERO, 0);
    a.la(A0, CONTROL + control::DIGEST);
    a.op(Op::Vs8rV, |d| d.rs1 = A0);
    a.la(A0, CONTROL + control::OUTCOME);
    a.bind(whole);
    sd(a, A0, S1, control::STORE);
}

/// Loads the job's next state and jumps to its program.
pub fn enter(a: &mut Asm) {
    a.la(GP, CONTROL);
    ld(a, T0, GP, control::JOB);
    ld(a, S1, GP, control::STATE);
    a.imm(Op::Addi, T1, S1, state::V);
    vectors(a, Op::Vl8re8V, T1);
    for f in 0..32 {
        a.imm(Op::Fld, f, S1, state::F + 8 * f as i64);
    }
    ld(a, T1, S1, state::FCSR);
    csrw(a, FCSR, T1);
    ld(a, T1, S1, state::VCSR);
    csrw(a, VCSR, T1);

    // Drops any reservation, so that none survives from run to run.
    a.imm(Op::Addi, T1, GP, control::SCRATCH);
    a.reg(Op::ScD, ZERO, T1, ZERO);
    ld(a, GP, T0, row::START);
    ld(a, RA, T0, row::RA);
    // As late as possible, because QEMU retranslates code for each vtype that it runs under.
    ld(a, T1, S1, state::AVL);
    ld(a, T2, T0, row::VTYPE);
    ld(a, T3, T0, row::VSTART);
    a.reg(Op::Vsetvl, ZERO, T1, T2);
    csrw(a, VSTART, T3);
    for x in (2..32).filter(|x| ![GP, S1].contains(x)) {
        ld(a, x, S1, state::X + 8 * x as i64);
    }
    ld(a, S1, S1, state::X + 8 * S1 as i64);
    a.imm(Op::Jalr, ZERO, GP, 0);
}

/// Stores x, f and CSRs after a program. Leaves in s0 where the vector registers go, and the job in t0.
pub fn leave(a: &mut Asm, whole: Label) {
    a.la(GP, CONTROL);
    ld(a, GP, GP, control::STORE);
    sd(a, T0, GP, job_result::X + 8 * T0 as i64);
    for (n, csr) in (0..).zip(CSRS) {
        csrr(a, T0, csr);
        sd(a, T0, GP, job_result::CSRS + 8 * n);
    }
    // The same vtype for everything that follows: see `enter`.
    a.op(Op::Vsetivli, |_| {});
    for x in (1..32).filter(|x| ![GP, T0].contains(x)) {
        sd(a, x, GP, job_result::X + 8 * x as i64);
    }
    for f in 0..32 {
        a.store(Op::Fsd, f, GP, job_result::F + 8 * f as i64);
    }
    a.imm(Op::Addi, S0, GP, job_result::V);
    a.la(S1, CONTROL);
    ld(a, T0, S1, control::JOB);
    ld(a, T1, T0, row::WHOLE);
    a.branch(Op::Bne, T1, ZERO, whole);
}
