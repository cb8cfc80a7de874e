//! A small assembler over the instruction table.

use capvec_isa::{Decoded, Op, encode};

/// A position in the code that branches can name before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Code under construction from a base address.
pub struct Asm {
    base: u64,
    code: Vec<u8>,
    labels: Vec<Option<u64>>,
    /// Branches: position, instruction, target.
    branches: Vec<(usize, Decoded, Label)>,
}

impl Asm {
    /// Starts code whose first instruction will be at `base`.
    pub fn new(base: u64) -> Asm {
        Asm { base, code: Vec::new(), labels: Vec::new(), branches: Vec::new() }
    }

    /// Address of the next instruction.
    pub fn here(&self) -> u64 {
        self.base + self.code.len() as u64
    }

    /// Makes a label without a position.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Binds a label to the current position.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.here());
    }

    /// Appends an instruction word; two bytes if it is compressed.
    pub fn word(&mut self, word: u32) {
        let len = if word & 3 == 3 { 4 } else { 2 };
        self.code.extend(&word.to_le_bytes()[..len]);
    }

    /// Appends `op` with operands set by `set`.
    ///
    /// # Panics
    /// If an operand cannot be encoded, which is an error in the harness.
    pub fn op(&mut self, op: Op, set: impl FnOnce(&mut Decoded)) {
        let mut d = Decoded::new(op);
        set(&mut d);
        self.word(encode(&d).unwrap_or_else(|| panic!("no encoding: {d:?}")));
    }

    /// A load or an operation with an immediate: `op rd, imm(rs1)`.
    pub fn imm(&mut self, op: Op, rd: u8, rs1: u8, imm: i64) {
        self.op(op, |d| (d.rd, d.rs1, d.imm) = (rd, rs1, imm));
    }

    /// An operation on registers.
    pub fn reg(&mut self, op: Op, rd: u8, rs1: u8, rs2: u8) {
        self.op(op, |d| (d.rd, d.rs1, d.rs2) = (rd, rs1, rs2));
    }

    /// A store: `op rs2, imm(rs1)`.
    pub fn store(&mut self, op: Op, rs2: u8, rs1: u8, imm: i64) {
        self.op(op, |d| (d.rs2, d.rs1, d.imm) = (rs2, rs1, imm));
    }

    /// Sets `rd` to `value`.
    ///
    /// # Panics
    /// If the value has more than 31 bits, which is an error in the harness.
    pub fn li(&mut self, rd: u8, value: u64) {
        let (high, low) = split(value as i64);
        self.op(Op::Lui, |d| (d.rd, d.imm) = (rd, high));
        self.imm(Op::Addi, rd, rd, low);
    }

    /// Sets `rd` to an address less than 2 GiB away.
    pub fn la(&mut self, rd: u8, addr: u64) {
        let (high, low) = split(addr.wrapping_sub(self.here()) as i64);
        self.op(Op::Auipc, |d| (d.rd, d.imm) = (rd, high));
        self.imm(Op::Addi, rd, rd, low);
    }

    /// Jumps to a target less than 2 GiB away, through x3. Has a fixed length.
    pub fn far(&mut self, target: u64) {
        let (high, low) = split(target.wrapping_sub(self.here()) as i64);
        self.op(Op::Auipc, |d| (d.rd, d.imm) = (3, high));
        self.imm(Op::Jalr, 0, 3, low);
    }

    /// A branch, or `jal` with `rs1` as the link register.
    pub fn branch(&mut self, op: Op, rs1: u8, rs2: u8, to: Label) {
        let mut d = Decoded::new(op);
        if op == Op::Jal {
            d.rd = rs1;
        } else {
            (d.rs1, d.rs2) = (rs1, rs2);
        }
        self.branches.push((self.code.len(), d, to));
        self.code.extend([0; 4]);
    }

    /// The code, with all branches resolved.
    ///
    /// # Panics
    /// If a label is unbound or too far away, which is an error in the harness.
    pub fn finish(mut self) -> Vec<u8> {
        for (at, mut d, to) in std::mem::take(&mut self.branches) {
            let target = self.labels[to.0].expect("every label is bound");
            d.imm = target.wrapping_sub(self.base + at as u64) as i64;
            let word = encode(&d).unwrap_or_else(|| panic!("branch too far: {d:?}"));
            self.code[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        self.code
    }
}

/// Splits a value into the immediates of `lui` and `addi`.
fn split(value: i64) -> (i64, i64) {
    let low = value << 52 >> 52;
    (value - low, low)
}
