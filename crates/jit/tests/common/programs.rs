//! Random programs over the instruction table.

use super::campaign::LENGTH;
use capvec_isa::decode::decode;
use capvec_isa::op::OPS;
use capvec_isa::row::Row;
use capvec_isa::{Class, Decoded, ExtSet, Op, encode};
use capvec_sim::testing::{Rng, all_exts};

/// An instruction word of `op` with random operands, if one of the first tries is legal.
fn word(rng: &mut Rng, op: Op, at: u64) -> Option<u32> {
    let row = op.row();
    if row.class == Class::Branch || row.base == Op::Jal {
        // The target lies within the program.
        let target = rng.below(LENGTH * 2) as i64 * 2;
        let mut d = Decoded { imm: target - at as i64, ..Decoded::new(op) };
        (d.rd, d.rs1, d.rs2) = (0, rng.below(32) as u8, rng.below(32) as u8);
        return encode(&d).filter(|_| row.len == 4);
    }
    let word = any(rng, row)?;
    if !matches!(row.class, Class::Load | Class::Store) || row.len == 2 || rng.one_in(4) {
        return Some(word);
    }
    // Several accesses of a block share a base and lie close together.
    let mut d = decode(word, 64, all_exts().into_iter().collect()).ok()?;
    (d.rs1, d.imm) = (rng.pick(&[2, 8, 10, 20]), rng.below(96) as i64 - 32);
    encode(&d)
}

/// A legal instruction word of the row, if one of the first tries is legal.
fn any(rng: &mut Rng, row: &Row) -> Option<u32> {
    let all: ExtSet = all_exts().into_iter().collect();
    (0..8).find_map(|_| {
        let random = rng.next() as u32;
        let random = if row.len == 2 { random & 0xffff } else { random };
        let word = row.value | random & !row.mask;
        decode(word, 64, all).is_ok_and(|d| d.op == row.op).then_some(word)
    })
}

/// Operations for the tests of the scalar part; those that are translated are frequent.
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

/// An endless program of random instructions with these operations.
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

/// Number of instructions of a `words` program.
const WORDS: u64 = 150;

/// An endless program like those that compilers make from 32-bit arithmetic and rotations, in few registers, with calls and
/// loops: for instruction fusion, deferred shifts and register allocation.
pub fn words(rng: &mut Rng) -> Vec<u8> {
    let mut code = Words { rng, code: Vec::new() };
    while (code.code.len() as u64) < WORDS * 4 {
        code.piece();
    }
    let back = -(code.code.len() as i64);
    code.put(Op::Jal, [0, 0, 0], back);
    code.code
}

struct Words<'a> {
    rng: &'a mut Rng,
    code: Vec<u8>,
}

impl Words<'_> {
    fn put(&mut self, op: Op, [rd, rs1, rs2]: [u8; 3], imm: i64) {
        let d = Decoded { rd, rs1, rs2, imm, ..Decoded::new(op) };
        self.code.extend_from_slice(&encode(&d).expect("legal operands").to_le_bytes());
    }

    fn x(&mut self) -> u8 {
        self.rng.pick(&[1, 5, 6, 7, 8, 9, 10, 11, 12, 14, 28, 29, 30])
    }

    fn piece(&mut self) {
        let (a, b, c) = (self.x(), self.x(), self.x());
        let source = if self.rng.one_in(2) { a } else { self.x() };
        match self.rng.below(10) {
            0..2 => {
                let word = self.rng.one_in(2);
                let (left, right, bits) =
                    if word { (Op::Slliw, Op::Srliw, 32) } else { (Op::Slli, Op::Srli, 64) };
                let by = self.rng.below(bits) as i64;
                let other = if self.rng.one_in(8) { by } else { (bits as i64 - by) % bits as i64 };
                let (first, second) =
                    if self.rng.one_in(2) { (left, right) } else { (right, left) };
                self.put(first, [b, source, 0], by);
                self.maybe();
                self.put(second, [a, source, 0], other);
                self.maybe();
                let op = self.rng.pick(&[Op::Or, Op::Xor, Op::Add]);
                let registers = if self.rng.one_in(2) { [c, a, b] } else { [a, b, a] };
                self.put(op, registers, 0);
            }
            2 => {
                let by = self.rng.pick(&[32, 48, 56, 40]);
                self.put(Op::Slli, [a, source, 0], by);
                self.maybe();
                let less = self.rng.below(4) as i64;
                self.put(Op::Srli, [c, a, 0], by - less);
            }
            3 => {
                let by = self.rng.below(5) as i64;
                self.put(Op::Slli, [a, source, 0], by);
                self.maybe();
                self.put(Op::Add, [c, a, b], 0);
            }
            4 => {
                let back = -((self.code.len() as i64 / 4).min(40) * 4);
                let op = self.rng.pick(&[Op::Beq, Op::Bne, Op::Blt, Op::Bgeu]);
                let to = if self.rng.one_in(2) { 8 } else { back };
                self.put(op, [0, a, b], to);
            }
            6 => self.table(a, b, source),
            7 => {
                // Pointer arithmetic.
                let base = self.base();
                let by = self.rng.pick(&[1, 4, 8, -8, 1024, 2047]);
                let to = if self.rng.one_in(3) { self.base() } else { base };
                self.put(Op::Addi, [to, base, 0], by);
                self.access(a, to, by & 15);
            }
            5 if self.rng.one_in(3) => {
                // A call of a function of one instruction; the jump after the call skips the function.
                self.put(Op::Jal, [1, 0, 0], 8);
                self.put(Op::Jal, [0, 0, 0], 12);
                self.put(Op::Addw, [a, b, c], 0);
                self.put(Op::Jalr, [0, 1, 0], 0);
            }
            _ => self.maybe(),
        }
    }

    /// A table lookup: an index with a bound at or next to a power of two, scaled and added to a base.
    fn table(&mut self, a: u8, b: u8, source: u8) {
        let imm = self.rng.pick(&[255, 1020, 15, 2047, 0]);
        match self.rng.below(6) {
            0 => self.put(Op::Srliw, [a, source, 0], 22 + imm % 10),
            1 => self.put(Op::Srli, [a, source, 0], 54 + imm % 10),
            2 | 3 => {
                let op = self.rng.pick(&[Op::Srli, Op::Srliw]);
                let by = self.rng.below(32) as i64;
                self.put(op, [a, source, 0], by);
                self.put(Op::Andi, [a, a, 0], imm);
            }
            _ => self.put(Op::Andi, [a, source, 0], imm),
        }
        if self.rng.one_in(2) {
            self.put(Op::Slli, [a, a, 0], imm % 4);
        }
        let base = self.base();
        let pair = if self.rng.one_in(2) { [b, a, base] } else { [b, base, a] };
        let op = self.rng.pick(&[Op::Add, Op::Add, Op::Sh2add, Op::Sh3add]);
        self.put(op, pair, 0);
        if self.rng.one_in(3) {
            self.put(Op::Add, [b, b, a], 0);
        }
        for _ in 0..self.rng.below(3) {
            let offset = self.rng.pick(&[0, 1, 4, 1024, -8]);
            self.access(a, b, offset);
        }
    }

    /// Loads into `a`, or stores it.
    fn access(&mut self, a: u8, base: u8, offset: i64) {
        let op = self.rng.pick(&[Op::Lw, Op::Lbu, Op::Ld, Op::Sw, Op::Sb, Op::Lwu]);
        let store = matches!(op, Op::Sw | Op::Sb);
        self.put(op, if store { [0, base, a] } else { [a, base, 0] }, offset);
    }

    /// Another instruction, or none.
    fn maybe(&mut self) {
        let (a, b, c) = (self.x(), self.x(), self.x());
        let imm = self.rng.pick(&[-1, 0, 1, 255, 2047, -2048, 3]);
        match self.rng.below(9) {
            0..3 => {
                let ops = [Op::Addw, Op::Subw, Op::Xor, Op::Or, Op::And, Op::Add, Op::Mulw];
                let op = self.rng.pick(&ops);
                self.put(op, [a, b, c], 0);
            }
            3 => {
                let ops = [Op::Addi, Op::Addiw, Op::Xori, Op::Andi, Op::Ori, Op::Sltiu];
                let op = self.rng.pick(&ops);
                self.put(op, [a, b, 0], imm);
            }
            4 => {
                let op = self.rng.pick(&[Op::Lw, Op::Ld, Op::Lbu, Op::Flw]);
                let base = self.base();
                self.put(op, [a, base, 0], imm);
            }
            5 => {
                let op = self.rng.pick(&[Op::Sw, Op::Sd, Op::Sb]);
                let base = self.base();
                self.put(op, [0, base, a], imm);
            }
            6 => {
                let op = self.rng.pick(&[Op::Sraiw, Op::Srliw, Op::Slliw, Op::SextH, Op::Divu]);
                let by = if matches!(op, Op::SextH | Op::Divu) { 0 } else { imm & 31 };
                let rs2 = if op == Op::Divu { c } else { 0 };
                self.put(op, [a, b, rs2], by);
            }
            _ => {}
        }
    }

    /// Registers that programs seldom write.
    fn base(&mut self) -> u8 {
        self.rng.pick(&[2, 18, 13, 8])
    }
}
