//! The signal handler.

use super::*;
use crate::layout::{job_result, row};

/// Offset of pc in `ucontext_t`, si_code and si_addr in `siginfo_t` (Linux, riscv).
const UCONTEXT_PC: i64 = 176;
const SI_CODE: i64 = 8;
const SI_ADDR: i64 = 16;

/// The handler; a0 is the signal, a1 `siginfo_t`, a2 `ucontext_t`.
pub fn handle(a: &mut Asm) {
    let (room, outside, set) = (a.label(), a.label(), a.label());
    a.la(T0, CONTROL);
    ld(a, T1, T0, control::RESULT);
    ld(a, T2, T1, job_result::SIGNALS);
    ld(a, T5, T0, control::JOB);
    ld(a, T3, T5, row::LIMIT);
    a.branch(Op::Bltu, T2, T3, room);
    a.li(A0, TOO_MANY_SIGNALS);
    ecall(a, call::EXIT);
    a.bind(room);
    a.imm(Op::Addi, T3, T2, 1);
    sd(a, T3, T1, job_result::SIGNALS);
    a.imm(Op::Slli, T3, T2, 3);
    a.imm(Op::Slli, T4, T2, 4);
    a.reg(Op::Add, T3, T3, T4);
    a.reg(Op::Add, T3, T3, T1);
    a.imm(Op::Lw, T4, A1, SI_CODE);
    a.imm(Op::Slli, T4, T4, 32);
    a.reg(Op::Or, T4, T4, A0);
    sd(a, T4, T3, job_result::SIGNAL);
    ld(a, T4, A1, SI_ADDR);
    sd(a, T4, T3, job_result::SIGNAL + 8);
    ld(a, T6, A2, UCONTEXT_PC);
    sd(a, T6, T3, job_result::SIGNAL + 16);

    ld(a, T4, T5, row::START);
    a.branch(Op::Bltu, T6, T4, outside);
    ld(a, T4, T5, row::END);
    a.branch(Op::Bgeu, T6, T4, outside);
    a.imm(Op::Lhu, T4, T6, 0);
    a.imm(Op::Andi, T4, T4, 3);
    a.li(T3, 3);
    a.imm(Op::Addi, T6, T6, 2);
    a.branch(Op::Bne, T4, T3, set);
    a.imm(Op::Addi, T6, T6, 2);
    a.branch(Op::Jal, ZERO, 0, set);
    a.bind(outside);
    ld(a, T6, T5, row::LEAVE);
    a.bind(set);
    sd(a, T6, A2, UCONTEXT_PC);
    a.imm(Op::Jalr, ZERO, RA, 0);
}
