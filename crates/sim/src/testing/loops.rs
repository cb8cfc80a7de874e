//! Loops for measuring the speed of engines.

use super::{config, word};
use crate::Hart;
use crate::hart::{Agnostic, Config};
use crate::mem::{Memory, PAGE, Perm};
use capvec_isa::{Decoded, Ext, Op};
use std::sync::Arc;

const CODE: u64 = 0x10000;
const DATA: u64 = 0x20000;

fn insn(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> u32 {
    word(op, |d| *d = Decoded { rd, rs1, rs2, imm, ..*d })
}

/// A mix as in software cryptography: loads, shifts, exclusive ors, additions, a store, a backward branch.
pub fn mixed() -> Vec<u32> {
    vec![
        insn(Op::Lw, 5, 10, 0, 0),
        insn(Op::Addi, 5, 5, 0, 3),
        insn(Op::Xor, 6, 6, 5, 0),
        insn(Op::Slli, 7, 6, 0, 13),
        insn(Op::Srli, 8, 6, 0, 5),
        insn(Op::Or, 7, 7, 8, 0),
        insn(Op::Sw, 0, 10, 7, 4),
        insn(Op::Addi, 11, 11, 0, -1),
        insn(Op::Bne, 0, 11, 0, -32),
        insn(Op::Jal, 0, 0, 0, -36),
    ]
}

/// Blocks of one to three instructions, with half of the conditional branches taken.
pub fn branchy() -> Vec<u32> {
    vec![
        insn(Op::Addi, 5, 5, 0, 1),
        insn(Op::Andi, 6, 5, 0, 1),
        insn(Op::Beq, 0, 6, 0, 8),
        insn(Op::Addi, 7, 7, 0, 1),
        insn(Op::Andi, 6, 5, 0, 2),
        insn(Op::Bne, 0, 6, 0, 8),
        insn(Op::Addi, 8, 8, 0, 1),
        insn(Op::Jal, 0, 0, 0, -28),
    ]
}

/// Calls and returns through registers.
pub fn calls() -> Vec<u32> {
    vec![
        insn(Op::Auipc, 6, 0, 0, 0),
        insn(Op::Addi, 12, 12, 0, 1),
        insn(Op::Jalr, 1, 6, 0, 16),
        insn(Op::Jal, 0, 0, 0, -8),
        insn(Op::Xor, 13, 13, 12, 0),
        insn(Op::Jalr, 0, 1, 0, 0),
    ]
}

/// Permutations by `vkeccak.vi` of Zvknhk 0.2, of as many element groups as LMUL 8 holds.
pub fn keccak() -> Vec<u32> {
    // VLMAX elements of 64 bits, LMUL 8.
    let vset = word(Op::Vsetvli, |d| *d = Decoded { rd: 5, imm: 0x1b, ..*d });
    vec![
        vset,
        insn(Op::VkeccakViZvknhk0p2, 0, 0, 0, 0),
        insn(Op::Addi, 11, 11, 0, -1),
        insn(Op::Jal, 0, 0, 0, -8),
    ]
}

/// A hart at the first instruction of a loop.
pub fn hart(code: &[u32]) -> Hart {
    hart_with(config(&[Ext::M], 128, Agnostic::Undisturbed), code)
}

/// A hart of this configuration at the first instruction of a loop.
pub fn hart_with(config: Config, code: &[u32]) -> Hart {
    let mem = Memory::new().expect("an address space");
    mem.map(CODE, PAGE, Perm(7)).expect("pages");
    mem.map(DATA, PAGE, Perm::RW).expect("pages");
    let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write(CODE, &bytes).expect("the code fits");
    let mut h = Hart::new(Arc::new(config), mem);
    h.pc = CODE;
    h.write_x(10, DATA);
    h
}
