//! The guest side without an operating system: cases run in user mode, one after the other, and the trap handler
//! continues with the next instruction. Nothing is recorded: the log of every instruction shows what each left.
//! Vector registers and CSRs are stored after each case so that the log shows them, too.

use crate::asm::{Asm, Label};
use crate::case::Case;
use crate::elf::{Segment, write};
use crate::layout::{CODE, CONTROL, DATA, DATA_END, PAGE, TABLE, state};
use crate::link::state_image;
use capvec_isa::Op;

/// Bytes of memory from 0x80000000 on, where stray accesses do no harm; also the limit for segments.
pub const MEMORY: u64 = 64 << 20;
/// The word that reports the end of the program, in a page of its own.
const TOHOST: u64 = CONTROL - PAGE;
/// Offsets from `CONTROL`: the current row, the end of the rows, two registers of the handler, then the vectors.
const ROW: i64 = 0;
const END: i64 = 8;
const SAVED: [i64; 2] = [16, 24];
const VECTORS: u64 = 64;

/// Offsets in a row: program, state, vtype, vstart.
const PROGRAM: i64 = 0;
const STATE: i64 = 8;
const VTYPE: i64 = 16;
const START: i64 = 24;
const ROW_SIZE: u64 = 32;

const FCSR: i64 = 0x003;
const VSTART: i64 = 0x008;
const VCSR: i64 = 0x00f;
const VL: i64 = 0xc20;
const VTYPE_CSR: i64 = 0xc21;
const MSTATUS: i64 = 0x300;
const MTVEC: i64 = 0x305;
const MCOUNTEREN: i64 = 0x306;
const MENVCFG: i64 = 0x30a;
const MEPC: i64 = 0x341;
const MCAUSE: i64 = 0x342;
const MTVAL: i64 = 0x343;
/// FS and VS dirty, MPP user mode.
const UNITS_ON: u64 = 3 << 13 | 3 << 9;
/// All of `cbo.*` for user mode (CBIE, CBCFE, CBZE).
const CACHE_BLOCKS: u64 = 3 << 4 | 1 << 6 | 1 << 7;
/// `mcause` of an environment call from user mode.
const CALL: u64 = 8;

const ZERO: u8 = 0;
const GP: u8 = 3;
const T0: u8 = 5;
const T1: u8 = 6;
const S0: u8 = 8;

/// A program for a hart without an operating system.
pub struct Linked {
    /// The ELF file.
    pub elf: Vec<u8>,
    /// The first instruction of each case.
    pub starts: Vec<u64>,
    /// The harness's instruction at which a case begins.
    pub next: u64,
    /// The address at which execution ends.
    pub end: u64,
    /// Up to this address the log shows the results of the previous case.
    pub logged_until: u64,
}

/// Links cases into a program, with these contents of `layout::DATA`.
pub fn link(cases: &[Case], memory: &[u8], vlenb: u64) -> Linked {
    let mut a = Asm::new(CODE);
    let (next, finish) = (a.label(), a.label());
    handle(&mut a, next);
    let entry = a.here();
    set_up(&mut a);
    let at_next = a.here();
    a.bind(next);
    log_results(&mut a, vlenb);
    let logged_until = a.here();
    begin(&mut a, finish, vlenb);
    a.bind(finish);
    let end = finish_all(&mut a);
    let starts: Vec<u64> = cases.iter().map(|case| program(&mut a, case)).collect();
    let code = a.finish();
    let table = table(cases, &starts, vlenb);
    let rows = TABLE + cases.len() as u64 * ROW_SIZE;
    let control: Vec<u8> = [TABLE, rows].iter().flat_map(|v| v.to_le_bytes()).collect();
    let segment = |addr, bytes, memory| Segment { addr, bytes, memory, flags: 7 };
    let segments = [
        segment(DATA, memory, DATA_END - DATA),
        segment(CODE, &code, code.len() as u64),
        segment(TOHOST, &[], PAGE),
        segment(CONTROL, &control, VECTORS + 32 * vlenb),
        segment(TABLE, &table, table.len() as u64),
    ];
    Linked {
        elf: write(entry, &segments, &[("tohost", TOHOST), ("fromhost", TOHOST + 64)]),
        starts,
        next: at_next,
        end,
        logged_until,
    }
}

fn csrr(a: &mut Asm, rd: u8, csr: i64) {
    a.imm(Op::Csrrs, rd, ZERO, csr);
}

fn csrw(a: &mut Asm, csr: i64, rs1: u8) {
    a.imm(Op::Csrrw, ZERO, rs1, csr);
}

/// The trap handler: continues with the next instruction, or after an environment call with the next case. It owns
/// x3.
fn handle(a: &mut Asm, next: Label) {
    let short = a.label();
    for (reg, at) in [T0, T1].into_iter().zip(SAVED) {
        a.store(Op::Sd, reg, GP, at);
    }
    csrr(a, T0, MCAUSE);
    a.li(T1, CALL);
    a.branch(Op::Beq, T0, T1, next);
    csrr(a, T1, MTVAL);
    // Vector instructions that trap set vstart.
    csrr(a, T1, VSTART);
    csrr(a, T0, MEPC);
    a.imm(Op::Lhu, T1, T0, 0);
    a.imm(Op::Andi, T1, T1, 3);
    a.imm(Op::Addi, T1, T1, -3);
    a.imm(Op::Addi, T0, T0, 2);
    a.branch(Op::Bne, T1, ZERO, short);
    a.imm(Op::Addi, T0, T0, 2);
    a.bind(short);
    csrw(a, MEPC, T0);
    for (reg, at) in [T0, T1].into_iter().zip(SAVED) {
        a.imm(Op::Ld, reg, GP, at);
    }
    a.op(Op::Mret, |_| {});
}

fn set_up(a: &mut Asm) {
    a.la(T0, CODE);
    csrw(a, MTVEC, T0);
    a.li(T0, UNITS_ON);
    csrw(a, MSTATUS, T0);
    a.li(T0, 7);
    csrw(a, MCOUNTEREN, T0);
    a.li(T0, CACHE_BLOCKS);
    csrw(a, MENVCFG, T0);
    a.la(GP, CONTROL);
}

/// Loads or stores all vector registers from address `at`, which is advanced past them.
fn vectors(a: &mut Asm, op: Op, at: u8, vlenb: u64) {
    for reg in [0, 8, 16, 24] {
        a.op(op, |d| (d.rd, d.rs3, d.rs1) = (reg, reg, at));
        a.li(T0, 8 * vlenb);
        a.reg(Op::Add, at, at, T0);
    }
}

/// Logs what the last case left.
fn log_results(a: &mut Asm, vlenb: u64) {
    for csr in [FCSR, VSTART, VL, VTYPE_CSR, VCSR] {
        csrr(a, T0, csr);
    }
    csrw(a, VSTART, ZERO);
    a.la(T1, CONTROL + VECTORS);
    vectors(a, Op::Vs8rV, T1, vlenb);
}

/// Enters the next case in user mode.
fn begin(a: &mut Asm, finish: Label, vlenb: u64) {
    a.imm(Op::Ld, T1, GP, ROW);
    a.imm(Op::Ld, T0, GP, END);
    a.branch(Op::Beq, T1, T0, finish);
    a.imm(Op::Addi, T0, T1, ROW_SIZE as i64);
    a.store(Op::Sd, T0, GP, ROW);
    a.imm(Op::Ld, T0, T1, PROGRAM);
    csrw(a, MEPC, T0);
    a.imm(Op::Ld, S0, T1, STATE);
    for f in 0..32 {
        a.imm(Op::Fld, f, S0, state::F + 8 * f as i64);
    }
    for (csr, at) in [(FCSR, state::FCSR), (VCSR, state::VCSR)] {
        a.imm(Op::Ld, T0, S0, at);
        csrw(a, csr, T0);
    }
    // x9 is loaded below.
    const S1: u8 = 9;
    a.imm(Op::Addi, S1, S0, state::V);
    vectors(a, Op::Vl8re8V, S1, vlenb);
    a.imm(Op::Ld, T0, S0, state::AVL);
    a.imm(Op::Ld, S1, T1, VTYPE);
    a.reg(Op::Vsetvl, ZERO, T0, S1);
    a.imm(Op::Ld, T0, T1, START);
    csrw(a, VSTART, T0);
    for x in (1..32).filter(|x| ![GP, S0].contains(x)) {
        a.imm(Op::Ld, x, S0, state::X + 8 * x as i64);
    }
    a.imm(Op::Ld, S0, S0, state::X + 8 * S0 as i64);
    a.op(Op::Mret, |_| {});
}

/// Reports the end and waits until it is noticed; returns the address of the wait.
fn finish_all(a: &mut Asm) -> u64 {
    let forever = a.label();
    a.la(T1, TOHOST);
    a.li(T0, 1);
    a.store(Op::Sd, T0, T1, 0);
    let end = a.here();
    a.bind(forever);
    a.branch(Op::Jal, ZERO, ZERO, forever);
    end
}

/// Appends a case's program; returns its address.
fn program(a: &mut Asm, case: &Case) -> u64 {
    let start = a.here();
    case.words.iter().for_each(|w| a.word(*w));
    // An illegal word may be longer than two bytes.
    a.op(Op::CNop, |_| {});
    a.op(Op::Ecall, |_| {});
    a.op(Op::Ecall, |_| {});
    while !a.here().is_multiple_of(4) {
        a.op(Op::CNop, |_| {});
    }
    start
}

/// The rows, then the states.
fn table(cases: &[Case], starts: &[u64], vlenb: u64) -> Vec<u8> {
    let states = TABLE + cases.len() as u64 * ROW_SIZE;
    let mut out = Vec::new();
    for (n, (case, start)) in (0..).zip(cases.iter().zip(starts)) {
        let row = [*start, states + n * state::size(vlenb), case.csrs.vtype, case.csrs.vstart];
        row.iter().for_each(|v| out.extend(v.to_le_bytes()));
    }
    cases.iter().for_each(|c| state_image(&c.registers, &c.csrs, &mut out));
    out
}
