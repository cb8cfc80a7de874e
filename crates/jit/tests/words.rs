//! Results that are sign-extended words, or just look like them: every scalar instruction on values around the limits of words,
//! followed by instructions that give other results if a word is extended wrongly, or not at all.
#![cfg(translates)]

use crate::common::programs::scalar;
use crate::common::{DATA, EAGER, Pair};
use capvec_isa::{Class, Decoded, Op, encode};
use capvec_sim::testing::word;

const VALUES: [u64; 9] = [
    0,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x1_8000_0001,
    i32::MIN as u64,
    u64::MAX,
    1 << 63,
];

/// The result of the instruction that is tested: one register that generated code may keep in the host's, and one that is rare.
const RESULTS: [u8; 2] = [10, 22];

/// Instructions that read all of the result, or take it for a word.
fn consumers(rd: u8) -> Vec<u32> {
    let three = |op, to, a, b| word(op, |d| (d.rd, d.rs1, d.rs2) = (to, a, b));
    let imm = |op, to, a, imm| word(op, |d| (d.rd, d.rs1, d.imm) = (to, a, imm));
    vec![
        imm(Op::Addiw, 14, rd, 0),
        three(Op::Slt, 15, rd, 14),
        three(Op::Sltu, 16, 14, rd),
        three(Op::Xor, 17, rd, 14),
        imm(Op::Slti, 18, rd, -1),
        imm(Op::Andi, 19, rd, -256),
        three(Op::Addw, 20, rd, rd),
        three(Op::Or, 21, 20, rd),
        three(Op::Sltu, 23, 21, 20),
        imm(Op::Addi, 24, 21, 0),
        word(Op::Blt, |d| (d.rs1, d.rs2, d.imm) = (21, rd, 8)),
        imm(Op::Addi, 25, 24, 1),
        word(Op::Ebreak, |_| ()),
    ]
}

/// The same for an operation on vectors.
fn vector_consumers(rd: u8) -> Vec<u32> {
    vec![
        // Two elements of 64 bits.
        word(Op::Vsetivli, |d| (d.rs1, d.imm) = (2, 0x18)),
        word(Op::VmvVX, |d| (d.rd, d.rs1) = (8, rd)),
        word(Op::Ebreak, |_| ()),
    ]
}

/// The instruction with these operands, if they are legal.
fn producer(op: Op, rd: u8, imm: i64) -> Option<u32> {
    let row = op.row();
    let computes = matches!(row.class, Class::Alu | Class::Mul | Class::Div | Class::Load);
    let plain = row.base == op && row.len == 4 && computes;
    let rs1 = if row.class == Class::Load { 13 } else { 11 };
    encode(&Decoded { rd, rs1, rs2: 12, imm, ..Decoded::new(op) }).filter(|_| plain)
}

#[test]
fn results_at_the_limits_of_words() {
    with(consumers);
}

#[test]
fn results_at_the_limits_of_words_in_vectors() {
    with(vector_consumers);
}

fn with(consumers: fn(u8) -> Vec<u32>) {
    let mut pair = Pair::new(128, EAGER);
    let mut tested = 0;
    for op in scalar() {
        for (rd, imm) in RESULTS.into_iter().flat_map(|rd| [0, 1, 31, -1].map(|imm| (rd, imm))) {
            let Some(producer) = producer(op, rd, imm) else { continue };
            let words = [vec![producer], consumers(rd)].concat();
            pair.load(&words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>());
            let start = pair.jit.1.pc;
            for (a, b) in VALUES.iter().flat_map(|a| VALUES.map(|b| (*a, b))) {
                pair.both(|h| {
                    h.pc = start;
                    [(11, a), (12, b), (13, DATA + 64)].iter().for_each(|(x, v)| h.write_x(*x, *v));
                    h.mem
                        .write(DATA + 56, &[a, b, a].map(u64::to_le_bytes).concat())
                        .expect("data");
                });
                pair.run(100);
            }
            tested += 1;
        }
    }
    assert!(tested > 100, "{tested} instructions");
}
