//! A vector instruction as an operation on the bytes of register groups, and what all operations use.

use super::kind::{Kind, Second};
use crate::a64::asm::{Lanes, Quad, Reg, V, splat};
use crate::a64::emitter::Emitter;
use crate::a64::registers::{LR, T0, T2};
use capvec_sim::insn::Insn;

/// Bytes of a piece.
pub const PIECE: u64 = 16;

/// The host address of the hart's vector registers, during an operation.
pub const FILE: Reg = LR;

/// An operation in a known state.
#[derive(Clone, Copy)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// SEW in bits.
    pub sew: u32,
    /// Bytes of the destination's body, or of the stored data: a multiple of `PIECE`.
    pub bytes: u64,
}

/// The emitter, and the vector registers in memory, whose address is in `FILE`.
pub struct Vectors<'t> {
    /// The emitter.
    pub out: &'t mut Emitter,
    /// Bytes of a vector register.
    pub vlenb: u64,
}

impl Vectors<'_> {
    /// `v` = the 16 bytes at `at` of the group that begins at vector register `r`. Clobbers `T2`.
    pub fn load(&mut self, v: V, r: u8, at: u64) {
        self.out.a.quad(Quad::Ldr, v, (FILE, self.place(r, at)), T2);
    }

    /// The 16 bytes at `at` of the group that begins at vector register `r` = `v`. Clobbers `T2`.
    pub fn store(&mut self, v: V, r: u8, at: u64) {
        self.out.a.quad(Quad::Str, v, (FILE, self.place(r, at)), T2);
    }

    /// Each element of `d` = the second operand, if this is a number or an x register. Clobbers `T0`.
    pub fn scalar(&mut self, i: &Insn, lanes: Lanes, second: Second, d: V) {
        let from = match second {
            Second::X if lanes == Lanes::D => self.out.x(i.rs1, T0),
            Second::X => self.out.x_low(i.rs1, T0),
            Second::I => {
                self.out.a.mov_imm(T0, i.imm as u64);
                T0
            }
            Second::V | Second::No => return,
        };
        self.out.a.put(splat(lanes, d, from));
    }

    fn place(&self, r: u8, at: u64) -> i64 {
        (r as u64 * self.vlenb + at) as i64
    }
}

impl Operation {
    /// The offsets of its pieces.
    pub fn pieces(&self) -> impl Iterator<Item = u64> + use<> {
        (0..self.bytes).step_by(PIECE as usize)
    }
}
