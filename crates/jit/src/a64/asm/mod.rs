//! The assembler: appends A64 instructions (`encode`, `memory`, `vector`, `lanes`), and resolves labels and literals at the end.
//!
//! Everything that depends on the engine or the address space, such as a host address, is a literal: 64 bits after the code, which
//! an instruction loads. So the code itself can be placed anywhere.

mod encode;
mod lanes;
mod memory;
#[cfg(test)]
mod tests;
mod vector;

use crate::interface::relocation::{Refers, Relocation};
pub use encode::{
    Cond, Op2, Op3, OpField, OpImm, OpMask, OpSelect, OpWide, Reg, SP, Shift, Width, ZR, add_uxtw,
    b, blr, br, extr, field, madd, msub, op_imm, op2, op3, op3_shifted, ret, rev, select,
};
use encode::{b_cond, cbnz, cbz, op_mask, wide};
pub use lanes::{
    Lanes, Op3V, OpBits, OpLeft, OpRight, Quad, middle, negate, op3_bits, op3_lanes, pmull_high,
    reverse_bits, reverse_bytes, shift_left, shift_right, splat,
};
use memory::literal;
pub use memory::{Pair, Transfer, indexed};
pub use vector::{
    Aes, V, aes, count_bytes, from_high, from_vector, pmull, sum_bytes, table, to_high, to_vector,
    zero,
};

/// The code could not be encoded: something is too far away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unencodable;

/// A position in the code, which may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u32);

/// A jump or load that refers to a position.
#[derive(Clone, Copy)]
enum Reference {
    Jump,
    If(Cond),
    IfZero(Width, Reg),
    IfNot(Width, Reg),
    Load(Reg),
}

/// Code under construction.
#[derive(Default)]
pub struct Asm {
    words: Vec<u32>,
    /// Positions of labels, in words.
    labels: Vec<Option<u32>>,
    references: Vec<(u32, Label, Reference)>,
    /// Literals, with the labels of their positions.
    literals: Vec<(u64, Refers, Label)>,
    /// An operand could not be encoded.
    failed: bool,
}

impl Asm {
    /// Appends an instruction.
    pub fn put(&mut self, word: u32) {
        self.words.push(word);
    }

    /// Appends an instruction, unless its operands cannot be encoded, in which case all fails.
    fn try_put(&mut self, word: Option<u32>) {
        self.failed |= word.is_none();
        self.put(word.unwrap_or(0));
    }

    /// Bytes of code so far.
    pub fn len(&self) -> usize {
        self.words.len() * 4
    }

    /// A label that is bound later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds the label here.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.words.len() as u32);
    }

    fn refer(&mut self, label: Label, reference: Reference) {
        self.references.push((self.words.len() as u32, label, reference));
        self.put(0);
    }

    /// Jumps.
    pub fn jump(&mut self, to: Label) {
        self.refer(to, Reference::Jump);
    }

    /// Jumps under a condition.
    pub fn jump_if(&mut self, cond: Cond, to: Label) {
        self.refer(to, Reference::If(cond));
    }

    /// Jumps if a register of this width is zero.
    pub fn jump_if_zero(&mut self, w: Width, r: Reg, to: Label) {
        self.refer(to, Reference::IfZero(w, r));
    }

    /// Jumps unless a register of this width is zero.
    pub fn jump_unless_zero(&mut self, w: Width, r: Reg, to: Label) {
        self.refer(to, Reference::IfNot(w, r));
    }

    /// `rd` = a value that depends on the engine or the address space, as `refers` says.
    pub fn load_literal(&mut self, rd: Reg, value: u64, refers: Refers) {
        let same = |l: &&(u64, Refers, Label)| (l.0, l.1) == (value, refers);
        // Those that are loaded again soon were added lately.
        let label = match self.literals.iter().rev().take(8).find(same) {
            Some(literal) => literal.2,
            None => {
                let label = self.label();
                self.literals.push((value, refers, label));
                label
            }
        };
        self.refer(label, Reference::Load(rd));
    }

    /// `rd` = a number that depends only on the guest's code.
    pub fn mov_imm(&mut self, rd: Reg, value: u64) {
        let halves: [u16; 4] = std::array::from_fn(|k| (value >> (16 * k)) as u16);
        let other = |fill: u16| halves.iter().filter(|half| **half != fill).count();
        if other(0) > 1
            && other(u16::MAX) > 1
            && let Some(word) = op_mask(OpMask::Orr, Width::X, rd, ZR, value)
        {
            return self.put(word);
        }
        let inverted = other(u16::MAX) < other(0);
        let (fill, mut op) = if inverted { (u16::MAX, OpWide::Movn) } else { (0, OpWide::Movz) };
        let some = halves.iter().any(|half| *half != fill);
        for (at, half) in halves.iter().enumerate() {
            if *half == fill && (some || at > 0) {
                continue;
            }
            let value = if matches!(op, OpWide::Movn) { !half } else { *half };
            self.put(wide(op, Width::X, rd, value, at as u32));
            op = OpWide::Movk;
        }
    }

    /// `rd = rn`.
    pub fn mov(&mut self, rd: Reg, rn: Reg) {
        if rd != rn {
            self.put(op3(Op3::Orr, Width::X, rd, ZR, rn));
        }
    }

    /// `rd = rn + imm`, by way of `scratch` if the number is large. No register is the stack pointer or the zero register.
    pub fn add_imm(&mut self, w: Width, rd: Reg, rn: Reg, imm: i64, scratch: Reg) {
        let op = if imm < 0 { OpImm::Sub } else { OpImm::Add };
        match imm.unsigned_abs() {
            0 if w == Width::X => self.mov(rd, rn),
            size @ 0..0x1000 => self.put(op_imm(op, w, rd, rn, size as u32, false)),
            size if size & 0xfff == 0 && size < 1 << 24 => {
                self.put(op_imm(op, w, rd, rn, (size >> 12) as u32, true));
            }
            _ => {
                self.mov_imm(scratch, imm as u64);
                self.put(op3(Op3::Add, w, rd, rn, scratch));
            }
        }
    }

    /// Compares a register with a number, by way of `scratch` if the number is large.
    pub fn compare_imm(&mut self, w: Width, rn: Reg, imm: i64, scratch: Reg) {
        // Register 31 is the stack pointer in the short form.
        if imm.unsigned_abs() < 0x1000 && rn != ZR {
            let op = if imm < 0 { OpImm::Adds } else { OpImm::Subs };
            self.put(op_imm(op, w, ZR, rn, imm.unsigned_abs() as u32, false));
        } else {
            self.mov_imm(scratch, imm as u64);
            self.compare(w, rn, scratch);
        }
    }

    /// Compares two registers.
    pub fn compare(&mut self, w: Width, rn: Reg, rm: Reg) {
        self.put(op3(Op3::Subs, w, ZR, rn, rm));
    }

    /// `rd = rn op mask`, by way of `scratch` if the mask cannot be encoded.
    pub fn mask(&mut self, (op, plain): (OpMask, Op3), rd: Reg, rn: Reg, mask: u64, scratch: Reg) {
        match op_mask(op, Width::X, rd, rn, mask) {
            Some(word) => self.put(word),
            None => {
                self.mov_imm(scratch, mask);
                self.put(op3(plain, Width::X, rd, rn, scratch));
            }
        }
    }

    /// Loads or stores at `rn` plus `offset`.
    pub fn transfer(&mut self, what: Transfer, rt: Reg, rn: Reg, offset: i64) {
        self.try_put(memory::at(what, rt, rn, offset));
    }

    /// Loads or stores two registers at `rn` plus `offset`.
    pub fn pair(&mut self, what: Pair, both: [Reg; 2], rn: Reg, offset: i64) {
        self.try_put(memory::pair(what, both, rn, offset));
    }

    /// Loads or stores 16 bytes at `rn` plus `offset`, by way of `scratch` if that is far away.
    pub fn quad(&mut self, what: Quad, vt: V, (rn, offset): (Reg, i64), scratch: Reg) {
        if let Some(word) = lanes::quad(what, vt, rn, offset) {
            return self.put(word);
        }
        self.add_imm(Width::X, scratch, rn, offset, scratch);
        self.try_put(lanes::quad(what, vt, scratch, 0));
    }

    /// The code, and what in it depends on the engine or the address space.
    pub fn finish(mut self) -> Result<(Vec<u8>, Vec<Relocation>), Unencodable> {
        let mut relocations = Vec::new();
        // Literals are aligned, as the code is.
        if !self.words.len().is_multiple_of(2) {
            self.put(0);
        }
        for (value, refers, label) in std::mem::take(&mut self.literals) {
            self.bind(label);
            let at = self.len() as u32;
            relocations.push(Relocation { at, refers });
            self.put(value as u32);
            self.put((value >> 32) as u32);
        }
        for (from, label, reference) in std::mem::take(&mut self.references) {
            let to = self.labels[label.0 as usize].ok_or(Unencodable)?;
            let by = to as i32 - from as i32;
            let far = if matches!(reference, Reference::Jump) { 1 << 25 } else { 1 << 18 };
            self.failed |= !(-far..far).contains(&by);
            self.words[from as usize] = match reference {
                Reference::Jump => b(by),
                Reference::If(cond) => b_cond(cond, by),
                Reference::IfZero(w, r) => cbz(w, r, by),
                Reference::IfNot(w, r) => cbnz(w, r, by),
                Reference::Load(r) => literal(r, by),
            };
        }
        let code = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if self.failed { Err(Unencodable) } else { Ok((code, relocations)) }
    }
}
