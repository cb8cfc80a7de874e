//! Vector instructions whose operation is known in the state that is expected. Where it cannot be done, handlers execute them, out of
//! line: in another state, or if an access may trap.

use super::translator::Translator;
use super::{handler, memory, permission, vector_set, vector_state};
use crate::a64::asm::{Cond, Label, Op3, OpMask, Width, ZR, op3};
use crate::a64::registers::{BASE, T1, T2};
use crate::a64::vector::{self, Kind, Operation, PIECE, Vectors, select};
use crate::interface::exit::Exit;
use crate::interface::state::State;
use crate::interface::vset;
use capvec_isa::Class;
use capvec_sim::insn::Insn;
use capvec_sim::mem::table;

/// Maximum number of bytes for which unrolled code pays.
const MAX_BYTES: u64 = 1024;

/// Translates instruction `k` of its block if that is possible.
pub fn emit<'a>(t: &mut Translator<'a>, k: usize, i: &'a Insn) -> bool {
    match i.op().row().class {
        Class::Vset => return vector_set::emit(t, k, i),
        // A CSR write may set vstart.
        Class::Csr => (t.vectors.tested, t.vectors.entered) = (false, true),
        _ => {}
    }
    if vset::shortens_vl(i.op()) {
        t.vectors.state = None;
    }
    let Some((op, state)) = operation(t, i) else { return false };
    let (exit, back) = (Exit::Trap { block: t.step.number, insn: k as u8 }, t.out.a.label());
    let otherwise = t.out_of_line(move |t| {
        handler::call(t, exit, i);
        t.out.a.jump(back);
    });
    vector_state::test(t, state, otherwise);
    match op.kind {
        Kind::Load(eew) => address(t, i, (op.bytes, eew), table::READ, otherwise),
        Kind::Store(eew) => address(t, i, (op.bytes, eew), table::WRITE, otherwise),
        _ => {}
    }
    let vlenb = t.vectors.unit.config.vlen as u64 / 8;
    vector::emit(&mut Vectors { out: &mut t.out, vlenb }, i, &op);
    t.out.a.bind(back);
    true
}

/// The operation that the instruction is in the state that is expected, if it is known.
fn operation(t: &mut Translator<'_>, i: &Insn) -> Option<(Operation, State)> {
    let (state, config) = (t.vectors.state?, t.vectors.unit.config);
    let sew = state.vtype.sew;
    let kind = select(i, sew, t.out.host)?;
    let eew = match kind {
        Kind::Load(eew) | Kind::Store(eew) => eew,
        _ => sew,
    };
    let bytes = state.vl * eew as u64 / 8;
    let fits = bytes <= MAX_BYTES && bytes.is_multiple_of(PIECE);
    let known = fits && i.vm() && !state.writes_others(config, i, eew);
    let legal = known && t.vectors.judge.legal(config, i, state.vtype, state.vl);
    legal.then_some((Operation { kind, sew, bytes }, state))
}

/// `T1` = the host address of a unit-stride access of this number of bytes and this EEW; or jumps to `otherwise` unless it is permitted
/// and aligned.
fn address(t: &mut Translator<'_>, i: &Insn, (bytes, eew): (u64, u32), need: u8, otherwise: Label) {
    let base = memory::base(t, i.rs1);
    if t.vectors.unit.config.must_align.vector && eew > 8 {
        let low = eew as u64 / 8 - 1;
        t.out.a.mask((OpMask::Ands, Op3::Ands), ZR, base, low, T2);
        t.out.a.jump_if(Cond::Ne, otherwise);
    }
    permission::check_span(t, base, bytes as i64, need, otherwise);
    t.out.a.put(op3(Op3::Add, Width::X, T1, BASE, base));
}
