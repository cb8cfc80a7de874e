//! The data of unit-stride loads and stores, at the host address in `T1`.

use super::operation::{Operation, Vectors};
use crate::a64::asm::{Quad, V};
use crate::a64::registers::{T1, T2};
use capvec_sim::insn::Insn;

const DATA: V = V(0);

/// Loads.
pub fn load(t: &mut Vectors<'_>, i: &Insn, op: &Operation) {
    for at in op.pieces() {
        t.out.a.quad(Quad::Ldr, DATA, (T1, at as i64), T2);
        t.store(DATA, i.rd, at);
    }
}

/// Stores.
pub fn store(t: &mut Vectors<'_>, i: &Insn, op: &Operation) {
    for at in op.pieces() {
        t.load(DATA, i.rs3, at);
        t.out.a.quad(Quad::Str, DATA, (T1, at as i64), T2);
    }
}
