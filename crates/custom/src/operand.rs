//! Operands: their names in assembly, in encodings and in semantics.

use capvec_isa::custom::NewField;
use capvec_isa::row::Slot;
use capvec_language::Direction;
use capvec_sim::insn::Insn;

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An x register: rd, rs1, rs2 or rs3.
    X(Slot),
    /// An f register: fd, fs1, fs2 or fs3.
    F(Slot),
    /// A vector register group: vd, vs1, vs2 or vs3.
    V(Slot),
    /// The immediate; whether it is sign-extended.
    Imm(bool),
    /// The mask that says which elements are active.
    Mask,
    /// v0 as a source, which is not encoded: a bit for each element.
    V0,
    /// The number of the element, which is in no encoding and no assembly.
    Element,
}

/// The names, in the order in which messages list them.
pub const NAMES: &str =
    "rd, rs1, rs2, rs3, imm, uimm; fd, fs1, fs2, fs3; vd, vs1, vs2, vs3, vm, v0";

impl Operand {
    /// The operand of this name.
    pub fn named(name: &str) -> Option<Operand> {
        let slot = |s: &str| {
            Some(match s {
                "d" => Slot::Rd,
                "s1" => Slot::Rs1,
                "s2" => Slot::Rs2,
                "s3" => Slot::Rs3,
                _ => return None,
            })
        };
        Some(match name {
            "imm" => Operand::Imm(true),
            "uimm" => Operand::Imm(false),
            "vm" => Operand::Mask,
            "v0" => Operand::V0,
            _ => match name.split_at_checked(1)? {
                ("r", s) => Operand::X(slot(s)?),
                ("f", s) => Operand::F(slot(s)?),
                ("v", s) => Operand::V(slot(s)?),
                _ => return None,
            },
        })
    }

    /// Where the operand is encoded, if it is.
    pub fn slot(self) -> Option<Slot> {
        match self {
            Operand::X(slot) | Operand::F(slot) | Operand::V(slot) => Some(slot),
            Operand::Imm(_) => Some(Slot::Imm),
            Operand::Mask => Some(Slot::Vm),
            Operand::V0 | Operand::Element => None,
        }
    }

    /// Whether the file names it, and not only the semantics.
    pub fn is_given(self) -> bool {
        self != Operand::Element
    }

    /// Whether it is an x or f register that an instruction writes.
    pub fn is_scalar_destination(self) -> bool {
        matches!(self, Operand::X(Slot::Rd) | Operand::F(Slot::Rd))
    }

    /// Whether it is a register that an instruction may write.
    pub fn is_destination(self) -> bool {
        self.is_scalar_destination() || self == Operand::V(Slot::Rd)
    }
}

/// An operand that the semantics see.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// What it is.
    pub operand: Operand,
    /// Whether it is read, written or both.
    pub direction: Direction,
    /// Of a vector operand: the width of its elements.
    pub width: Width,
}

/// The width of a vector operand's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One bit: a mask.
    Bit,
    /// SEW.
    Sew,
    /// Twice SEW.
    Double,
}

impl Width {
    /// In bits.
    pub fn bits(self, sew: u32) -> u32 {
        match self {
            Width::Bit => 1,
            Width::Sew => sew,
            Width::Double => 2 * sew,
        }
    }
}

impl Port {
    /// Whether the instruction reads it.
    pub fn is_read(&self) -> bool {
        self.direction != Direction::Out
    }

    /// Whether the instruction writes it.
    pub fn is_written(&self) -> bool {
        self.direction != Direction::In
    }
}

/// The register number that a slot holds.
pub fn register(i: &Insn, slot: Slot) -> u8 {
    match slot {
        Slot::Rd => i.rd,
        Slot::Rs1 => i.rs1,
        Slot::Rs2 => i.rs2,
        _ => i.rs3,
    }
}

/// The field of an operand, if it is encoded.
pub fn field(fields: &[NewField], operand: Operand) -> Option<&NewField> {
    let slot = operand.slot()?;
    fields.iter().find(|f| f.slot == slot)
}
