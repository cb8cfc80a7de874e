//! Rules for results that depend on many elements: reductions, and scans of masks.

use crate::bits::result;
use crate::dest::Dest;
use crate::lanes::{Lanes, element, set_element};
use crate::ranges::varying;
use crate::value::{Value, all, and, ones, or};
use capvec_isa::Op;
use capvec_isa::row::Taint;
use capvec_sim::Hart;

impl Lanes<'_> {
    /// A result in element 0 that depends on all elements.
    pub fn reduce(&self, shadow: &mut Hart, extra: bool) {
        let (h, i, roles) = (self.h, self.i, self.roles);
        if h.v.vstart >= h.v.vl {
            return;
        }
        let wide = self.width(roles.by[0]);
        let taint = match roles.step {
            Some(step) if !extra && roles.v.s1 => self.steps(shadow, step, wide),
            _ => all(extra || self.any_operand(shadow, wide), wide),
        };
        set_element(&mut shadow.v, i.rd, 0, wide, taint);
    }

    fn any_operand(&self, shadow: &Hart, wide: u32) -> bool {
        let (h, i, roles) = (self.h, self.i, self.roles);
        let source = self.width(roles.by[1]);
        let tainted = |k| {
            let (active, secret) = self.active(shadow, k);
            secret || (active && roles.v.s2 && element(&shadow.v, i.rs2, k, source) != 0)
        };
        let scalar = roles.v.s1 && element(&shadow.v, i.rs1, 0, wide) != 0;
        scalar || (0..h.v.vl).any(tainted)
    }

    /// The elements, one after the other.
    fn steps(&self, shadow: &Hart, step: Taint, wide: u32) -> u64 {
        let (i, roles) = (self.i, self.roles);
        let source = self.width(roles.by[1]);
        let mut sum = self.value(shadow, i.rs1, 0, wide);
        for k in 0..self.h.v.vl {
            let next = self.value(shadow, i.rs2, k, source).extend(source, wide, roles.signed[0]);
            let bits = combine(step, sum.bits, next.bits, wide);
            let with = Value { bits, taint: result(step, sum, next, wide) };
            sum = match self.active(shadow, k) {
                (_, true) => Value {
                    bits: if self.h.v.mask_bit(0, k) { bits } else { sum.bits },
                    taint: with.taint | sum.taint | (with.bits ^ sum.bits),
                },
                (true, false) => with,
                (false, false) => sum,
            };
        }
        sum.taint
    }

    /// The number of ones in a mask, or the index of the first one.
    pub fn scan_to_x(&self, shadow: &Hart) -> u64 {
        let (mut fewest, mut most) = (0, 0);
        let (mut first, mut last) = (None, None);
        for k in 0..self.h.v.vl {
            let bit = self.active_bit(shadow, k);
            let (may, must) = (bit.bits | bit.taint != 0, bit.known() != 0);
            (fewest, most) = (fewest + u64::from(must), most + u64::from(may));
            if may && first.is_none() {
                first = Some(k);
            }
            if must && last.is_none() {
                last = Some(k);
            }
        }
        match self.i.op() {
            Op::VcpopM => varying(fewest, most),
            // Without a one, the result is −1.
            _ => match (first, last) {
                (None, _) => 0,
                (Some(from), Some(to)) => varying(from, to),
                (Some(_), None) => u64::MAX,
            },
        }
    }

    /// The bit of the source mask, if it is active.
    fn active_bit(&self, shadow: &Hart, k: u64) -> Value {
        let bit = self.mask(shadow, self.i.rs2, k);
        if self.i.vm() {
            return bit;
        }
        let mask = self.mask(shadow, 0, k);
        Value { bits: bit.bits & mask.bits, taint: and(bit, mask) }
    }

    /// `viota.m`, `vid.v`, and the masks around the first one.
    pub fn scan(&self, shadow: &mut Hart) {
        let (h, i, roles) = (self.h, self.i, self.roles);
        let sew = self.width(0);
        let (mut fewest, mut most) = (0, 0);
        // Whether there has been a one.
        let mut seen = Value::default();
        // Only `vid.v` has a vstart other than 0; the others trap then.
        for k in h.v.vstart..h.v.vl {
            let (active, secret) = self.active(shadow, k);
            let bit = match i.op() {
                Op::VidV => Value::default(),
                _ => self.active_bit(shadow, k),
            };
            let count = varying(fewest, most) & ones(sew);
            let after = Value { bits: seen.bits | bit.bits, taint: or(seen, bit) };
            let taint = match i.op() {
                Op::VmsbfM => after.taint,
                Op::VmsifM => seen.taint,
                Op::VmsofM => and(bit, Value { bits: seen.bits ^ 1, ..seen }),
                Op::ViotaM => count,
                _ => 0,
            };
            let taint = if secret { ones(sew) } else { taint };
            if (active || secret) && roles.dest == Dest::Mask {
                shadow.v.set_mask_bit(i.rd, k, taint != 0);
            } else if active || secret {
                set_element(&mut shadow.v, i.rd, k, sew, taint);
            }
            fewest += u64::from(bit.known() != 0);
            most += u64::from((bit.bits | bit.taint) != 0);
            seen = after;
        }
    }
}

/// A step of a reduction on numbers.
fn combine(step: Taint, a: u64, b: u64, width: u32) -> u64 {
    let sign = if matches!(step, Taint::Min | Taint::Max) { 1 << (width - 1) } else { 0 };
    let less = (a ^ sign) < (b ^ sign);
    let value = match step {
        Taint::And => a & b,
        Taint::Or => a | b,
        Taint::Xor => a ^ b,
        Taint::Min | Taint::Minu => {
            if less {
                a
            } else {
                b
            }
        }
        Taint::Max | Taint::Maxu => {
            if less {
                b
            } else {
                a
            }
        }
        _ => a.wrapping_add(b),
    };
    value & ones(width)
}
