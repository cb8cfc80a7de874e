//! Rules for vector elements, one element at a time.

use crate::bits::{Value, all, result};
use crate::roles::{Dest, Roles};
use capvec_isa::row::Taint;
use capvec_sim::Hart;
use capvec_sim::insn::Insn;
use capvec_sim::vector::Vector;

/// Element `k` of `bits` bits of the group at `reg`.
pub fn element(v: &Vector, reg: u8, k: u64, bits: u32) -> u64 {
    match bits {
        8 => v.get::<u8>(reg, k).into(),
        16 => v.get::<u16>(reg, k).into(),
        32 => v.get::<u32>(reg, k).into(),
        _ => v.get::<u64>(reg, k),
    }
}

/// Sets element `k`.
pub fn set_element(v: &mut Vector, reg: u8, k: u64, bits: u32, value: u64) {
    match bits {
        8 => v.set(reg, k, value as u8),
        16 => v.set(reg, k, value as u16),
        32 => v.set(reg, k, value as u32),
        _ => v.set(reg, k, value),
    }
}

/// The operands of an instruction on elements.
pub struct Lanes<'a> {
    /// The hart before the instruction.
    pub h: &'a Hart,
    /// The instruction.
    pub i: &'a Insn,
    /// Its operands.
    pub roles: &'a Roles,
}

impl Lanes<'_> {
    fn width(&self, by: i8) -> u32 {
        let sew = self.h.v.vtype.sew;
        if by < 0 { sew >> -by } else { sew << by }
    }

    /// Whether the element is active, and whether that depends on a secret.
    fn active(&self, shadow: &Hart, k: u64) -> (bool, bool) {
        match self.i.vm() || self.roles.v0 {
            true => (true, false),
            false => (self.h.v.mask_bit(0, k), shadow.v.mask_bit(0, k)),
        }
    }

    /// The second operand: an element, a register, or an immediate.
    fn second(&self, shadow: &Hart, k: u64) -> Value {
        let (h, i) = (self.h, self.i);
        if self.roles.v.s1 {
            let width = self.width(0);
            let of = |v: &Vector| element(v, i.rs1, k, width);
            return Value { bits: of(&h.v), taint: of(&shadow.v) };
        }
        if self.roles.x.s1 {
            return Value { bits: h.x(i.rs1), taint: shadow.x(i.rs1) }.low(self.width(0));
        }
        if self.roles.f.s1 {
            // A secret box decides whether the element is a NaN.
            return Value {
                bits: h.f[i.rs1 as usize],
                taint: all(shadow.f[i.rs1 as usize] != 0, 64),
            };
        }
        Value::public(i.imm as u64)
    }

    /// Taints the destination's elements; `extra`: something that all of them depend on is tainted.
    pub fn run(&self, shadow: &mut Hart, rule: Taint, extra: bool) {
        let (h, i, roles) = (self.h, self.i, self.roles);
        let (wide, source) = (self.width(roles.by[0]), self.width(roles.by[1]));
        for k in h.v.vstart..h.v.vl {
            let (active, secret) = self.active(shadow, k);
            if !active && !secret {
                continue;
            }
            let of = |v: &Vector| if roles.v.s2 { element(v, i.rs2, k, source) } else { 0 };
            let a = Value { bits: of(&h.v), taint: of(&shadow.v) };
            let b = self.second(shadow, k);
            let width = if roles.dest == Dest::Mask { self.width(0) } else { wide };
            let (a, b) = if roles.reversed { (b, a) } else { (a, b) };
            let mut taint = result(rule, a, b, width);
            let old = roles.adds && element(&shadow.v, i.rd, k, wide) != 0;
            let carry = roles.v0 && shadow.v.mask_bit(0, k);
            if secret || extra || old || carry {
                taint = all(true, wide);
            }
            match roles.dest {
                Dest::Mask => shadow.v.set_mask_bit(i.rd, k, taint != 0),
                _ => set_element(&mut shadow.v, i.rd, k, wide, taint),
            }
        }
    }

    /// Operations of masks on masks, bit by bit.
    pub fn run_masks(&self, shadow: &mut Hart, rule: Taint) {
        let (h, i) = (self.h, self.i);
        for k in h.v.vstart..h.v.vl {
            let bit = |r: u8| Value {
                bits: h.v.mask_bit(r, k).into(),
                taint: shadow.v.mask_bit(r, k).into(),
            };
            let taint = result(rule, bit(i.rs2), bit(i.rs1), 1);
            shadow.v.set_mask_bit(i.rd, k, taint != 0);
        }
    }

    /// A result in element 0 that depends on all elements.
    pub fn reduce(&self, shadow: &mut Hart, extra: bool) {
        let (h, i, roles) = (self.h, self.i, self.roles);
        if h.v.vstart >= h.v.vl {
            return;
        }
        let (wide, source) = (self.width(roles.by[0]), self.width(roles.by[1]));
        let element_taints = |k| {
            let (active, secret) = self.active(shadow, k);
            secret || (active && roles.v.s2 && element(&shadow.v, i.rs2, k, source) != 0)
        };
        let scalar = roles.v.s1 && element(&shadow.v, i.rs1, 0, wide) != 0;
        let tainted = extra || scalar || (0..h.v.vl).any(element_taints);
        set_element(&mut shadow.v, i.rd, 0, wide, all(tainted, wide));
    }
}
