//! vset{i}vl{i}.

use super::handler;
use super::translator::Translator;
use super::vector_state::{field, set_holds, test};
use crate::a64::asm::{Cond, Label, Transfer, Width, ZR};
use crate::a64::registers::{HART, T0, T1};
use crate::interface::exit::Exit;
use crate::interface::state::State;
use crate::interface::vset::{self, Avl, Set};
use capvec_sim::insn::Insn;
use capvec_sim::vector::Vector;
use std::mem::offset_of;

/// Translates instruction `k` if its effect is known. Where rs1 or the state before is not as expected, its handler is called.
pub fn emit<'a>(t: &mut Translator<'a>, k: usize, i: &'a Insn) -> bool {
    let set = vset::plan(k, i, t.vectors.unit, t.vectors.state);
    if let Some(set) = set {
        let back = t.out.a.label();
        if set.needs.is_some() || set.avl != Avl::Any {
            test_before(t, k, i, &set, back);
        }
        write(t, i, &set);
        t.out.a.bind(back);
    }
    let state = set.and_then(|set| State::of(set.vtype, set.vl));
    (t.vectors.state, t.vectors.tested, t.vectors.entered) = (state, state.is_some(), true);
    set.is_some()
}

/// Has the handler called, out of line, unless the effect is that of `set`. Control continues at `back`.
fn test_before<'a>(t: &mut Translator<'a>, k: usize, i: &'a Insn, set: &Set, back: Label) {
    let exit = Exit::Trap { block: t.step.number, insn: k as u8 };
    let other = t.out_of_line(move |t| {
        set_holds(t, false);
        handler::call(t, exit, i);
        t.out.a.jump(back);
    });
    if let Some(before) = set.needs {
        test(t, before, other);
    }
    let (expected, cond) = match set.avl {
        Avl::Any => return,
        Avl::AtLeast(vl) => (vl, Cond::Lo),
        Avl::Exactly(vl) => (vl, Cond::Ne),
    };
    let x = t.out.x(i.rs1, T0);
    t.out.a.compare_imm(Width::X, x, expected as i64, T1);
    t.out.a.jump_if(cond, other);
}

/// Sets vtype, vl, vstart and rd.
fn write(t: &mut Translator<'_>, i: &Insn, set: &Set) {
    let a = &mut t.out.a;
    let fields = [(offset_of!(Vector, vtype), set.vtype.image()), (offset_of!(Vector, vl), set.vl)];
    for (offset, value) in fields {
        a.mov_imm(T0, value);
        a.transfer(Transfer::Str, T0, HART, field(offset));
    }
    a.transfer(Transfer::Str, ZR, HART, field(offset_of!(Vector, vstart)));
    if !i.rd_is_x0() {
        let d = t.out.target(i.rd, T0);
        t.out.a.mov_imm(d, set.vl);
        t.out.wrote_word(i.rd, d);
    }
    set_holds(t, true);
}
