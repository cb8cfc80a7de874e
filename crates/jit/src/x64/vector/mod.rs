//! Operations on vector registers: the host instructions for each kind. Loads, stores and vset, which can leave the
//! trace, are in `translate`.

pub mod access;
mod aes;
mod brev8;
mod element;
mod ghash;
mod keccak;
mod scalar_rounds;
mod sha2;
mod slide;

pub use keccak::tables;

use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use crate::x64::vector_plan::kind::Kind;
use capvec_sim::insn::Insn;
use scalar_rounds::{sha512, sm3, sm4};

/// Translates an operation on registers. Returns false if it is a load or store.
pub fn emit(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) -> bool {
    match op.kind {
        Kind::Load(_) | Kind::Store(_) | Kind::LoadStrided(_) | Kind::StoreStrided(_) => {
            return false;
        }
        Kind::Element(shape, second) => element::emit(t, i, op, shape, second),
        Kind::SlideUp => slide::up(t, i, op),
        Kind::SlideDown => slide::down(t, i, op),
        Kind::Aes(round, lane) => aes::round(t, i, op, round, lane),
        Kind::Ghash { add } => ghash::step(t, i, op, add),
        Kind::Sha256 { high } => sha2::rounds256(t, i, op, high),
        Kind::Schedule256 => sha2::schedule256(t, i, op),
        Kind::Sha512 { high } => sha512::rounds(t, i, op, high),
        Kind::Schedule512 if t.out.a.avx2 => sha512::words(t, i, op),
        Kind::Schedule512 => sha2::schedule512(t, i, op),
        Kind::Sm3 => sm3::rounds(t, i, op),
        Kind::Expand => sm3::words(t, i, op),
        Kind::Sm4 { lane } => sm4::rounds(t, i, op, lane),
        Kind::Keccak { first, end } => keccak::permute(t, i, op, first..end),
    }
    true
}
