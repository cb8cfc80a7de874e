//! Vector loads and stores (Unprivileged ISA manual, "Vector Loads and Stores").
//!
//! A load or store without segments is handled as one with a single field. Elements are accessed in order; a fault
//! sets vstart to its element (or segment), with everything before it done.

mod indexed;
mod strided;
mod unit;
mod whole;

pub use indexed::*;
pub use strided::*;
pub use unit::*;
pub use whole::*;

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mem::Scalar;
use crate::mode::Mode;
use crate::vector::{Elem, Group, Vector};

/// The data registers of a load or store: one group for each segment field.
#[derive(Clone, Copy)]
struct Fields {
    first: Group,
    count: u8,
}

impl Fields {
    fn iter(self) -> impl Iterator<Item = Group> {
        let Fields { first, count } = self;
        (0..count).map(move |f| Group { reg: first.reg + f * first.registers(), ..first })
    }
}

impl Hart {
    /// Checks vtype and the data registers: as many groups at `reg`, of this EEW (bits) and EMUL (log2), as the
    /// instruction has fields.
    fn v_fields(&mut self, i: &Insn, reg: u8, eew: u32, emul: i8) -> Exec<Fields> {
        self.v_ready()?;
        let first = self.v_group_at(reg, eew, emul)?;
        let count = i.aux() + 1;
        if count * first.registers() > 8 {
            return self.illegal("EMUL times fields exceeds 8");
        }
        if reg + count * first.registers() > 32 {
            return self.illegal("fields reach past v31");
        }
        Ok(Fields { first, count })
    }

    /// The data registers of an instruction that encodes EEW (bits): EMUL = EEW/SEW·LMUL.
    fn v_fields_eew(&mut self, i: &Insn, reg: u8, eew: u32) -> Exec<Fields> {
        let emul = self.v_emul(eew);
        self.v_fields(i, reg, eew, emul)
    }

    /// Checks a store's data registers as sources.
    fn v_store_sources(&mut self, i: &Insn, data: Fields) -> Exec {
        data.iter().try_for_each(|g| self.v_sources(i, &[g]))
    }

    /// Applies the tail policy from element `vl` on and resets vstart, after a load with a body.
    fn v_finish_fields(&mut self, data: Fields, vl: u64) {
        if self.v.vtype.vta {
            let from = vl as usize * data.first.eew as usize / 8;
            data.iter().for_each(|g| self.v_agnostic_from(g, from));
        }
        self.v.vstart = 0;
    }

    /// Applies the mask policy to element `k` of all fields.
    fn v_inactive<T: Elem>(&mut self, data: Fields, k: u64) {
        if self.v_ones_if_inactive() {
            data.iter().for_each(|g| self.v.set(g.reg, k, T::from_u64(u64::MAX)));
        }
    }
}

/// Loads or stores the active elements vstart..`end`; element `k` of the first field is at `address(_, k)`. A fault
/// sets vstart to the element's index.
#[inline(always)]
fn transfer<M: Mode, T: Elem + Scalar, const STORE: bool>(
    h: &mut Hart,
    i: &Insn,
    data: Fields,
    end: u64,
    address: impl Fn(&Vector, u64) -> u64,
) -> Exec {
    for k in h.v.vstart..end {
        if !h.v_active(i, k) {
            if !STORE {
                h.v_inactive::<T>(data, k);
            }
            continue;
        }
        let mut at = address(&h.v, k);
        for g in data.iter() {
            let done = if STORE {
                h.store_as::<M, T, true>(at, h.v.get(g.reg, k))
            } else {
                h.load_as::<M, T, true>(at).map(|v| h.v.set(g.reg, k, v))
            };
            if done.is_err() {
                h.v.vstart = k;
                return done;
            }
            at = at.wrapping_add(size_of::<T>() as u64);
        }
    }
    Ok(())
}
