//! The interface for operations on vector registers.

use super::emitter::Emitter;
use super::vector_allocation::{Piece, VectorRegs};
use crate::x64::asm::Mem;
use crate::x64::asm::vector::{V, Vm, Wide};

/// What the translation of an operation on vector registers needs.
pub struct Vectors<'t, 'a> {
    /// The assembler, and the allocation of x registers.
    pub out: &'t mut Emitter<'a>,
    /// Which parts of the guest's vector registers are in host registers.
    pub vregs: &'t mut VectorRegs,
    /// Bytes of a guest's vector register.
    pub vlenb: u32,
}

impl Vectors<'_, '_> {
    /// The piece of width `w` that begins at byte `at` of the group that starts with register `reg`.
    pub fn piece(&self, reg: u8, at: u32, w: Wide) -> Piece {
        Piece { at: reg as u32 * self.vlenb + at, w }
    }

    /// The register that holds the piece, for reading; see `VectorRegs::read`.
    pub fn read(&mut self, p: Piece) -> V {
        self.vregs.read(&mut self.out.a, p)
    }

    /// The piece as an operand in a register or in memory.
    pub fn operand(&mut self, p: Piece) -> Vm {
        self.vregs.operand(&mut self.out.a, p)
    }

    /// A register for the piece, which will be overwritten completely.
    pub fn write(&mut self, p: Piece) -> V {
        self.vregs.write(&mut self.out.a, p)
    }

    /// The register that holds the piece, for a partial update.
    pub fn modify(&mut self, p: Piece) -> V {
        self.vregs.modify(&mut self.out.a, p)
    }

    /// The memory operand of the guest's vector registers at byte `offset`. Clobbers RDX.
    pub fn memory(&mut self, offset: u32) -> Mem {
        self.vregs.memory(&mut self.out.a, offset)
    }

    /// Brings these bytes of the guest's registers up to date in memory.
    pub fn sync(&mut self, at: u32, len: u32) {
        self.vregs.sync(&mut self.out.a, at, len);
    }

    /// Prepares for code that writes these bytes of the guest's registers in memory.
    pub fn overwrite(&mut self, at: u32, len: u32) {
        self.vregs.overwrite(&mut self.out.a, at, len);
    }

    /// Temporary register `n` of the current operation, for a value of width `w`.
    pub fn temporary(&mut self, n: u8, w: Wide) -> V {
        self.vregs.temporary(n, w)
    }

    /// Unlocks the registers of the previous piece.
    pub fn unlock(&mut self) {
        self.vregs.unlock();
    }
}
