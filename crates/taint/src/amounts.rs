//! Rules for operands that decide places: amounts of shifts, numbers of bits, indices. A tainted one may have several values;
//! the result depends on a secret where results for these values differ.

use crate::value::{self, Value, ones, sign_extend};
use capvec_isa::row::Taint;

/// How an instruction shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// To the left.
    Left,
    /// To the right, with zeros shifted in.
    Right,
    /// To the right, with copies of the sign shifted in.
    Arithmetic,
    /// Rotates to the left.
    RotateLeft,
    /// Rotates to the right.
    RotateRight,
}

impl Shift {
    /// How instructions with this stem (the first part of the mnemonic) shift, if they do.
    pub(crate) fn of(stem: &str) -> Option<Shift> {
        Some(match stem {
            "sll" | "sllw" | "vsll" | "vwsll" => Shift::Left,
            "srl" | "srlw" | "vsrl" | "vnsrl" => Shift::Right,
            "sra" | "sraw" | "vsra" | "vnsra" => Shift::Arithmetic,
            "rol" | "rolw" | "vrol" => Shift::RotateLeft,
            "ror" | "rorw" | "vror" => Shift::RotateRight,
            _ => return None,
        })
    }

    fn apply(self, x: u64, by: u32, width: u32) -> u64 {
        let left = x << by;
        let right = (x & ones(width)) >> by;
        let shifted = match self {
            Shift::Left => left,
            Shift::Right => right,
            Shift::Arithmetic => (sign_extend(x, width) as i64 >> by) as u64,
            Shift::RotateLeft | Shift::RotateRight if by == 0 => x,
            Shift::RotateLeft => left | (x & ones(width)) >> (width - by),
            Shift::RotateRight => right | x << (width - by),
        };
        shifted & ones(width)
    }
}

/// The values that the lowest bits of `amount`, those below the power of two `limit`, may have.
fn possible(amount: Value, limit: u32) -> impl Iterator<Item = u32> {
    let differ = move |n: u32| (u64::from(n) ^ amount.bits) & !amount.taint & u64::from(limit - 1);
    (0..limit).filter(move |n| differ(*n) == 0)
}

/// The tainted bits of `a` shifted by an amount that may be tainted.
pub fn shifted(shift: Shift, a: Value, amount: Value, width: u32) -> u64 {
    let now = shift.apply(a.bits, amount.bits as u32 & (width - 1), width);
    possible(amount, width).fold(0, |taint, by| {
        taint | shift.apply(a.taint, by, width) | (shift.apply(a.bits, by, width) ^ now)
    })
}

/// Instructions of Zbs.
pub fn single_bit(rule: Taint, a: Value, number: Value, width: u32) -> u64 {
    let bit = |n: u32| 1u64 << n;
    let now = bit(number.bits as u32 & (width - 1));
    let anywhere = possible(number, width).fold(0, |all, n| all | bit(n));
    let at = Value { bits: now, taint: if anywhere == now { 0 } else { anywhere } };
    match rule {
        Taint::Bclr => value::and(a, value::not(at)) & ones(width),
        Taint::Bset => value::or(a, at),
        Taint::Binv => a.taint | at.taint,
        _ => {
            let set = a.bits & now != 0;
            let may_differ = |n: u32| a.taint & bit(n) != 0 || (a.bits & bit(n) != 0) != set;
            u64::from(possible(number, width).any(may_differ))
        }
    }
}

/// Instructions of Zbkx: lanes of `lane` bits of `indices` select lanes of `table`.
pub fn lookup(table: Value, indices: Value, lane: u32, width: u32) -> u64 {
    let lanes = width / lane;
    let at = |v: Value, k: u32| {
        Value { bits: v.bits >> (lane * k), taint: v.taint >> (lane * k) }.low(lane)
    };
    let selected = |n: u32| if n < lanes { at(table, n) } else { Value::public(0) };
    (0..lanes).fold(0, |taint, k| {
        let index = at(indices, k);
        taint | chosen(index, 1 << lane, selected) << (lane * k)
    })
}

/// The tainted bits of the value that an index below the power of two `limit` selects.
pub fn chosen(index: Value, limit: u32, selected: impl Fn(u32) -> Value) -> u64 {
    let now = selected(index.bits as u32 & (limit - 1)).bits;
    possible(index, limit).fold(0, |taint, n| {
        let one = selected(n);
        taint | one.taint | (one.bits ^ now)
    })
}
