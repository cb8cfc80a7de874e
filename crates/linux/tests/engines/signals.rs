//! Signals at any point.

use super::{FRAME_PC, SIGALRM, again, agree, all_cores};
use crate::common::asm::Asm;
use crate::common::{nr, reg};
use capvec_isa::{Decoded, Op};

/// The handler of the timer. Into the first word of `state` it hashes its whole frame: integer, floating-point and vector registers, vl,
/// vtype, vstart and pc of the interrupted code; the second word counts the signals.
fn handler(a: &mut Asm, state: u64) {
    a.label("handler");
    a.li(reg::T0, state);
    a.op(Op::Ld, reg::T1, reg::T0, 0, 0);
    a.li(reg::T2, 31);
    // mcontext, headers, and the vector record with 32 registers of 32 bytes.
    a.op(Op::Addi, reg::A3, reg::A2, 0, FRAME_PC);
    a.li(reg::A4, (256 + 528 + 64 + 1024) / 8);
    a.label("add up");
    a.op(Op::Ld, reg::T3, reg::A3, 0, 0);
    a.op(Op::Mul, reg::T1, reg::T1, reg::T2, 0);
    a.op(Op::Add, reg::T1, reg::T1, reg::T3, 0);
    a.op(Op::Addi, reg::A3, reg::A3, 0, 8);
    again(a, reg::A4, "add up");
    a.op(Op::Sd, 0, reg::T0, reg::T1, 0);
    a.op(Op::Ld, reg::T3, reg::T0, 0, 8);
    a.op(Op::Addi, reg::T3, reg::T3, 0, 1);
    a.op(Op::Sd, 0, reg::T0, reg::T3, 8);
    // Overwrites vector registers of the program: the return from the handler must restore them.
    a.push(Decoded { rd: reg::T0, imm: 0xd3, ..Decoded::new(Op::Vsetvli) });
    a.push(Decoded { rd: 8, imm: 3, ..Decoded::new(Op::VmvVI) });
    a.op(Op::Jalr, reg::ZERO, reg::RA, 0, 0);
}

/// A loop of all kinds of instructions, interrupted by a timer until its handler has run `signals` times. Prints the loop's state and the
/// hash of the frames.
fn interrupted(signals: u64) -> Asm {
    let vector = |op, rd, rs1, rs2| Decoded { rd, rs1, rs2, rs3: rd, ..Decoded::new(op) };
    let mut a = Asm::default();
    let state = a.data_words(&[0, 0]);
    // The interval in microseconds: longer than the handler takes on any core.
    let timer = a.data_words(&[0, 97, 0, 97]);
    let numbers = a.data(&(0..8192).map(|n| (n * n >> 3) as u8).collect::<Vec<_>>());
    handler(&mut a, state);
    a.label("start");
    a.handler(SIGALRM, "handler", 0);
    a.call(nr::SETITIMER, &[0, timer, 0]);
    a.li(reg::S0, numbers);
    a.li(reg::S1, state);
    a.li(reg::S2, signals);
    a.li(reg::S3, 12345);
    a.label("loop");
    a.op(Op::Andi, reg::S4, reg::S3, 0, 1023);
    a.op(Op::Add, reg::S4, reg::S4, reg::S0, 0);
    // SEW 32, LMUL 2, agnostic tail, vl below VLMAX.
    a.op(Op::Andi, reg::T0, reg::S3, 0, 15);
    a.push(Decoded { rd: reg::T0, rs1: reg::T0, imm: 0x51, ..Decoded::new(Op::Vsetvli) });
    a.push(vector(Op::Vle32V, 8, reg::S4, 0));
    a.push(vector(Op::VaddVv, 10, 8, 12));
    a.push(vector(Op::VmulVv, 12, 10, 8));
    a.op(Op::Fld, 3, reg::S4, 0, 5);
    a.op(Op::Ld, reg::T1, reg::S4, 0, 3);
    a.push(vector(Op::Vse32V, 12, reg::S4, 0));
    // SEW 32, LMUL 1: AES rounds on whole groups.
    a.push(Decoded { rd: 0, rs1: 8, imm: 0x50, ..Decoded::new(Op::Vsetivli) });
    for _ in 0..6 {
        a.push(vector(Op::VaesemVv, 14, 0, 12));
    }
    a.push(vector(Op::VxorVv, 12, 12, 14));
    a.op(Op::Sd, 0, reg::S4, reg::T1, 2041);
    a.op(Op::Slli, reg::T2, reg::S3, 0, 13);
    a.op(Op::Xor, reg::S3, reg::S3, reg::T2, 0);
    a.op(Op::Srli, reg::T2, reg::S3, 0, 7);
    a.op(Op::Xor, reg::S3, reg::S3, reg::T2, 0);
    a.op(Op::Ld, reg::T0, reg::S1, 0, 8);
    a.to(Op::Bltu, 0, reg::T0, reg::S2, "loop");
    a.op(Op::Ld, reg::S4, reg::S1, 0, 0);
    a.print(reg::S3);
    a.print(reg::S4);
    a.exit(0);
    a
}

#[test]
fn signals_at_any_point_see_precise_state() {
    agree(&interrupted(40), &all_cores(), &[37, 100_000]);
    agree(&interrupted(4), &["ideal"], &[1, 2, 3]);
}
