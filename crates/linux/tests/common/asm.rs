//! The assembler.

use super::{nr, reg};
use capvec_isa::{Decoded, Op, encode};
use std::collections::HashMap;

/// Address of the code.
pub const CODE: u64 = 0x1_1000;
/// Address of the data: 64 KiB, writable.
pub const DATA: u64 = 0x10_0000;
const DATA_SIZE: u64 = 0x1_0000;

/// A program being assembled.
#[derive(Default)]
pub struct Asm {
    code: Vec<u32>,
    data: Vec<u8>,
    labels: HashMap<&'static str, u64>,
    /// Branches and jumps to labels, resolved at the end: index, instruction, label.
    open: Vec<(usize, Decoded, &'static str)>,
}

fn insn(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> Decoded {
    // Stores take their data from rs2; vector and fused operations take it from rs3.
    Decoded { rd, rs1, rs2, rs3: rs2, imm, ..Decoded::new(op) }
}

/// A vector instruction; `rd` is also the data register of a store.
pub fn vector(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> Decoded {
    Decoded { rd, rs1, rs2, rs3: rd, imm, ..Decoded::new(op) }
}

impl Asm {
    /// The address of the next instruction.
    pub fn here(&self) -> u64 {
        CODE + 4 * self.code.len() as u64
    }

    /// Defines a label at the next instruction.
    pub fn label(&mut self, name: &'static str) {
        self.labels.insert(name, self.here());
    }

    /// The address of a label that is already defined.
    pub fn at(&self, name: &str) -> u64 {
        self.labels[name]
    }

    /// Adds an instruction word.
    pub fn word(&mut self, word: u32) {
        self.code.push(word);
    }

    /// Adds an instruction.
    pub fn push(&mut self, d: Decoded) {
        let word = encode(&d).unwrap_or_else(|| panic!("cannot encode {d:?}"));
        self.code.push(word);
    }

    /// Adds an instruction with register and immediate operands.
    pub fn op(&mut self, op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) {
        self.push(insn(op, rd, rs1, rs2, imm));
    }

    /// Adds a branch or jump to a label.
    pub fn to(&mut self, op: Op, rd: u8, rs1: u8, rs2: u8, label: &'static str) {
        let d = insn(op, rd, rs1, rs2, 0);
        self.open.push((self.code.len(), d, label));
        self.code.push(0);
    }

    /// Jumps to a label.
    pub fn jump(&mut self, label: &'static str) {
        self.to(Op::Jal, reg::ZERO, 0, 0, label);
    }

    /// Loads a constant.
    pub fn li(&mut self, rd: u8, value: u64) {
        let v = value as i64;
        if (-2048..2048).contains(&v) {
            return self.op(Op::Addi, rd, reg::ZERO, 0, v);
        }
        let low = v << 52 >> 52;
        if v == i64::from(v as i32) {
            let high = i64::from((v - low) as i32);
            self.op(Op::Lui, rd, 0, 0, high);
            return self.op(Op::Addiw, rd, rd, 0, low);
        }
        self.li(rd, (v.wrapping_sub(low) >> 12) as u64);
        self.op(Op::Slli, rd, rd, 0, 12);
        self.op(Op::Addi, rd, rd, 0, low);
    }

    /// Moves a register.
    pub fn mv(&mut self, rd: u8, rs: u8) {
        self.op(Op::Addi, rd, rs, 0, 0);
    }

    /// Adds data, aligned to eight bytes; returns its address.
    pub fn data(&mut self, bytes: &[u8]) -> u64 {
        self.data.resize(self.data.len().next_multiple_of(8), 0);
        let at = DATA + self.data.len() as u64;
        self.data.extend(bytes);
        at
    }

    /// Adds words of data; returns their address.
    pub fn data_words(&mut self, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        self.data(&bytes)
    }

    /// Makes a system call with constant arguments.
    pub fn call(&mut self, number: u64, args: &[u64]) {
        for (r, v) in (reg::A0..).zip(args) {
            self.li(r, *v);
        }
        self.ecall(number);
    }

    /// Makes a system call with the arguments that the registers hold.
    pub fn ecall(&mut self, number: u64) {
        self.li(reg::A7, number);
        self.push(Decoded::new(Op::Ecall));
    }

    /// Writes the word in `r` to standard output; clobbers a0 to a2, a7 and t3.
    pub fn print(&mut self, r: u8) {
        let at = DATA + DATA_SIZE - 64;
        self.li(reg::T3, at);
        self.op(Op::Sd, 0, reg::T3, r, 0);
        self.call(nr::WRITE, &[1, at, 8]);
    }

    /// Ends the process.
    pub fn exit(&mut self, code: u64) {
        self.call(nr::EXIT_GROUP, &[code]);
    }

    /// Installs the code at a defined label as handler; `flags` are added to SA_SIGINFO.
    pub fn handler(&mut self, signal: u64, label: &str, flags: u64) {
        const SA_SIGINFO: u64 = 4;
        let action = self.data_words(&[self.at(label), flags | SA_SIGINFO, 0]);
        self.call(nr::SIGACTION, &[signal, action, 0, 8]);
    }

    fn finished(&self) -> Vec<u32> {
        let mut code = self.code.clone();
        for (at, d, label) in &self.open {
            let pc = CODE + 4 * *at as u64;
            let imm = self.labels[label].wrapping_sub(pc) as i64;
            code[*at] = encode(&Decoded { imm, ..*d }).expect("within reach");
        }
        code
    }

    /// The program as an ELF file: code and data; the entry is the label `start`, or else the first instruction.
    pub fn elf(&self) -> Vec<u8> {
        let code: Vec<u8> = self.finished().iter().flat_map(|w| w.to_le_bytes()).collect();
        let entry = self.labels.get("start").copied().unwrap_or(CODE);
        let offset = |at: u64| at - CODE + 0x1000;
        let data_at = (offset(CODE) + code.len() as u64).next_multiple_of(0x1000);
        let mut file = header(entry, 2);
        file.extend(segment(5, 0x1000, CODE, code.len() as u64, code.len() as u64));
        file.extend(segment(6, data_at, DATA, self.data.len() as u64, DATA_SIZE));
        file.resize(0x1000, 0);
        file.extend(code);
        file.resize(data_at as usize, 0);
        file.extend(&self.data);
        file
    }
}

/// An ELF header of a riscv64 executable followed by its program headers (ELF-64 specification).
pub fn header(entry: u64, segments: u16) -> Vec<u8> {
    let mut h = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |h: &mut Vec<u8>, v: u16| h.extend(v.to_le_bytes());
    // ET_EXEC, EM_RISCV, version 1.
    [2, 243, 1, 0].into_iter().for_each(|v| half(&mut h, v));
    [entry, 64, 0].into_iter().for_each(|v| h.extend(v.to_le_bytes()));
    h.extend(4u32.to_le_bytes());
    [64, 56, segments, 0, 0, 0].into_iter().for_each(|v| half(&mut h, v));
    h
}

/// A program header of a loadable segment.
pub fn segment(flags: u32, offset: u64, vaddr: u64, filesz: u64, memsz: u64) -> Vec<u8> {
    let mut p = 1u32.to_le_bytes().to_vec();
    p.extend(flags.to_le_bytes());
    [offset, vaddr, vaddr, filesz, memsz, 0x1000].iter().for_each(|v| p.extend(v.to_le_bytes()));
    p
}
