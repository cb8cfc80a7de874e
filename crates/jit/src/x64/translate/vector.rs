//! Vector instructions: translates what the plan says.

use super::insn_translator::InsnTranslator;
use super::{vector_access, vector_set, vector_state};
use crate::x64::vector;
use crate::x64::vector_plan::kind::Kind;
use crate::x64::vector_plan::{Action, Plan};
use capvec_sim::insn::Insn;

/// Translates instruction `k` if the plan has an action for it.
pub fn emit(t: &mut InsnTranslator<'_>, plan: &Plan, k: usize, i: &Insn) -> bool {
    let Some(action) = plan.at(k) else { return false };
    t.vregs.begin();
    match action {
        Action::Set { set, certain } => vector_set::emit(t, k, i, set, certain),
        Action::Op { op, guard: needed } => {
            if needed {
                vector_state::guard(t, k, op.state);
            }
            if !vector::emit(&mut t.vectors(), i, &op) {
                vector_access::emit(t, k, i, &op);
            }
            let access = match op.kind {
                Kind::Load(_) => Some((op.bytes, false)),
                Kind::Store(_) => Some((op.bytes, true)),
                _ => None,
            };
            let v = t.vector_insn(k, i, op.state);
            t.cycles.count_vector(&mut t.out.a, &mut t.vregs, &v, access);
        }
    }
    true
}
