//! vset{i}vl{i}.

use crate::x64::asm::{Reg, Rm};
use crate::x64::translate::Translator;
use crate::x64::vector::{self, TYPE, VL, VSTART};
use crate::x64::vector_plan::{State, Unit};
use capvec_isa::{Ext, Op};
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use iced_x86::Code;

/// A vset whose effect is known when it is translated.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// The new vtype, which is legal.
    pub vtype: VType,
    /// The new vl.
    pub vl: u64,
    /// What rs1 must be for that.
    avl: Avl,
    /// The state before, which vtype and vl are derived from. It must be tested unless it is certain.
    pub needs: Option<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Avl {
    /// Any value.
    Any,
    /// At least this.
    AtLeast(u64),
    /// Exactly this.
    Exactly(u64),
}

/// The effect of instruction `k` in `state`, if it is known.
pub fn plan(k: usize, i: &Insn, unit: &Unit<'_>, state: Option<State>) -> Option<Set> {
    let elen = if unit.config.exts.has(Ext::Zve64x) { 64 } else { 32 };
    let vtype = VType::decode(i.imm as u64, elen);
    let vlmax = vtype.vlmax(unit.config.vlen as u64);
    if vtype.vill {
        return None;
    }
    let set = |vl, avl| Some(Set { vtype, vl, avl, needs: None });
    match (i.op(), i.rs1, i.rd_is_x0()) {
        (Op::Vsetivli, avl, _) => set(vlmax.min(avl as u64), Avl::Any),
        (Op::Vsetvli, 0, false) => set(vlmax, Avl::Any),
        (Op::Vsetvli, 0, true) => {
            let before = state?;
            let same = before.vtype.vlmax(unit.config.vlen as u64) == vlmax;
            same.then_some(Set { vtype, vl: before.vl, avl: Avl::Any, needs: Some(before) })
        }
        (Op::Vsetvli, ..) => {
            let vset_vl = unit.vset_vl.iter().find(|(at, _)| *at as usize == k);
            match vset_vl.map(|(_, vl)| *vl) {
                Some(vl) if vl < vlmax => set(vl, Avl::Exactly(vl)),
                _ => set(vlmax, Avl::AtLeast(vlmax)),
            }
        }
        _ => None,
    }
}

/// Translates it. `certain`: the state before needs no test.
pub fn emit(t: &mut Translator<'_>, k: usize, i: &Insn, set: Set, certain: bool) {
    if let (Some(before), false) = (set.needs, certain) {
        vector::guard(t, k, before);
    }
    test(t, k, i, set.avl);
    t.out.a.mov_imm(Reg::RCX, set.vtype.image());
    t.out.a.store(vector::hart_field(TYPE), Reg::RCX);
    t.out.a.imm(Code::Mov_rm64_imm32, Rm::M(vector::hart_field(VL)), set.vl as i32);
    t.out.a.imm(Code::Mov_rm64_imm32, Rm::M(vector::hart_field(VSTART)), 0);
    if !i.rd_is_x0() {
        let d = t.out.target(i.rd, Reg::RAX);
        t.out.a.mov_imm(d, set.vl);
        t.out.result(i, d);
    }
}

/// Leaves to the interpreter if rs1 would give another vl.
fn test(t: &mut Translator<'_>, k: usize, i: &Insn, avl: Avl) {
    let (vl, otherwise) = match avl {
        Avl::Any => return,
        Avl::AtLeast(vl) => (vl, Code::Jb_rel32_64),
        Avl::Exactly(vl) => (vl, Code::Jne_rel32_64),
    };
    let x = t.out.x(i.rs1);
    t.out.a.imm(Code::Cmp_rm64_imm32, x, vl as i32);
    let rest = t.bailout(k);
    t.out.a.jump(otherwise, rest);
}
