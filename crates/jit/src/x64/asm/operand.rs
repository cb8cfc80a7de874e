//! Operands of instructions: general-purpose registers at a width, and memory.

use iced_x86::{MemoryOperand, Register};

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

    /// Its number in encodings.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The register with this number: in encodings, it also stands for the vector register of the same number.
    pub(super) const fn numbered(number: u8) -> Reg {
        Reg(number & 15)
    }
}

/// An operand in memory: base + index * scale + displacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mem {
    /// The base register.
    pub base: Option<Reg>,
    /// The index register, and its scale.
    pub index: Option<(Reg, u32)>,
    /// The displacement. Without a base, it is a low address of the host, or 0.
    pub displ: i64,
}

impl Mem {
    /// The memory at an address of the host, at an offset in a register if there is one; `None` unless the address is low: it must
    /// fit in a displacement, which is signed.
    pub fn at_address(address: u64, offset: Option<Reg>) -> Option<Mem> {
        let displ = i32::try_from(address).ok().filter(|address| *address > 0)?;
        Some(Mem { base: None, index: offset.map(|r| (r, 1)), displ: displ.into() })
    }

    /// Whether the displacement is an address of the host.
    pub fn is_at_address(self) -> bool {
        self.base.is_none() && self.displ != 0
    }

    /// The operand for iced-x86. A zero displacement is omitted: three-component addresses are slower.
    pub fn operand(self) -> MemoryOperand {
        let name = |r: Reg| r.at(Width::Q);
        let base = self.base.map_or(Register::None, name);
        let (index, scale) = self.index.map_or((Register::None, 1), |(r, scale)| (name(r), scale));
        let size = match (self.displ, self.base) {
            (_, None) => 8,
            (0, _) => 0,
            _ => 1,
        };
        MemoryOperand::new(base, index, scale, self.displ, size, false, Register::None)
    }
}

/// An operand in a register or in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rm {
    /// A register.
    R(Reg),
    /// Memory.
    M(Mem),
}

/// The memory operand at a register plus a displacement.
pub const fn at(base: Reg, displ: i64) -> Mem {
    Mem { base: Some(base), index: None, displ }
}

/// The memory operand at `base + index * scale + displ`.
pub const fn indexed(base: Reg, index: Reg, scale: u32, displ: i64) -> Mem {
    Mem { base: Some(base), index: Some((index, scale)), displ }
}

/// The memory operand at `index * scale`.
pub const fn scaled(index: Reg, scale: u32) -> Mem {
    Mem { base: None, index: Some((index, scale)), displ: 0 }
}

/// The memory operand at `base + index + displ`.
pub const fn indexed_at(base: Reg, index: Reg, displ: i64) -> Mem {
    indexed(base, index, 1, displ)
}
