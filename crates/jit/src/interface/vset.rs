//! What instructions do to vl and vtype, as far as that is known when code is generated.

use crate::interface::state::{State, Unit};
use capvec_isa::{Ext, Op};
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;

/// A vset whose effect is known when it is translated.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// The new vtype, which is legal.
    pub vtype: VType,
    /// The new vl.
    pub vl: u64,
    /// What rs1 must be for that.
    pub avl: Avl,
    /// The state before, which vtype and vl are derived from. It must be tested unless it is certain.
    pub needs: Option<State>,
}

/// What rs1, the application vector length, must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Avl {
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

/// Whether the instruction may set vl to less than it was: fault-only-first loads.
pub fn shortens_vl(op: Op) -> bool {
    matches!(op, Op::Vle8ffV | Op::Vle16ffV | Op::Vle32ffV | Op::Vle64ffV)
}
