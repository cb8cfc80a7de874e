//! The guest side: a program that runs jobs. A job runs a program from one state after another; memory carries over
//! from each run to the next. It leaves a result of everything after its only run, or a digest of what all its runs
//! leave.
//!
//! The signal handler records signal, si_code, si_addr and pc, and continues with the next instruction; if control
//! has left the program, it continues at the program's end. x3 belongs to the harness at a program's ends and is not
//! compared.

mod results;
mod run;
mod signals;

use crate::asm::{Asm, Label};
use crate::layout::{CONTROL, DATA, DATA_END, RESULT, WRITABLE, control};
use capvec_isa::Op;
use results::{digest, end_digest, end_whole};
use run::{begin, enter, leave};
use signals::handle;

/// Exit status of a guest that got more signals than fit in a result.
pub const TOO_MANY_SIGNALS: u64 = 99;

/// `struct sigaction` flags: SA_SIGINFO, SA_ONSTACK, SA_NODEFER.
pub const ACTION_FLAGS: u64 = 4 | 0x0800_0000 | 0x4000_0000;
/// SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV.
const SIGNALS: [u64; 5] = [4, 5, 7, 8, 11];

/// System call numbers (Linux `include/uapi/asm-generic/unistd.h`).
mod call {
    pub const WRITE: u64 = 64;
    pub const EXIT: u64 = 93;
    pub const SIGALTSTACK: u64 = 132;
    pub const SIGACTION: u64 = 134;
    pub const MUNMAP: u64 = 215;
    pub const MMAP: u64 = 222;
    pub const MPROTECT: u64 = 226;
}

const VLENB: i64 = 0xc22;

const ZERO: u8 = 0;
const RA: u8 = 1;
const GP: u8 = 3;
const T0: u8 = 5;
const T1: u8 = 6;
const T2: u8 = 7;
const S0: u8 = 8;
const S1: u8 = 9;
const A0: u8 = 10;
const A1: u8 = 11;
const A2: u8 = 12;
const A3: u8 = 13;
const A4: u8 = 14;
const A5: u8 = 15;
const A7: u8 = 17;
const T3: u8 = 28;
const T4: u8 = 29;
const T5: u8 = 30;
const T6: u8 = 31;

/// The harness's code and addresses.
pub struct Harness {
    /// Code for `layout::CODE`.
    pub code: Vec<u8>,
    /// Where programs continue at their end.
    pub done: u64,
    /// The signal handler.
    pub handler: u64,
}

/// Assembles the harness for `base`, its entry point.
pub fn assemble(base: u64) -> Harness {
    let mut a = Asm::new(base);
    let (next, again, finish, copy) = (a.label(), a.label(), a.label(), a.label());
    set_up(&mut a, copy);
    a.bind(next);
    begin(&mut a, finish, copy);
    a.bind(again);
    enter(&mut a);
    let done = a.here();
    let whole = a.label();
    leave(&mut a, whole);
    digest(&mut a, again);
    end_digest(&mut a, next, copy);
    a.bind(whole);
    end_whole(&mut a, next, copy);
    a.bind(finish);
    write_out(&mut a);
    a.bind(copy);
    copy_memory(&mut a);
    let handler = a.here();
    handle(&mut a);
    Harness { code: a.finish(), done, handler }
}

fn ld(a: &mut Asm, rd: u8, rs1: u8, at: i64) {
    a.imm(Op::Ld, rd, rs1, at);
}

fn sd(a: &mut Asm, rs2: u8, rs1: u8, at: i64) {
    a.store(Op::Sd, rs2, rs1, at);
}

fn csrr(a: &mut Asm, rd: u8, csr: i64) {
    a.imm(Op::Csrrs, rd, ZERO, csr);
}

fn csrw(a: &mut Asm, csr: i64, rs1: u8) {
    a.imm(Op::Csrrw, ZERO, rs1, csr);
}

fn ecall(a: &mut Asm, number: u64) {
    a.li(A7, number);
    a.op(Op::Ecall, |_| {});
}

fn set_up(a: &mut Asm, copy: Label) {
    a.la(A0, CONTROL + control::STACK as u64);
    a.li(A1, 0);
    ecall(a, call::SIGALTSTACK);
    for signal in SIGNALS {
        a.li(A0, signal);
        a.la(A1, CONTROL + control::ACTION as u64);
        a.li(A2, 0);
        a.li(A3, 8);
        ecall(a, call::SIGACTION);
    }
    map_data(a, copy);
}

/// Maps and fills the data pages. Maps one more page temporarily, because the copy routine has a fixed length.
fn map_data(a: &mut Asm, copy: Label) {
    /// `PROT_READ`, `PROT_WRITE`; `MAP_PRIVATE`, `MAP_FIXED`, `MAP_ANONYMOUS`.
    const READ: u64 = 1;
    const WRITE: u64 = 2;
    const FLAGS: u64 = 0x02 | 0x10 | 0x20;
    a.li(A0, DATA);
    a.li(A1, 2 * WRITABLE);
    a.li(A2, READ | WRITE);
    a.li(A3, FLAGS);
    // No file, offset 0.
    a.imm(Op::Addi, A4, ZERO, -1);
    a.li(A5, 0);
    ecall(a, call::MMAP);
    a.la(GP, CONTROL);
    for (from, to) in [(control::IMAGE, DATA), (control::READ_ONLY, DATA + WRITABLE)] {
        ld(a, T1, GP, from);
        a.li(S0, to);
        a.branch(Op::Jal, RA, 0, copy);
    }
    a.li(A0, DATA_END);
    a.li(A1, DATA + 2 * WRITABLE - DATA_END);
    ecall(a, call::MUNMAP);
    a.li(A0, DATA + WRITABLE);
    a.li(A1, DATA_END - DATA - WRITABLE);
    a.li(A2, READ);
    ecall(a, call::MPROTECT);
}

/// Loads or stores all vector registers from address `at`, which is advanced past them. Clobbers t2.
fn vectors(a: &mut Asm, op: Op, at: u8) {
    csrr(a, T2, VLENB);
    a.imm(Op::Slli, T2, T2, 3);
    for reg in [0, 8, 16, 24] {
        a.op(op, |d| (d.rd, d.rs3, d.rs1) = (reg, reg, at));
        a.reg(Op::Add, at, at, T2);
    }
}

/// Writes all results to standard output and exits.
fn write_out(a: &mut Asm) {
    let (more, failed) = (a.label(), a.label());
    a.la(S0, RESULT);
    a.la(GP, CONTROL);
    ld(a, S1, GP, control::RESULT);
    a.bind(more);
    a.li(A0, 1);
    a.reg(Op::Add, A1, S0, ZERO);
    a.reg(Op::Sub, A2, S1, S0);
    ecall(a, call::WRITE);
    a.branch(Op::Bge, ZERO, A0, failed);
    a.reg(Op::Add, S0, S0, A0);
    a.branch(Op::Bltu, S0, S1, more);
    a.bind(failed);
    // 0 if everything was written.
    a.reg(Op::Sltu, A0, S0, S1);
    ecall(a, call::EXIT);
}

/// Copies the writable memory from t1 to s0. Clobbers v0 to v7, t2 and t3.
fn copy_memory(a: &mut Asm) {
    let more = a.label();
    csrr(a, T2, VLENB);
    a.imm(Op::Slli, T2, T2, 3);
    a.li(T3, WRITABLE);
    a.reg(Op::Add, T3, T3, T1);
    a.bind(more);
    a.op(Op::Vl8re8V, |d| d.rs1 = T1);
    a.op(Op::Vs8rV, |d| d.rs1 = S0);
    a.reg(Op::Add, T1, T1, T2);
    a.reg(Op::Add, S0, S0, T2);
    a.branch(Op::Bltu, T1, T3, more);
    a.imm(Op::Jalr, ZERO, RA, 0);
}
