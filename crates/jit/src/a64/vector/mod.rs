//! Operations on vector registers, 16 bytes at a time. Nothing is held in registers of the host from one instruction to the next:
//! each piece is loaded from the hart's vector registers and stored there.
//!
//! `select` says what can be translated, and `kind` into what. The address of a load or store is checked by `translate::vector`.

mod access;
mod crypto;
mod element;
mod kind;
mod operation;
mod select;
mod shift;

pub use kind::Kind;
pub use operation::{FILE, Operation, PIECE, Vectors};
pub use select::select;

use capvec_sim::insn::Insn;

/// Emits the operation. That of a load or store is at the host address in `T1`.
pub fn emit(t: &mut Vectors<'_>, i: &Insn, op: &Operation) {
    match op.kind {
        Kind::Load(_) => access::load(t, i, op),
        Kind::Store(_) => access::store(t, i, op),
        Kind::Element(element, second) => element::emit(t, i, op, (element, second)),
        Kind::Shift(shift, second) => shift::emit(t, i, op, (shift, second)),
        Kind::Aes(round, lane) => crypto::aes_round(t, i, op, (round, lane)),
        Kind::Ghash { add } => crypto::ghash(t, i, op, add),
    }
}
