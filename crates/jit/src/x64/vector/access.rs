//! Unit-stride loads and stores.

use super::asm::Vm;
use super::file::Piece;
use super::plan::Operation;
use super::{cut, pieces};
use crate::x64::asm::{Reg, indexed_at};
use crate::x64::memory;
use crate::x64::regs::BASE;
use crate::x64::translate::Translator;
use capvec_sim::insn::Insn;

/// Translates a load or store, instruction `k`.
pub fn emit(t: &mut Translator<'_>, k: usize, i: &Insn, op: &Operation, store: bool) {
    let base = t.x_in(i.rs1, Reg::RAX);
    memory::check_span(t, k, i.rs1, base, op.bytes, store);
    t.note_address(k, base);
    let first = if store { i.rs3 } else { i.rd } as u32 * t.plan.vlenb;
    for (at, w) in pieces(op.bytes) {
        t.file.unlock();
        let memory = indexed_at(BASE, base, at as i64);
        let piece = Piece { at: first + at, w };
        if store {
            let v = t.file.read(&mut t.a, piece);
            match cut(op.bytes, at, w) {
                None => t.a.v_store(w, memory, v),
                Some(len) => {
                    t.a.mask_first(Reg::RCX, len);
                    t.a.v_store_masked(w, memory, v);
                }
            }
        } else {
            if let Some(len) = cut(op.bytes, at, w) {
                let v = t.file.modify(&mut t.a, piece);
                t.a.mask_first(Reg::RCX, len);
                t.a.v_load_masked(w, v, memory);
            } else {
                let v = t.file.write(&mut t.a, piece);
                t.a.v_mov(w, v, Vm::M(memory));
            }
        }
    }
}
