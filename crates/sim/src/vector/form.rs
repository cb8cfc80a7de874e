//! Operand forms of vector arithmetic with their checks.

use super::check::Group;
use super::{Elem, Vector};
use crate::hart::Hart;
use crate::insn::{Exec, Insn, Raised};
use crate::trap::{Cause, Trap, Why};
use capvec_isa::{Ext, ExtSet};

/// The second source of an instruction: in a binary one, the operand after vs2.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A register group.
    Vector(u8),
    /// The same value for every element, truncated to the element's width.
    Scalar(u64),
}

impl Operand {
    /// vs1.
    #[inline(always)]
    pub fn v(_: &Hart, i: &Insn) -> Operand {
        Operand::Vector(i.rs1)
    }

    /// x register rs1.
    #[inline(always)]
    pub fn x(h: &Hart, i: &Insn) -> Operand {
        Operand::Scalar(h.x(i.rs1))
    }

    /// The immediate, extended as the table says.
    #[inline(always)]
    pub fn i(_: &Hart, i: &Insn) -> Operand {
        Operand::Scalar(i.imm as u64)
    }

    /// None: a unary instruction on vs2.
    #[inline(always)]
    pub fn none(_: &Hart, _: &Insn) -> Operand {
        Operand::Scalar(0)
    }

    /// Its value for element `k`.
    #[inline(always)]
    pub fn get<T: Elem>(self, v: &Vector, k: u64) -> T {
        match self {
            Operand::Vector(r) => v.get(r, k),
            Operand::Scalar(x) => T::from_u64(x),
        }
    }
}

/// EEWs of an instruction's operands: SEW·2^n each.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Destination.
    pub vd: i8,
    /// First source.
    pub vs2: i8,
    /// Second source, if it is a vector.
    pub vs1: i8,
    /// The destination is also a source.
    pub reads_vd: bool,
    /// v0 is an operand: encoded like a mask, but all body elements are active.
    pub reads_v0: bool,
}

impl Form {
    /// All operands have SEW.
    pub const SINGLE: Form = Form { vd: 0, vs2: 0, vs1: 0, reads_vd: false, reads_v0: false };
    /// Sources of SEW, destination twice as wide.
    pub const WIDEN: Form = Form { vd: 1, ..Form::SINGLE };
    /// Destination and first source twice as wide as SEW.
    pub const WIDEN_W: Form = Form { vd: 1, vs2: 1, ..Form::SINGLE };
    /// First source twice as wide as SEW.
    pub const NARROW: Form = Form { vs2: 1, ..Form::SINGLE };
    /// Multiply-add.
    pub const SINGLE_ADD: Form = Form { reads_vd: true, ..Form::SINGLE };
    /// Widening multiply-add.
    pub const WIDEN_ADD: Form = Form { reads_vd: true, ..Form::WIDEN };

    /// All operands have SEW, and v0 is one of them.
    pub const SINGLE_V0: Form = Form { reads_v0: true, ..Form::SINGLE };

    /// Source narrower than SEW by the factor 2^n.
    pub const fn extend(n: i8) -> Form {
        Form { vs2: -n, ..Form::SINGLE }
    }
}

impl Hart {
    /// All checks of an instruction that writes a vector: vtype, EEW and EMUL, alignment, overlap, v0, and sources
    /// read with two EEWs. Returns the destination.
    #[inline(always)]
    pub fn v_form(&mut self, i: &Insn, b: Operand, f: Form) -> Exec<Group> {
        self.v_ready()?;
        let vd = self.v_group(i.rd, f.vd)?;
        self.v_not_v0(i, vd)?;
        if f.reads_v0 && vd.reg == 0 {
            return self.illegal("destination overlaps v0, which is an operand");
        }
        self.v_form_sources(i, vd, b, f)
    }

    /// `v_form` for an instruction that writes a mask: vd may be v0.
    #[inline(always)]
    pub fn v_form_mask(&mut self, i: &Insn, b: Operand, f: Form) -> Exec<Group> {
        self.v_ready()?;
        self.v_form_sources(i, self.v_mask(i.rd), b, f)
    }

    /// All checks of a reduction whose scalars have SEW·2^by: vs1 and vd are single registers, and vd may
    /// overlap anything. Returns the destination.
    pub fn v_form_reduce(&mut self, i: &Insn, by: i8) -> Exec<Group> {
        self.v_ready()?;
        self.v_from_start()?;
        let vs2 = self.v_group(i.rs2, 0)?;
        let vs1 = self.v_group_at(i.rs1, vs2.eew << by, 0)?;
        let vd = Group { reg: i.rd, ..vs1 };
        self.v_sources(i, &[vs2, vs1])?;
        let agnostic = vd.clashes(vs2) || (!i.vm() && vd.clashes(self.v_mask(0)));
        Ok(Group { agnostic, ..vd })
    }

    /// Checks for a high half of a product: SEW 64 requires extension V, Zve64* does not suffice (Unprivileged ISA
    /// manual, "Zve*: Vector Extensions for Embedded Processors").
    pub fn v_high_product(&mut self, i: &Insn) -> Exec {
        self.v_ready()?;
        if self.v.vtype.sew == 64 && !self.has(Ext::V) {
            let why = Some(Why::Needs(i.op(), ExtSet::of(&[Ext::V])));
            self.trap = Trap { cause: Cause::Illegal, tval: 0, why };
            return Err(Raised);
        }
        Ok(())
    }

    #[inline(always)]
    fn v_form_sources(&mut self, i: &Insn, vd: Group, b: Operand, f: Form) -> Exec<Group> {
        let vs2 = self.v_group(i.rs2, f.vs2)?;
        let mut dst = self.v_overlap(vd, vs2)?;
        let mut vs1 = vs2;
        if let Operand::Vector(r) = b {
            vs1 = self.v_group(r, f.vs1)?;
            dst = self.v_overlap(dst, vs1)?;
        }
        if f.reads_vd {
            self.v_sources(i, &[vs2, vs1, vd])?;
        } else if f.reads_v0 {
            self.v_sources(i, &[vs2, vs1, self.v_mask(0)])?;
        } else if !i.vm() || f.vs1 != f.vs2 {
            self.v_sources(i, &[vs2, vs1])?;
        }
        Ok(dst)
    }
}
