//! Element groups, the operands of Zvkg, Zvkned, Zvknh, Zvksed and Zvksh.
//!
//! Unprivileged ISA manual, "Vector Element Groups" and, in "Vector Cryptography Extensions",
//! "Instruction Constraints". A group is EGS consecutive elements, here an array `[T; EGS]` with element 0
//! first, and EEW = SEW = `T::BITS`. None of these instructions has a mask.

use super::check::Group;
use super::{Elem, Vector};
use crate::hart::Hart;
use crate::host::{Groups, Step};
use crate::insn::{Exec, Insn};
use std::array::from_fn;

/// How an instruction reads a vector source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Group by group; the register group may be the destination.
    Vector,
    /// Group by group; the register group must not overlap the destination.
    Disjoint,
    /// `.vs`: the one group at the start of a register, which must not overlap the destination. VLEN is at least 128,
    /// so EMUL = ceil(EGW/VLEN) is 1 for the 128-bit groups that have this form.
    Scalar,
}

impl Vector {
    /// Group `g` of the register group that starts at `reg`.
    #[inline(always)]
    pub fn group<T: Elem, const EGS: usize>(&self, reg: u8, g: u64) -> [T; EGS] {
        from_fn(|k| self.get(reg, g * EGS as u64 + k as u64))
    }

    /// Sets group `g` of the register group that starts at `reg`.
    #[inline(always)]
    pub fn set_group<T: Elem, const EGS: usize>(&mut self, reg: u8, g: u64, group: [T; EGS]) {
        for (k, v) in group.into_iter().enumerate() {
            self.set(reg, g * EGS as u64 + k as u64, v);
        }
    }
}

impl Hart {
    /// Checks common to all instructions on groups of `egs` elements of type `T`; returns the destination.
    #[inline(always)]
    pub(super) fn v_group_destination<T: Elem>(&mut self, reg: u8, egs: u64) -> Exec<Group> {
        self.v_ready()?;
        if self.v.vtype.sew != T::BITS {
            return self.illegal("SEW is not one that the instruction has");
        }
        self.v_whole_groups(egs)?;
        self.v_group(reg, 0)
    }

    /// Traps unless vl and vstart count whole groups of `egs` elements, and a register group has room for one.
    #[inline(always)]
    pub fn v_whole_groups(&mut self, egs: u64) -> Exec {
        if !self.v.vl.is_multiple_of(egs) {
            return self.illegal("vl is not a multiple of the element group size");
        }
        if !self.v.vstart.is_multiple_of(egs) {
            return self.illegal("vstart is not a multiple of the element group size");
        }
        // LMUL·VLEN < EGW, in elements.
        if self.v.vlmax() < egs {
            return self.illegal("LMUL·VLEN is less than an element group");
        }
        Ok(())
    }

    #[inline(always)]
    fn v_group_source(&mut self, vd: Group, reg: u8, how: Source) -> Exec {
        match how {
            Source::Vector => self.v_group(reg, 0).map(|_| ()),
            Source::Disjoint => {
                let source = self.v_group(reg, 0)?;
                self.v_disjoint(vd, source)
            }
            Source::Scalar => {
                let source = self.v_group_at(reg, vd.eew, 0)?;
                self.v_disjoint(vd, source)
            }
        }
    }

    /// The group of a source that goes with group `g` of the destination.
    #[inline(always)]
    fn v_source_group<T: Elem, const EGS: usize>(&self, reg: u8, how: Source, g: u64) -> [T; EGS] {
        self.v.group(reg, if how == Source::Scalar { 0 } else { g })
    }

    /// Does the step on groups vstart..vl with the host's instructions, if it has them; returns whether it did. vs1 is
    /// read group by group.
    #[inline(always)]
    fn v_groups_by_host(&mut self, i: &Insn, vs2: Source, step: Step, egs: u64) -> bool {
        let v = &mut self.v;
        let (bytes, first) = (step.bytes(), (v.vstart / egs) as usize);
        let at = |reg: u8| reg as usize * v.vlenb() + first * bytes;
        let (vd, vs1) = (at(i.rd), at(i.rs1));
        let (vs2, step_of_vs2) = match vs2 {
            Source::Scalar => (i.rs2 as usize * v.vlenb(), 0),
            _ => (at(i.rs2), bytes),
        };
        let count = ((v.vl / egs) as usize).saturating_sub(first);
        let groups = Groups { vd, vs2, step: step_of_vs2, vs1, count };
        self.host.groups(step, v.bytes_mut(0), groups)
    }

    /// Sets every group of vd to `f(vd, vs2)` of the corresponding groups. `step` is the host's equivalent of `f`.
    #[inline(always)]
    pub fn v_groups<T: Elem, const EGS: usize>(
        &mut self,
        i: &Insn,
        vs2: Source,
        step: Option<Step>,
        f: impl Fn([T; EGS], [T; EGS]) -> [T; EGS],
    ) -> Exec {
        let egs = EGS as u64;
        let vd = self.v_group_destination::<T>(i.rd, egs)?;
        self.v_group_source(vd, i.rs2, vs2)?;
        if step.is_some_and(|step| self.v_groups_by_host(i, vs2, step, egs)) {
            self.v_finish(vd);
            return Ok(());
        }
        for g in self.v.vstart / egs..self.v.vl / egs {
            let b = self.v_source_group(i.rs2, vs2, g);
            let result = f(self.v.group(i.rd, g), b);
            self.v.set_group(i.rd, g, result);
        }
        self.v_finish(vd);
        Ok(())
    }

    /// Sets every group of vd to `f(vd, vs2, vs1)` of the corresponding groups. `step` as in `v_groups`.
    #[inline(always)]
    pub fn v_groups3<T: Elem, const EGS: usize>(
        &mut self,
        i: &Insn,
        [vs2, vs1]: [Source; 2],
        step: Option<Step>,
        f: impl Fn([T; EGS], [T; EGS], [T; EGS]) -> [T; EGS],
    ) -> Exec {
        let egs = EGS as u64;
        let vd = self.v_group_destination::<T>(i.rd, egs)?;
        self.v_group_source(vd, i.rs2, vs2)?;
        self.v_group_source(vd, i.rs1, vs1)?;
        if step.is_some_and(|step| self.v_groups_by_host(i, vs2, step, egs)) {
            self.v_finish(vd);
            return Ok(());
        }
        for g in self.v.vstart / egs..self.v.vl / egs {
            let b = self.v_source_group(i.rs2, vs2, g);
            let c = self.v_source_group(i.rs1, vs1, g);
            let result = f(self.v.group(i.rd, g), b, c);
            self.v.set_group(i.rd, g, result);
        }
        self.v_finish(vd);
        Ok(())
    }
}
