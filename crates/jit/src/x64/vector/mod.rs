//! Operations on vector registers: the host instructions for each kind. Loads, stores and vset, which can leave the
//! trace, are in `translate`.

pub mod access;
mod crypto;
mod element;
mod rounds;
mod slide;

use super::emit::Vectors;
use super::vector_plan::Operation;
use super::vector_plan::kind::Kind;
use capvec_sim::insn::Insn;

/// Translates an operation on registers. Returns false if it is a load or store.
pub fn emit(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation) -> bool {
    match op.kind {
        Kind::Load(_) | Kind::Store(_) | Kind::LoadStrided(_) | Kind::StoreStrided(_) => {
            return false;
        }
        Kind::Element(shape, second) => element::emit(t, i, op, shape, second),
        Kind::SlideUp => slide::up(t, i, op),
        Kind::SlideDown => slide::down(t, i, op),
        Kind::Aes(round, lane) => crypto::aes(t, i, op, round, lane),
        Kind::Ghash { add } => crypto::ghash(t, i, op, add),
        Kind::Sha256 { high } => crypto::sha256(t, i, op, high),
        Kind::Schedule256 => crypto::schedule256(t, i, op),
        Kind::Sha512 { high } => rounds::sha512(t, i, op, high),
        Kind::Schedule512 if t.out.a.avx2 => rounds::sha512_words(t, i, op),
        Kind::Schedule512 => crypto::schedule512(t, i, op),
        Kind::Sm3 => rounds::sm3(t, i, op),
        Kind::Expand => rounds::sm3_words(t, i, op),
        Kind::Sm4 { lane } => rounds::sm4(t, i, op, lane),
    }
    true
}
