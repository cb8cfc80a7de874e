//! The assembler: appends x86-64 instructions, and resolves labels at the end. Instructions are named as in iced-x86.
//! Those on general-purpose registers and of scalar floating point are encoded here (`encode`), because that is faster;
//! iced-x86 encodes all others (`vector`).

pub mod avx2;
mod encode;
mod float;
mod operand;
pub mod vector;

use crate::interface::recoveries;
use crate::interface::relocation::{Refers, Relocation};
use encode::{Operands, encode, form, relative};
use iced_x86::{Code, Encoder, IcedError, Instruction};
pub use operand::{Mem, Reg, Rm, Width, at, indexed, indexed_at, scaled};

/// An instruction could not be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unencodable;

/// A position in the code, which may not be known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u32);

/// Code under construction, for a known address.
pub struct Asm {
    bytes: Vec<u8>,
    /// For instructions that `encode` does not know.
    encoder: Encoder,
    base: u64,
    failed: bool,
    labels: Vec<usize>,
    /// (offset of a 32-bit displacement, its target).
    fixups: Vec<(usize, Label)>,
    relocations: Vec<Relocation>,
    /// (offset of an instruction, where control continues if it faults).
    recoveries: Vec<(usize, Label)>,
    /// Vector instructions must be AVX2, not AVX-512.
    pub avx2: bool,
}

/// The form with an 8-bit immediate.
fn short(code: Code) -> Code {
    match code {
        Code::Add_rm32_imm32 => Code::Add_rm32_imm8,
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

/// Whether the instruction needs no AVX-512. On a host that has AVX-512, tests would otherwise not notice one that does.
fn needs_no_avx512(i: &Instruction) -> bool {
    let name = format!("{:?}", i.code());
    !name.starts_with("EVEX") && !name.contains("_kr")
}

/// Initial capacity in bytes; most traces need less.
const USUAL: usize = 4096;

const UNBOUND: usize = usize::MAX;

impl Asm {
    /// Starts code that will be placed at address `base`.
    pub fn new(base: u64) -> Asm {
        Asm::reusing(Vec::new(), base)
    }

    /// The same, in the memory of code that is no longer needed.
    pub fn reusing(mut bytes: Vec<u8>, base: u64) -> Asm {
        bytes.clear();
        bytes.reserve(USUAL);
        Asm {
            bytes,
            encoder: Encoder::new(64),
            base,
            failed: false,
            labels: Vec::with_capacity(USUAL / 64),
            fixups: Vec::with_capacity(USUAL / 64),
            relocations: Vec::with_capacity(USUAL / 64),
            recoveries: Vec::new(),
            avx2: false,
        }
    }

    /// Address of the current position.
    pub fn address(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Makes a new label.
    pub fn label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds the label to the current position.
    pub fn bind(&mut self, l: Label) {
        self.labels[l.0 as usize] = self.bytes.len();
    }

    /// Appends an instruction that iced-x86 encodes. If that fails, so does `finish`.
    pub fn put(&mut self, i: Result<Instruction, IcedError>) {
        let rip = self.address();
        debug_assert!(!self.avx2 || i.as_ref().is_ok_and(needs_no_avx512), "{i:?}");
        self.encoder.set_buffer(std::mem::take(&mut self.bytes));
        self.failed |= i.and_then(|i| self.encoder.encode(&i, rip)).is_err();
        self.bytes = self.encoder.take_buffer();
    }

    /// Appends an instruction that the table encodes.
    fn encode(&mut self, code: Code, o: Operands) {
        let form = form(code);
        let done = form.is_some_and(|form| encode(&mut self.bytes, form, &o));
        debug_assert!(done, "{code:?}");
        self.failed |= !done;
        if let (Rm::M(m), Some(form)) = (o.rm, form)
            && m.is_at_address()
        {
            self.refer(4 + usize::from(form.immediate), Refers::LowAddress);
        }
    }

    /// The bytes, with all labels resolved, and what in them depends on more than the guest's code.
    pub fn finish(self) -> Result<(Vec<u8>, Vec<Relocation>), Unencodable> {
        let mut bytes = self.bytes;
        if self.failed {
            return Err(Unencodable);
        }
        for (at, l) in self.fixups {
            let distance = self.labels[l.0 as usize].wrapping_sub(at + 4) as u32;
            bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        Ok((bytes, self.relocations))
    }

    /// Replaces two bytes of an instruction already appended at `at`.
    pub fn replace(&mut self, at: usize, by: [u8; 2]) {
        self.bytes[at..at + 2].copy_from_slice(&by);
    }

    /// An instruction with one register.
    pub fn op1(&mut self, code: Code, a: Reg) {
        self.op1_rm(code, Rm::R(a));
    }

    /// An instruction with one operand in a register or in memory.
    pub fn op1_rm(&mut self, code: Code, a: Rm) {
        self.encode(code, Operands { rm: a, ..Operands::NONE });
    }

    /// An instruction `d, s` whose destination is a register, such as a shift or rotation by CL.
    pub fn op2(&mut self, code: Code, d: Reg, s: Rm) {
        self.encode(code, Operands { reg: d, rm: s, ..Operands::NONE });
    }

    /// An instruction `d, s` whose destination may be memory.
    pub fn op2_to(&mut self, code: Code, d: Rm, s: Reg) {
        self.encode(code, Operands { reg: s, rm: d, ..Operands::NONE });
    }

    /// An instruction `d, imm`; the code says how wide the immediate is.
    pub fn imm(&mut self, code: Code, d: Rm, imm: i32) {
        let code = if i8::try_from(imm).is_ok() { short(code) } else { code };
        self.encode(code, Operands { rm: d, immediate: imm, ..Operands::NONE });
    }

    /// A VEX instruction `d, a, b` whose `b` may be memory.
    pub fn vex(&mut self, code: Code, d: Reg, a: Reg, b: Rm) {
        self.encode(code, Operands { reg: d, rm: b, third: a, ..Operands::NONE });
    }

    /// A VEX instruction `d, a, b` whose `a` may be memory.
    pub fn vex_swapped(&mut self, code: Code, d: Reg, a: Rm, b: Reg) {
        self.vex(code, d, b, a);
    }

    /// An instruction `d, a, imm`.
    pub fn op2_imm(&mut self, code: Code, d: Reg, a: Rm, imm: i32) {
        self.encode(code, Operands { reg: d, rm: a, immediate: imm, ..Operands::NONE });
    }

    /// `d = s`.
    pub fn mov(&mut self, d: Reg, s: Rm) {
        if s != Rm::R(d) {
            self.op2(Code::Mov_r64_rm64, d, s);
        }
    }

    /// `d` = a register plus an offset. Keeps flags.
    pub fn mov_sum(&mut self, d: Reg, (base, offset): (Reg, i64)) {
        match offset {
            0 => self.mov(d, Rm::R(base)),
            _ => self.lea(Width::Q, d, at(base, offset)),
        }
    }

    /// Jumps to `otherwise` unless a register plus an offset is a multiple of `size`, a power of two up to 128. Clobbers RCX.
    pub fn jump_unless_aligned(&mut self, (base, offset): (Reg, i64), size: i64, otherwise: Label) {
        let known = offset % size == 0;
        if !known {
            self.lea(Width::D, Reg::RCX, at(base, offset));
        }
        let tested = if known { base } else { Reg::RCX };
        self.imm(Code::Test_rm8_imm8, Rm::R(tested), size as i32 - 1);
        self.jump(Code::Jne_rel32_64, otherwise);
    }

    /// `m = s`.
    pub fn store(&mut self, m: Mem, s: Reg) {
        self.op2_to(Code::Mov_rm64_r64, Rm::M(m), s);
    }

    /// `d = v`, in the shortest form. Keeps flags.
    pub fn mov_imm(&mut self, d: Reg, v: u64) {
        let (low, high) = (d.number() & 7, d.number() >> 3);
        let opcode = 0xb8 | low;
        if let Ok(v) = u32::try_from(v) {
            if high > 0 {
                self.bytes.push(0x41);
            }
            self.bytes.push(opcode);
            self.bytes.extend_from_slice(&v.to_le_bytes());
        } else if let Ok(v) = i32::try_from(v as i64) {
            self.imm(Code::Mov_rm64_imm32, Rm::R(d), v);
        } else {
            self.bytes.extend_from_slice(&[0x48 | high, opcode]);
            self.bytes.extend_from_slice(&v.to_le_bytes());
        }
    }

    /// The memory at an address of the host. Clobbers `scratch`, unless the address is low.
    pub fn cell(&mut self, address: u64, scratch: Reg) -> Mem {
        Mem::at_address(address, None).unwrap_or_else(|| {
            self.mov_address(scratch, address);
            at(scratch, 0)
        })
    }

    /// `d` = an address of the host. Takes ten bytes, unless the address is low.
    pub fn mov_address(&mut self, d: Reg, address: u64) {
        if Mem::at_address(address, None).is_some() {
            self.mov_imm(d, address);
            return self.refer(4, Refers::LowAddress);
        }
        self.bytes.extend_from_slice(&[0x48 | d.number() >> 3, 0xb8 | d.number() & 7]);
        self.bytes.extend_from_slice(&address.to_le_bytes());
        self.refer(8, Refers::Address);
    }

    /// RAX = a number of 32 bits that belongs to an address space.
    pub fn mov_number(&mut self, number: u64, refers: Refers) {
        self.failed |= u32::try_from(number).is_err();
        self.bytes.push(0xb8);
        self.bytes.extend_from_slice(&(number as u32).to_le_bytes());
        self.refer(4, refers);
    }

    /// What begins `len` bytes before the end refers to something outside of the code.
    fn refer(&mut self, len: usize, refers: Refers) {
        self.relocations.push(Relocation { at: (self.bytes.len() - len) as u32, refers });
    }

    /// `d` = the address of `m`.
    pub fn lea(&mut self, w: Width, d: Reg, m: Mem) {
        let code = if w == Width::Q { Code::Lea_r64_m } else { Code::Lea_r32_m };
        self.op2(code, d, Rm::M(m));
    }

    /// Returns to the caller.
    pub fn ret(&mut self) {
        self.bytes.push(0xc3);
    }

    /// Jumps to a label if the condition of `code` holds. The displacement is always 32 bits.
    pub fn jump(&mut self, code: Code, to: Label) {
        self.relative(code, 0);
        self.fixups.push((self.bytes.len() - 4, to));
    }

    /// Jumps to or calls a function of the border, which is within 2 GiB.
    pub fn jump_to(&mut self, code: Code, to: u64) {
        self.relative(code, 0);
        let end = self.bytes.len();
        match i32::try_from(to.wrapping_sub(self.base + end as u64) as i64) {
            Ok(distance) => self.bytes[end - 4..].copy_from_slice(&distance.to_le_bytes()),
            Err(_) => self.failed = true,
        }
        self.refer(4, Refers::Function);
    }

    /// Says where control continues if the next instruction faults.
    pub fn if_faulting(&mut self, to: Label) {
        self.recoveries.push((self.bytes.len(), to));
    }

    /// Appends the table of what `if_faulting` has said, as `interface::recoveries` defines it.
    pub fn append_recoveries(&mut self) {
        let place = |(at, to): (usize, Label)| (at, self.labels[to.0 as usize]);
        let entries: Vec<_> = self.recoveries.iter().copied().map(place).collect();
        recoveries::append(&mut self.bytes, &entries);
    }

    /// A jump or call with this displacement.
    fn relative(&mut self, code: Code, displ: i32) {
        let Some((secondary, opcode)) = relative(code) else {
            debug_assert!(false, "{code:?}");
            self.failed = true;
            return;
        };
        if secondary {
            self.bytes.push(0x0f);
        }
        self.bytes.push(opcode);
        self.bytes.extend_from_slice(&displ.to_le_bytes());
    }
}
