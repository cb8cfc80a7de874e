//! A program with many traces, which end where others begin.
#![cfg(translates)]

use crate::common::{DATA, EAGER, Pair};
use capvec_isa::Op;
use capvec_jit::Options;
use capvec_sim::Stop;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::word;

/// Address of the code.
const LARGE: u64 = 0x100_0000;
/// Parts of the program, of two or three blocks each.
const PARTS: i64 = 6000;

/// Parts that add, load, store and branch, in alternating directions or always in the same, and a jump back to the first.
fn program() -> Vec<u8> {
    let mut words = Vec::new();
    for n in 0..PARTS {
        let slot = DATA as i64 + n * 40 % 4000;
        words.extend([
            word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (10, 10, n % 7)),
            word(Op::Lui, |d| (d.rd, d.imm) = (12, slot & !0xfff)),
            word(Op::Ld, |d| (d.rd, d.rs1, d.imm) = (13, 12, slot & 0x7f8)),
            word(Op::Add, |d| (d.rd, d.rs1, d.rs2) = (13, 13, 10)),
            word(Op::Sd, |d| (d.rs1, d.rs2, d.imm) = (12, 13, slot & 0x7f8)),
            word(Op::Andi, |d| (d.rd, d.rs1, d.imm) = (14, 13, n & 3)),
            word(Op::Bne, |d| (d.rs1, d.rs2, d.imm) = (14, 0, 8)),
            word(Op::Sub, |d| (d.rd, d.rs1, d.rs2) = (11, 11, 13)),
        ]);
    }
    words.push(word(Op::Jal, |d| d.imm = -(words.len() as i64 * 4)));
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

#[test]
fn a_large_program_runs_as_in_the_interpreter() {
    let code = program();
    for (core, code_bytes) in [("ideal", 16 << 20), ("karu64", 16 << 20), ("ux900", 2 << 20)] {
        let options = Options { hot_threshold: 3, code_bytes, ..EAGER };
        let mut pair = Pair::on(core, 128, options);
        pair.both(|h| {
            h.mem.map(LARGE, (code.len() as u64).next_multiple_of(PAGE), Perm(7)).expect("pages");
            h.mem.write(LARGE, &code).expect("they are writable");
            h.pc = LARGE;
        });
        for round in 0..400 {
            assert_eq!(pair.run(round * 7 % 3001), Stop::Budget, "{core}");
        }
        assert!(pair.jit.1.instret > PARTS as u64 * 7 * 8, "{core}");
        pair.compare_memory();
    }
}
