//! The guest side: a program that runs jobs. A job runs a program from one state after another; memory carries over
//! from each run to the next. It leaves a record of everything after its only run, or a digest of what all its runs
//! leave.
//!
//! The signal handler records signal, si_code, si_addr and pc, and continues with the next instruction; if control
//! has left the program, it continues at the program's end. x3 belongs to the harness at a program's ends and is not
//! compared.

use crate::asm::{Asm, Label};
use crate::layout::{CONTROL, DATA, DATA_END, RESULT, WRITABLE, control, record, row, state};
use capvec_isa::Op;

/// Exit status of a guest that got more signals than fit in a record.
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

/// Offset of pc in `ucontext_t`, si_code and si_addr in `siginfo_t` (Linux, riscv).
const UCONTEXT_PC: i64 = 176;
const SI_CODE: i64 = 8;
const SI_ADDR: i64 = 16;

/// CSR numbers in the order of the record.
const CSRS: [i64; 5] = [0x003, 0x008, 0xc20, 0xc21, 0x00f];
const VSTART: i64 = 0x008;
const FCSR: i64 = 0x003;
const VCSR: i64 = 0x00f;
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

/// Starts the next job: sets up its memory and an empty record.
fn begin(a: &mut Asm, finish: Label, copy: Label) {
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
    ld(a, A0, S1, control::RECORD);
    sd(a, ZERO, A0, record::SIGNALS);
    a.imm(Op::Addi, A0, A0, record::OUTCOME);
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
fn enter(a: &mut Asm) {
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
fn leave(a: &mut Asm, whole: Label) {
    a.la(GP, CONTROL);
    ld(a, GP, GP, control::STORE);
    sd(a, T0, GP, record::X + 8 * T0 as i64);
    for (n, csr) in (0..).zip(CSRS) {
        csrr(a, T0, csr);
        sd(a, T0, GP, record::CSRS + 8 * n);
    }
    // The same vtype for everything that follows: see `enter`.
    a.op(Op::Vsetivli, |_| {});
    for x in (1..32).filter(|x| ![GP, T0].contains(x)) {
        sd(a, x, GP, record::X + 8 * x as i64);
    }
    for f in 0..32 {
        a.store(Op::Fsd, f, GP, record::F + 8 * f as i64);
    }
    a.imm(Op::Addi, S0, GP, record::V);
    a.la(S1, CONTROL);
    ld(a, T0, S1, control::JOB);
    ld(a, T1, T0, row::WHOLE);
    a.branch(Op::Bne, T1, ZERO, whole);
}

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
fn digest(a: &mut Asm, again: Label) {
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

/// Completes a digest with the memory, stores it in the record, and restores the memory.
fn end_digest(a: &mut Asm, next: Label, copy: Label) {
    let keep = a.label();
    prepare_fold(a);
    ld(a, T1, S1, control::DATA);
    a.li(T3, WRITABLE);
    a.reg(Op::Add, T3, T3, T1);
    fold_memory(a);
    a.op(Op::Vsetivli, |_| {});
    ld(a, A0, S1, control::RECORD);
    ld(a, T1, A0, record::SIGNALS);
    a.imm(Op::Slli, T3, T1, 3);
    a.imm(Op::Slli, T4, T1, 4);
    a.reg(Op::Add, A0, A0, T3);
    a.reg(Op::Add, A0, A0, T4);
    a.imm(Op::Addi, A0, A0, record::SIGNAL);
    a.op(Op::Vs8rV, |d| d.rs1 = A0);
    a.reg(Op::Add, A0, A0, T2);
    ld(a, T1, T0, row::KEEP);
    a.branch(Op::Bne, T1, ZERO, keep);
    restore(a, copy);
    a.bind(keep);
    next_job(a, next);
}

/// Stores vector registers and memory at s0, and restores the memory.
fn end_whole(a: &mut Asm, next: Label, copy: Label) {
    vectors(a, Op::Vs8rV, S0);
    ld(a, T1, S1, control::DATA);
    a.branch(Op::Jal, RA, 0, copy);
    ld(a, A0, S1, control::RECORD);
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

/// Continues with the job after t0, whose record is at a0.
fn next_job(a: &mut Asm, next: Label) {
    sd(a, A0, S1, control::RECORD);
    a.imm(Op::Addi, T0, T0, row::SIZE as i64);
    sd(a, T0, S1, control::JOB);
    a.branch(Op::Jal, ZERO, 0, next);
}

/// Writes all records to standard output and exits.
fn write_out(a: &mut Asm) {
    let (more, failed) = (a.label(), a.label());
    a.la(S0, RESULT);
    a.la(GP, CONTROL);
    ld(a, S1, GP, control::RECORD);
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

/// The handler; a0 is the signal, a1 `siginfo_t`, a2 `ucontext_t`.
fn handle(a: &mut Asm) {
    let (room, outside, set) = (a.label(), a.label(), a.label());
    a.la(T0, CONTROL);
    ld(a, T1, T0, control::RECORD);
    ld(a, T2, T1, record::SIGNALS);
    ld(a, T5, T0, control::JOB);
    ld(a, T3, T5, row::LIMIT);
    a.branch(Op::Bltu, T2, T3, room);
    a.li(A0, TOO_MANY_SIGNALS);
    ecall(a, call::EXIT);
    a.bind(room);
    a.imm(Op::Addi, T3, T2, 1);
    sd(a, T3, T1, record::SIGNALS);
    a.imm(Op::Slli, T3, T2, 3);
    a.imm(Op::Slli, T4, T2, 4);
    a.reg(Op::Add, T3, T3, T4);
    a.reg(Op::Add, T3, T3, T1);
    a.imm(Op::Lw, T4, A1, SI_CODE);
    a.imm(Op::Slli, T4, T4, 32);
    a.reg(Op::Or, T4, T4, A0);
    sd(a, T4, T3, record::SIGNAL);
    ld(a, T4, A1, SI_ADDR);
    sd(a, T4, T3, record::SIGNAL + 8);
    ld(a, T6, A2, UCONTEXT_PC);
    sd(a, T6, T3, record::SIGNAL + 16);

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
