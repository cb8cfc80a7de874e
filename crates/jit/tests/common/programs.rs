//! Random programs over the instruction table.

use super::campaign::LENGTH;
use capvec_isa::decode::decode;
use capvec_isa::op::OPS;
use capvec_isa::row::Row;
use capvec_isa::{Class, Decoded, Ext, ExtSet, Op, encode};
use capvec_sim::testing::Rng;

/// A word of `op` with random operands, if the first tries give a legal one.
fn word(rng: &mut Rng, op: Op, at: u64) -> Option<u32> {
    let row = op.row();
    if row.class == Class::Branch || row.base == Op::Jal {
        // Within the program.
        let target = rng.below(LENGTH * 2) as i64 * 2;
        let mut d = Decoded { imm: target - at as i64, ..Decoded::new(op) };
        (d.rd, d.rs1, d.rs2) = (0, rng.below(32) as u8, rng.below(32) as u8);
        return encode(&d).filter(|_| row.len == 4);
    }
    let word = any(rng, row)?;
    if !matches!(row.class, Class::Load | Class::Store) || row.len == 2 || rng.one_in(4) {
        return Some(word);
    }
    // Several accesses of a block share their base, and lie near each other.
    let mut d = decode(word, 64, Ext::all().collect()).ok()?;
    (d.rs1, d.imm) = (rng.pick(&[2, 8, 10, 20]), rng.below(96) as i64 - 32);
    encode(&d)
}

/// A legal word of the row, if the first tries give one.
fn any(rng: &mut Rng, row: &Row) -> Option<u32> {
    let all: ExtSet = Ext::all().collect();
    (0..8).find_map(|_| {
        let random = rng.next() as u32;
        let random = if row.len == 2 { random & 0xffff } else { random };
        let word = row.value | random & !row.mask;
        decode(word, 64, all).is_ok_and(|d| d.op == row.op).then_some(word)
    })
}

/// What the tests of the scalar part pick from: instructions that the translator knows come often.
pub fn scalar() -> Vec<Op> {
    let known = |op: &Op| {
        let class = op.row().class;
        use Class::{Aes, Alu, Branch, Clmul, Jump, Load, Mul, Sha2, Sm3, Sm4, Store};
        let plain = matches!(class, Alu | Branch | Jump | Load | Mul | Store);
        (plain || matches!(class, Aes | Clmul | Sha2 | Sm3 | Sm4)) && op.row().xlen != 32
    };
    OPS.iter().copied().filter(known).collect()
}

/// The whole table.
pub fn all() -> Vec<Op> {
    OPS.iter().copied().filter(|op| op.row().xlen != 32).collect()
}

/// A program of such instructions, for ever.
pub fn program(rng: &mut Rng, ops: &[Op]) -> Vec<u8> {
    let mut code = Vec::new();
    while (code.len() as u64) < LENGTH * 4 {
        let op = rng.pick(ops);
        let Some(word) = word(rng, op, code.len() as u64) else { continue };
        code.extend_from_slice(&word.to_le_bytes()[..op.row().len as usize]);
    }
    // Back to the start.
    let back = Decoded { imm: -(code.len() as i64), ..Decoded::new(Op::Jal) };
    code.extend_from_slice(&encode(&back).expect("a near jump").to_le_bytes());
    code
}
