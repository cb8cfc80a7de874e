//! Operands: their names in assembly, in encodings and in semantics.

use capvec_isa::custom::NewField;
use capvec_isa::row::Slot;
use capvec_semantics::Direction;
use capvec_sim::insn::Insn;

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An x register: rd, rs1, rs2 or rs3.
    X(Slot),
    /// A vector register group: vd, vs1, vs2 or vs3.
    V(Slot),
    /// The immediate; whether it is sign-extended.
    Imm(bool),
    /// The mask.
    Mask,
}

/// The names, in the order in which messages list them.
pub const NAMES: &str = "rd, rs1, rs2, rs3, imm, uimm; vd, vs1, vs2, vs3, vm";

impl Operand {
    /// The operand of this name.
    pub fn named(name: &str) -> Option<Operand> {
        Some(match name {
            "rd" => Operand::X(Slot::Rd),
            "rs1" => Operand::X(Slot::Rs1),
            "rs2" => Operand::X(Slot::Rs2),
            "rs3" => Operand::X(Slot::Rs3),
            "vd" => Operand::V(Slot::Rd),
            "vs1" => Operand::V(Slot::Rs1),
            "vs2" => Operand::V(Slot::Rs2),
            "vs3" => Operand::V(Slot::Rs3),
            "imm" => Operand::Imm(true),
            "uimm" => Operand::Imm(false),
            "vm" => Operand::Mask,
            _ => return None,
        })
    }

    /// Where the operand is encoded.
    pub fn slot(self) -> Slot {
        match self {
            Operand::X(slot) | Operand::V(slot) => slot,
            Operand::Imm(_) => Slot::Imm,
            Operand::Mask => Slot::Vm,
        }
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

/// The field of a slot.
pub fn field(fields: &[NewField], slot: Slot) -> Option<&NewField> {
    fields.iter().find(|f| f.slot == slot)
}
