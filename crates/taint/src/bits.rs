//! Rules on values with taint: a value and the mask of its bits that are tainted.
//!
//! Sums and differences: H. Vishwanathan, M. Shachnai, S. Narayana, S. Nagarakatte, "Sound, Precise, and Fast Abstract
//! Interpretation with Tristate Numbers", CGO 2022.

use capvec_isa::row::Taint;

/// A value of which only some bits are public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The value in this run.
    pub bits: u64,
    /// The bits that depend on a secret.
    pub taint: u64,
}

impl Value {
    /// A public value.
    pub fn public(bits: u64) -> Value {
        Value { bits, taint: 0 }
    }

    /// The lowest `width` bits.
    pub fn low(self, width: u32) -> Value {
        let mask = ones(width);
        Value { bits: self.bits & mask, taint: self.taint & mask }
    }

    /// The value with 0 for every tainted bit.
    fn known(self) -> u64 {
        self.bits & !self.taint
    }

    /// The smallest and largest numbers that it may be. `sign`: the bit that counts negatively, or 0.
    fn range(self, sign: u64) -> (u64, u64) {
        // Flipping the sign bit maps the order of signed numbers to that of unsigned ones.
        let flipped = Value { bits: self.bits ^ sign, ..self };
        (flipped.known(), flipped.bits | flipped.taint)
    }
}

/// The lowest `width` bits set.
pub fn ones(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// All bits of the width, if `tainted`.
pub fn all(tainted: bool, width: u32) -> u64 {
    if tainted { ones(width) } else { 0 }
}

/// The sign bit of the lowest `width` bits extended.
fn sign_extend(bits: u64, width: u32) -> u64 {
    ((bits << (64 - width)) as i64 >> (64 - width)) as u64
}

/// The tainted bits of an instruction's result of `width` bits.
pub fn result(rule: Taint, a: Value, b: Value, width: u32) -> u64 {
    // A source may be wider than the result.
    let any = (a.taint | b.taint) != 0;
    let (a, b) = (a.low(width), b.low(width));
    let mask = ones(width);
    match rule {
        Taint::Clean => 0,
        Taint::Xor => a.taint | b.taint,
        Taint::And => and(a, b),
        Taint::Or => or(a, b),
        Taint::Andn => and(a, not(b)) & mask,
        Taint::Orn => or(a, not(b)) & mask,
        Taint::Add => add(a, b) & mask,
        Taint::Sub => sub(a, b) & mask,
        Taint::Mul => mul(a, b) & mask,
        Taint::AddW => sign_extend(add(a.low(32), b.low(32)), 32),
        Taint::SubW => sign_extend(sub(a.low(32), b.low(32)), 32),
        Taint::MulW => sign_extend(mul(a.low(32), b.low(32)), 32),
        Taint::Eq => u64::from(equality_varies(a, b)),
        Taint::Lt => u64::from(order_varies(a, b, 1 << (width - 1))),
        Taint::Ltu => u64::from(order_varies(a, b, 0)),
        _ => all(any, width),
    }
}

fn not(a: Value) -> Value {
    Value { bits: !a.bits, ..a }
}

fn and(a: Value, b: Value) -> u64 {
    (a.taint & b.taint) | (a.taint & b.bits) | (b.taint & a.bits)
}

fn or(a: Value, b: Value) -> u64 {
    (a.taint & b.taint) | (a.taint & !b.bits) | (b.taint & !a.bits)
}

fn add(a: Value, b: Value) -> u64 {
    let low = a.known().wrapping_add(b.known());
    let high = low.wrapping_add(a.taint.wrapping_add(b.taint));
    (low ^ high) | a.taint | b.taint
}

fn sub(a: Value, b: Value) -> u64 {
    let difference = a.known().wrapping_sub(b.known());
    let (low, high) = (difference.wrapping_sub(b.taint), difference.wrapping_add(a.taint));
    (low ^ high) | a.taint | b.taint
}

/// A change of `a` is a multiple of its lowest tainted bit, and is multiplied by a multiple of the lowest bit that `b` may have.
fn mul(a: Value, b: Value) -> u64 {
    let least = |x: u64| x.trailing_zeros();
    let change = |a: Value, b: Value| least(a.taint) + least(b.bits | b.taint);
    match change(a, b).min(change(b, a)) {
        n @ 0..64 => u64::MAX << n,
        _ => 0,
    }
}

/// Whether the answer to a = b depends on tainted bits.
pub fn equality_varies(a: Value, b: Value) -> bool {
    let taint = a.taint | b.taint;
    taint != 0 && (a.bits ^ b.bits) & !taint == 0
}

/// Whether the answer to a < b or a ≤ b depends on tainted bits.
pub fn order_varies(a: Value, b: Value, sign: u64) -> bool {
    let ((a_min, a_max), (b_min, b_max)) = (a.range(sign), b.range(sign));
    a.taint | b.taint != 0 && a_min <= b_max && b_min <= a_max
}

#[cfg(test)]
mod tests {
    use super::{Value, result};
    use capvec_isa::row::Taint;

    /// Every value and every taint of four bits, against all results that are possible.
    #[test]
    fn each_rule_covers_every_change_of_four_bits() {
        type Function = fn(u64, u64) -> u64;
        // Whether every tainted bit can change.
        let rules: [(Taint, Function, bool); 11] = [
            (Taint::Xor, |a, b| a ^ b, true),
            (Taint::And, |a, b| a & b, true),
            (Taint::Or, |a, b| a | b, true),
            (Taint::Andn, |a, b| a & !b & 15, true),
            (Taint::Orn, |a, b| (a | !b) & 15, true),
            (Taint::Add, |a, b| (a + b) & 15, true),
            (Taint::Sub, |a, b| a.wrapping_sub(b) & 15, true),
            (Taint::Mul, |a, b| (a * b) & 15, false),
            (Taint::Eq, |a, b| u64::from(a == b), true),
            (Taint::Ltu, |a, b| u64::from(a < b), false),
            (Taint::Lt, |a, b| u64::from(((a << 60) as i64) < (b << 60) as i64), false),
        ];
        for (rule, f, exact) in rules {
            for n in 0u64..1 << 16 {
                let [a, b, s, t] = [n & 15, n >> 4 & 15, n >> 8 & 15, n >> 12];
                let found =
                    result(rule, Value { bits: a, taint: s }, Value { bits: b, taint: t }, 4);
                let mut changes = 0;
                for x in (0..16).filter(|x| (x ^ a) & !s == 0) {
                    for y in (0..16).filter(|y| (y ^ b) & !t == 0) {
                        changes |= f(a, b) ^ f(x, y);
                    }
                }
                assert_eq!(changes & !found, 0, "{rule:?} of {a}/{s} and {b}/{t}: {found:x}");
                assert!(!exact || found == changes, "{rule:?} of {a}/{s} and {b}/{t}: {found:x}");
            }
        }
    }
}
