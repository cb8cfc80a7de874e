//! The assembler of the code generator, on top of iced-x86's encoder: registers, operands in registers or memory,
//! labels.

use iced_x86::{Code, Encoder, IcedError, Instruction, MemoryOperand, Register};

/// A general-purpose register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reg(u8);

#[allow(missing_docs)]
impl Reg {
    pub const RAX: Reg = Reg(0);
    pub const RCX: Reg = Reg(1);
    pub const RDX: Reg = Reg(2);
    pub const RBX: Reg = Reg(3);
    pub const RSP: Reg = Reg(4);
    pub const RBP: Reg = Reg(5);
    pub const RSI: Reg = Reg(6);
    pub const RDI: Reg = Reg(7);
    pub const R8: Reg = Reg(8);
    pub const R9: Reg = Reg(9);
    pub const R10: Reg = Reg(10);
    pub const R11: Reg = Reg(11);
    pub const R12: Reg = Reg(12);
    pub const R13: Reg = Reg(13);
    pub const R14: Reg = Reg(14);
    pub const R15: Reg = Reg(15);
}

#[rustfmt::skip]
const NAMES: [[Register; 16]; 4] = {
    use Register::*;
    [
        [AL, CL, DL, BL, SPL, BPL, SIL, DIL, R8L, R9L, R10L, R11L, R12L, R13L, R14L, R15L],
        [AX, CX, DX, BX, SP, BP, SI, DI, R8W, R9W, R10W, R11W, R12W, R13W, R14W, R15W],
        [EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, R8D, R9D, R10D, R11D, R12D, R13D, R14D, R15D],
        [RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15],
    ]
};

/// Operand width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 8 bits.
    B = 0,
    /// 16 bits.
    W = 1,
    /// 32 bits.
    D = 2,
    /// 64 bits.
    Q = 3,
}

impl Reg {
    /// Its name at a width.
    pub fn at(self, w: Width) -> Register {
        NAMES[w as usize][self.0 as usize]
    }

    fn q(self) -> Register {
        self.at(Width::Q)
    }
}

/// An operand in a register or in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rm {
    /// A register.
    R(Reg),
    /// Memory.
    M(MemoryOperand),
}

/// The memory operand at a register plus a displacement.
pub fn at(base: Reg, displ: i64) -> MemoryOperand {
    memory(base, Register::None, 1, displ)
}

/// The memory operand at `base + index * scale + displ`.
pub fn indexed(base: Reg, index: Reg, scale: u32, displ: i64) -> MemoryOperand {
    memory(base, index.q(), scale, displ)
}

/// Omits a zero displacement: three-component addresses are slower.
fn memory(base: Reg, index: Register, scale: u32, displ: i64) -> MemoryOperand {
    let size = if displ == 0 { 0 } else { 1 };
    MemoryOperand::new(base.q(), index, scale, displ, size, false, Register::None)
}

/// The memory operand at `index * scale`.
pub fn scaled(index: Reg, scale: u32) -> MemoryOperand {
    let none = Register::None;
    MemoryOperand::new(none, index.q(), scale, 0, 4, false, none)
}

/// The memory operand at `base + index + displ`.
pub fn indexed_at(base: Reg, index: Reg, displ: i64) -> MemoryOperand {
    indexed(base, index, 1, displ)
}

/// A position in the code, which may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u32);

/// Code under construction, for a known address.
pub struct Asm {
    encoder: Encoder,
    base: u64,
    at: usize,
    error: Option<IcedError>,
    labels: Vec<usize>,
    /// (offset of a 32-bit displacement, its target).
    fixups: Vec<(usize, Label)>,
    /// (offset, bytes that replace those encoded there).
    replaced: Vec<(usize, [u8; 2])>,
    /// Vector instructions must be AVX2, not AVX-512.
    pub avx2: bool,
}

/// The form with an 8-bit immediate.
fn short(code: Code) -> Code {
    match code {
        Code::Add_rm64_imm32 => Code::Add_rm64_imm8,
        Code::And_rm64_imm32 => Code::And_rm64_imm8,
        Code::Or_rm64_imm32 => Code::Or_rm64_imm8,
        Code::Xor_rm64_imm32 => Code::Xor_rm64_imm8,
        Code::Cmp_rm64_imm32 => Code::Cmp_rm64_imm8,
        Code::And_rm32_imm32 => Code::And_rm32_imm8,
        Code::Or_rm32_imm32 => Code::Or_rm32_imm8,
        Code::Xor_rm32_imm32 => Code::Xor_rm32_imm8,
        code => code,
    }
}

/// Whether the instruction does without AVX-512. Tests on a host that has it would not notice otherwise.
fn is_of_avx2(i: &Instruction) -> bool {
    let name = format!("{:?}", i.code());
    !name.starts_with("EVEX") && !name.contains("_kr")
}

const UNBOUND: usize = usize::MAX;

impl Asm {
    /// Starts code that will be placed at address `base`.
    pub fn new(base: u64) -> Asm {
        Asm {
            encoder: Encoder::new(64),
            base,
            at: 0,
            error: None,
            labels: Vec::new(),
            fixups: Vec::new(),
            replaced: Vec::new(),
            avx2: false,
        }
    }

    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.at
    }

    /// Makes a new label.
    pub fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds the label to the current position.
    pub fn bind(&mut self, l: Label) {
        self.labels[l.0 as usize] = self.at;
    }

    /// Appends an instruction. `finish` returns the first error.
    pub fn put(&mut self, i: Result<Instruction, IcedError>) {
        let rip = self.base + self.at as u64;
        debug_assert!(!self.avx2 || i.as_ref().is_ok_and(is_of_avx2), "{i:?}");
        match i.and_then(|i| self.encoder.encode(&i, rip)) {
            Ok(n) => self.at += n,
            Err(e) => self.error = self.error.take().or(Some(e)),
        }
    }

    /// The bytes, with all labels resolved.
    pub fn finish(mut self) -> Result<Vec<u8>, IcedError> {
        if let Some(e) = self.error {
            return Err(e);
        }
        let mut bytes = self.encoder.take_buffer();
        for (at, l) in self.fixups {
            let distance = self.labels[l.0 as usize].wrapping_sub(at + 4) as u32;
            bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        for (at, by) in self.replaced {
            bytes[at..at + 2].copy_from_slice(&by);
        }
        Ok(bytes)
    }

    /// Replaces two bytes of an instruction already appended at `at`.
    pub fn replace(&mut self, at: usize, by: [u8; 2]) {
        self.replaced.push((at, by));
    }

    /// An instruction with one register.
    pub fn op1(&mut self, code: Code, w: Width, a: Reg) {
        self.put(Instruction::with1(code, a.at(w)));
    }

    /// An instruction with one operand in a register or in memory.
    pub fn op1_rm(&mut self, code: Code, w: Width, a: Rm) {
        self.put(match a {
            Rm::R(a) => Instruction::with1(code, a.at(w)),
            Rm::M(m) => Instruction::with1(code, m),
        });
    }

    /// An instruction with destination `d` of width `w` and a source of width `ws`.
    pub fn mixed(&mut self, code: Code, w: Width, d: Reg, ws: Width, s: Rm) {
        let d = d.at(w);
        self.put(match s {
            Rm::R(s) => Instruction::with2(code, d, s.at(ws)),
            Rm::M(m) => Instruction::with2(code, d, m),
        });
    }

    /// A shift or rotation of a register by CL.
    pub fn by_cl(&mut self, code: Code, w: Width, d: Reg) {
        self.put(Instruction::with2(code, d.at(w), Register::CL));
    }

    /// An instruction `d, s`.
    pub fn op2(&mut self, code: Code, w: Width, d: Reg, s: Rm) {
        self.mixed(code, w, d, w, s);
    }

    /// An instruction `d, s` whose destination may be memory.
    pub fn op2_to(&mut self, code: Code, w: Width, d: Rm, s: Reg) {
        let s = s.at(w);
        self.put(match d {
            Rm::R(d) => Instruction::with2(code, d.at(w), s),
            Rm::M(m) => Instruction::with2(code, m, s),
        });
    }

    /// An instruction `d, imm`; the code says how wide the immediate is.
    pub fn imm(&mut self, code: Code, w: Width, d: Rm, imm: i32) {
        let code = if i8::try_from(imm).is_ok() { short(code) } else { code };
        self.put(match d {
            Rm::R(d) => Instruction::with2(code, d.at(w), imm),
            Rm::M(m) => Instruction::with2(code, m, imm),
        });
    }

    /// A VEX instruction `d, a, b` whose `b` may be memory.
    pub fn vex(&mut self, code: Code, w: Width, d: Reg, a: Reg, b: Rm) {
        let (d, a) = (d.at(w), a.at(w));
        self.put(match b {
            Rm::R(b) => Instruction::with3(code, d, a, b.at(w)),
            Rm::M(m) => Instruction::with3(code, d, a, m),
        });
    }

    /// A VEX instruction `d, a, b` whose `a` may be memory.
    pub fn vex_swapped(&mut self, code: Code, w: Width, d: Reg, a: Rm, b: Reg) {
        let (d, b) = (d.at(w), b.at(w));
        self.put(match a {
            Rm::R(a) => Instruction::with3(code, d, a.at(w), b),
            Rm::M(m) => Instruction::with3(code, d, m, b),
        });
    }

    /// A VEX instruction `d, a, imm`.
    pub fn vex_imm(&mut self, code: Code, w: Width, d: Reg, a: Rm, imm: i32) {
        let d = d.at(w);
        self.put(match a {
            Rm::R(a) => Instruction::with3(code, d, a.at(w), imm),
            Rm::M(m) => Instruction::with3(code, d, m, imm),
        });
    }

    /// `d = s`.
    pub fn mov(&mut self, d: Reg, s: Rm) {
        if s != Rm::R(d) {
            self.op2(Code::Mov_r64_rm64, Width::Q, d, s);
        }
    }

    /// `m = s`.
    pub fn store(&mut self, m: MemoryOperand, s: Reg) {
        self.op2_to(Code::Mov_rm64_r64, Width::Q, Rm::M(m), s);
    }

    /// `d = v`, in the shortest form. Keeps flags.
    pub fn mov_imm(&mut self, d: Reg, v: u64) {
        self.put(if let Ok(v) = u32::try_from(v) {
            Instruction::with2(Code::Mov_r32_imm32, d.at(Width::D), v)
        } else if let Ok(v) = i32::try_from(v as i64) {
            Instruction::with2(Code::Mov_rm64_imm32, d.q(), v)
        } else {
            Instruction::with2(Code::Mov_r64_imm64, d.q(), v)
        });
    }

    /// `d` = the address of `m`.
    pub fn lea(&mut self, w: Width, d: Reg, m: MemoryOperand) {
        let code = if w == Width::Q { Code::Lea_r64_m } else { Code::Lea_r32_m };
        self.put(Instruction::with2(code, d.at(w), m));
    }

    /// Jumps to a label if the code's condition holds. The displacement is always 32 bits.
    pub fn jump(&mut self, code: Code, to: Label) {
        self.put(Instruction::with_branch(code, self.base));
        self.fixups.push((self.at.wrapping_sub(4), to));
    }

    /// Jumps to an address within 2 GiB.
    pub fn jump_to(&mut self, code: Code, to: u64) {
        self.put(Instruction::with_branch(code, to));
    }
}
