//! Vector instructions.
//!
//! `plan.rs` decides what each becomes, and `kind.rs` lists the host instructions for it. Only the common case is
//! translated: all elements of whole lanes, vstart 0, known vtype and vl. Handlers do the rest, and also decide what
//! is legal (`judge.rs`).

mod crypto;
mod element;
mod rounds;
mod slide;

use crate::x64::asm::vector::Wide;
use crate::x64::asm::{Label, Mem, Reg, Rm, at};
use crate::x64::emit::regs::HART;
use crate::x64::translate::{Translator, hart_displ};
use crate::x64::translate::{vector_access as access, vector_set as config};
use crate::x64::vector_plan::kind::Kind;
use crate::x64::vector_plan::{Operation, State, Step};
use capvec_sim::Hart;
use capvec_sim::insn::Insn;
use capvec_sim::vector::Vector;
use iced_x86::Code;
use std::mem::offset_of;

pub const TYPE: usize = offset_of!(Hart, v) + offset_of!(Vector, vtype);
pub const VL: usize = offset_of!(Hart, v) + offset_of!(Vector, vl);
pub const VSTART: usize = offset_of!(Hart, v) + offset_of!(Vector, vstart);

/// The memory operand of the hart's field at `offset`.
pub fn hart_field(offset: usize) -> Mem {
    at(HART, hart_displ(offset))
}

/// The pieces in which the first `bytes` of a group are processed. The last one may extend beyond them.
pub fn pieces(bytes: u32, max_width: Wide) -> impl Iterator<Item = (u32, Wide)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let w = (at < bytes).then(|| Wide::within(bytes - at).min(max_width))?;
        at += w.bytes();
        Some((at - w.bytes(), w))
    })
}

/// Number of bytes of a piece that belong to the group's first `bytes`, unless all do.
pub fn cut(bytes: u32, at: u32, w: Wide) -> Option<u32> {
    Some(bytes - at).filter(|rest| *rest < w.bytes())
}

/// Tests vtype, vl and vstart at the block's entry; jumps to `otherwise` if they are not those that the code is made
/// for.
pub fn enter(t: &mut Translator<'_>, otherwise: Label) {
    if let Some(state) = t.plan.entry {
        test(t, state, otherwise);
    }
}

/// Translates instruction `k` if the plan has a step for it.
pub fn emit(t: &mut Translator<'_>, k: usize, i: &Insn) -> bool {
    let Some(step) = t.plan.at(k) else { return false };
    t.file.begin();
    match step {
        Step::Set { set, certain } => config::emit(t, k, i, set, certain),
        Step::Op { op, guard: needed } => {
            if needed {
                guard(t, k, op.state);
            }
            operation(t, k, i, &op);
            let access = match op.kind {
                Kind::Load(_) => Some((op.bytes, false)),
                Kind::Store(_) => Some((op.bytes, true)),
                _ => None,
            };
            t.count_vector(k, i, (op.state.vtype, op.state.vl), access);
        }
    }
    true
}

fn operation(t: &mut Translator<'_>, k: usize, i: &Insn, op: &Operation) {
    match op.kind {
        Kind::Load(_) => access::emit(t, k, i, op, false),
        Kind::Store(_) => access::emit(t, k, i, op, true),
        Kind::LoadStrided(eew) => access::strided(t, k, i, op, eew, false),
        Kind::StoreStrided(eew) => access::strided(t, k, i, op, eew, true),
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
}

/// Leaves to the interpreter from instruction `k` on unless vtype and vl are these and vstart is 0.
pub fn guard(t: &mut Translator<'_>, k: usize, state: State) {
    let rest = t.bailout(k);
    test(t, state, rest);
}

fn test(t: &mut Translator<'_>, state: State, otherwise: Label) {
    t.out.a.mov_imm(Reg::RAX, state.vtype.image());
    t.out.a.op2_to(Code::Cmp_rm64_r64, Rm::M(hart_field(TYPE)), Reg::RAX);
    t.out.a.jump(Code::Jne_rel32_64, otherwise);
    for (field, value) in [(VL, state.vl), (VSTART, 0)] {
        t.out.a.imm(Code::Cmp_rm64_imm32, Rm::M(hart_field(field)), value as i32);
        t.out.a.jump(Code::Jne_rel32_64, otherwise);
    }
}
