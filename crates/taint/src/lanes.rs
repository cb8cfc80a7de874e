//! Rules for vector elements, one element at a time.

use crate::amounts;
use crate::bits::{add, mul, result, sub};
use crate::dest::Dest;
use crate::ranges;
use crate::roles::Roles;
use crate::value::{Value, all, ones};
use capvec_isa::row::Taint;
use capvec_sim::Hart;
use capvec_sim::insn::Insn;
use capvec_sim::vector::Vector;

/// Whether the registers from `reg` on have an element `k`. Those of an instruction that is about to trap may not.
fn exists(v: &Vector, reg: u8, k: u64, bits: u32) -> bool {
    (k + 1) * u64::from(bits) <= 8 * v.bytes(reg & 31).len() as u64
}

/// Element `k` of `bits` bits of the group at `reg`.
pub fn element(v: &Vector, reg: u8, k: u64, bits: u32) -> u64 {
    match bits {
        _ if !exists(v, reg, k, bits) => 0,
        8 => v.get::<u8>(reg, k).into(),
        16 => v.get::<u16>(reg, k).into(),
        32 => v.get::<u32>(reg, k).into(),
        _ => v.get::<u64>(reg, k),
    }
}

/// Sets element `k`.
pub fn set_element(v: &mut Vector, reg: u8, k: u64, bits: u32, value: u64) {
    match bits {
        _ if !exists(v, reg, k, bits) => {}
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
    /// EEW in bits, as SEW·2^by.
    pub(crate) fn width(&self, by: i8) -> u32 {
        let sew = self.h.v.vtype.sew;
        if by < 0 { sew >> -by } else { sew << by }
    }

    /// Whether elements have a width. An instruction whose elements have none is about to trap.
    pub(crate) fn has_widths(&self) -> bool {
        self.roles.by.iter().all(|by| matches!(self.width(*by), 8..=64))
    }

    /// Whether the element is active, and whether that depends on a secret.
    pub(crate) fn active(&self, shadow: &Hart, k: u64) -> (bool, bool) {
        match self.i.vm() || self.roles.v0 {
            true => (true, false),
            false => (self.h.v.mask_bit(0, k), shadow.v.mask_bit(0, k)),
        }
    }

    /// An element with its taint.
    pub(crate) fn value(&self, shadow: &Hart, reg: u8, k: u64, width: u32) -> Value {
        Value { bits: element(&self.h.v, reg, k, width), taint: element(&shadow.v, reg, k, width) }
    }

    /// A bit of a mask with its taint.
    pub(crate) fn mask(&self, shadow: &Hart, reg: u8, k: u64) -> Value {
        let of = |v: &Vector| v.mask_bit(reg, k).into();
        Value { bits: of(&self.h.v), taint: of(&shadow.v) }
    }

    /// The second operand: an element, a register, or an immediate.
    fn second(&self, shadow: &Hart, k: u64, wide: u32) -> Value {
        let (h, i, narrow) = (self.h, self.i, self.width(0));
        let extend = |value: Value| value.extend(narrow, wide.max(narrow), self.roles.signed[1]);
        if self.roles.v.s1 {
            return extend(self.value(shadow, i.rs1, k, narrow));
        }
        if self.roles.x.s1 {
            return extend(Value { bits: h.x(i.rs1), taint: shadow.x(i.rs1) });
        }
        if self.roles.f.s1 {
            // NaN-boxing: secret upper bits decide whether the element is a NaN.
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
            let taint = match secret || extra {
                true => ones(wide),
                false => {
                    let a = match roles.v.s2 {
                        true => self.value(shadow, i.rs2, k, source),
                        false => Value::default(),
                    };
                    let a = a.extend(source, wide.max(source), roles.signed[0]);
                    let b = self.second(shadow, k, wide);
                    self.element_taint(shadow, rule, k, [a, b])
                }
            };
            match roles.dest {
                Dest::Mask => shadow.v.set_mask_bit(i.rd, k, taint != 0),
                _ => set_element(&mut shadow.v, i.rd, k, wide, taint),
            }
        }
    }

    /// The taint of an active element, from that of its operands.
    fn element_taint(&self, shadow: &Hart, rule: Taint, k: u64, [a, b]: [Value; 2]) -> u64 {
        let roles = self.roles;
        let wide = self.width(roles.by[0]);
        let width = if roles.dest == Dest::Mask { self.width(0) } else { wide };
        let carry = || match roles.v0 {
            true => self.mask(shadow, 0, k),
            false => Value::default(),
        };
        match rule {
            Taint::Merge => match carry() {
                Value { taint: 0, bits: 0 } => a.taint,
                Value { taint: 0, .. } => b.taint,
                _ => a.taint | b.taint | ((a.bits ^ b.bits) & ones(width)),
            },
            Taint::Adc => {
                let sum = Value { bits: a.bits.wrapping_add(b.bits), taint: add(a, b) };
                add(sum, carry()) & ones(width)
            }
            Taint::Sbc => {
                let difference = Value { bits: a.bits.wrapping_sub(b.bits), taint: sub(a, b) };
                sub(difference, carry()) & ones(width)
            }
            Taint::Carry => ranges::carry_varies(a.low(width), b.low(width), carry(), width).into(),
            Taint::Borrow => ranges::borrow_varies(a.low(width), b.low(width), carry()).into(),
            Taint::Macc => {
                let old = self.value(shadow, self.i.rd, k, wide);
                multiply_add(roles.replaces_factor, [a, b, old], roles.subtracts, wide)
            }
            Taint::MoveBy => match roles.shift {
                Some(shift) => {
                    let width = wide.max(self.width(roles.by[1]));
                    amounts::shifted(shift, a, b, width) & ones(wide)
                }
                None => result(Taint::Each, a, b, wide),
            },
            _ => {
                let (a, b) = if roles.reversed { (b, a) } else { (a, b) };
                let old = roles.adds && element(&shadow.v, self.i.rd, k, wide) != 0;
                match old || carry().taint != 0 {
                    true => ones(wide),
                    false if roles.is_constant(self.i) => 0,
                    false => result(rule, a, b, width),
                }
            }
        }
    }

    /// Elements selected by indices, of which some are tainted.
    pub fn gather(&self, shadow: &mut Hart) {
        let (h, i, roles) = (self.h, self.i, self.roles);
        let (sew, max) = (self.width(0), h.v.vlmax());
        for k in h.v.vstart..h.v.vl {
            let (active, secret) = self.active(shadow, k);
            if !active && !secret {
                continue;
            }
            let index = match roles.v.s1 {
                true => self.value(shadow, i.rs1, k, roles.index.unwrap_or(sew)),
                false if roles.x.s1 => Value { bits: h.x(i.rs1), taint: shadow.x(i.rs1) },
                false => Value::public(i.imm as u64),
            };
            let selected = |n: u64| match n < max {
                true => self.value(shadow, i.rs2, n, sew),
                false => Value::default(),
            };
            let taint = match (secret, index.taint) {
                (true, _) => ones(sew),
                (_, 0) => selected(index.bits).taint,
                // Every index that is possible is tried, if they are few.
                (_, tainted) if tainted < 1 << 10 => {
                    let limit = (tainted as u32 + 1).next_power_of_two();
                    let high = index.bits & !u64::from(limit - 1);
                    amounts::chosen(index, limit, |n| selected(high | u64::from(n)))
                }
                _ => ones(sew),
            };
            set_element(&mut shadow.v, i.rd, k, sew, taint);
        }
    }

    /// Operations of masks on masks, bit by bit.
    pub fn run_masks(&self, shadow: &mut Hart, rule: Taint) {
        let (h, i) = (self.h, self.i);
        for k in h.v.vstart..h.v.vl {
            let (a, b) = (self.mask(shadow, i.rs2, k), self.mask(shadow, i.rs1, k));
            let taint = if self.roles.is_constant(i) { 0 } else { result(rule, a, b, 1) };
            shadow.v.set_mask_bit(i.rd, k, taint != 0);
        }
    }
}

/// The taint of a multiply-add: operands vs2, vs1 and the old destination. The destination is one of the factors
/// (`replaces_factor`) or what the product is added to.
fn multiply_add(
    replaces_factor: bool,
    [a, b, old]: [Value; 3],
    subtracts: bool,
    width: u32,
) -> u64 {
    let (x, y, to) = if replaces_factor { (old, b, a) } else { (a, b, old) };
    let (x, y) = (x.low(width), y.low(width));
    let product = Value { bits: x.bits.wrapping_mul(y.bits), taint: mul(x, y, width) };
    let sum = if subtracts { sub(to, product) } else { add(to, product) };
    sum & ones(width)
}
