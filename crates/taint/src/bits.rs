//! Rules on values with taint: a value and the mask of its bits that are tainted.
//!
//! Sums and differences: H. Vishwanathan, M. Shachnai, S. Narayana, S. Nagarakatte, "Sound, Precise, and Fast Abstract
//! Interpretation with Tristate Numbers", CGO 2022.

use crate::value::{Value, all, and, not, ones, or, sign_extend};
use crate::{amounts, carryless, ranges};
use capvec_isa::row::Taint;

/// The tainted bits of an instruction's result of `width` bits.
pub fn result(rule: Taint, a: Value, b: Value, width: u32) -> u64 {
    // A source may be wider than the result.
    let any = (a.taint | b.taint) != 0;
    let (a, b) = (a.low(width), b.low(width));
    let mask = ones(width);
    let sign = 1 << (width - 1);
    match rule {
        Taint::Clean => 0,
        _ if !any => 0,
        Taint::Xor => a.taint | b.taint,
        Taint::And => and(a, b),
        Taint::Or => or(a, b),
        Taint::Andn => and(a, not(b)) & mask,
        Taint::Orn => or(a, not(b)) & mask,
        Taint::Add => add(a, b) & mask,
        Taint::Sub => sub(a, b) & mask,
        Taint::Mul => mul(a, b, width),
        Taint::AddW => sign_extend(add(a.low(32), b.low(32)), 32),
        Taint::SubW => sign_extend(sub(a.low(32), b.low(32)), 32),
        Taint::MulW => sign_extend(mul(a.low(32), b.low(32), 32), 32),
        Taint::Eq => u64::from(equality_varies(a, b)),
        Taint::Lt => u64::from(order_varies(a, b, sign)),
        Taint::Ltu => u64::from(order_varies(a, b, 0)),
        Taint::Min => ranges::lesser(a, b, sign),
        Taint::Minu => ranges::lesser(a, b, 0),
        Taint::Max => ranges::lesser(not(a), not(b), sign) & mask,
        Taint::Maxu => ranges::lesser(not(a).low(width), not(b).low(width), 0),
        Taint::Mulh => ranges::high_product([a, b], [true, true], width),
        Taint::Mulhu => ranges::high_product([a, b], [false, false], width),
        Taint::Mulhsu => ranges::high_product([a, b], [true, false], width),
        Taint::Clz | Taint::Ctz | Taint::Cpop => ranges::count(rule, a, width),
        Taint::Orc => orc(a),
        Taint::Clmul | Taint::Clmulh | Taint::Clmulr => carryless::result(rule, a, b, width),
        Taint::CzeroEqz | Taint::CzeroNez => or_zero(a, b, rule == Taint::CzeroEqz),
        Taint::Bclr | Taint::Bset | Taint::Binv | Taint::Bext => {
            amounts::single_bit(rule, a, b, width)
        }
        Taint::Xperm4 => amounts::lookup(a, b, 4, width),
        Taint::Xperm8 => amounts::lookup(a, b, 8, width),
        _ => all(any, width),
    }
}

pub(crate) fn add(a: Value, b: Value) -> u64 {
    let low = a.known().wrapping_add(b.known());
    let high = low.wrapping_add(a.taint.wrapping_add(b.taint));
    (low ^ high) | a.taint | b.taint
}

pub(crate) fn sub(a: Value, b: Value) -> u64 {
    let difference = a.known().wrapping_sub(b.known());
    let (low, high) = (difference.wrapping_sub(b.taint), difference.wrapping_add(a.taint));
    (low ^ high) | a.taint | b.taint
}

/// A change of `a` is a multiple of its lowest tainted bit, and is multiplied by a multiple of the lowest bit that `b` may have.
/// If no product overflows, the bits above the largest one are zeros.
pub(crate) fn mul(a: Value, b: Value, width: u32) -> u64 {
    let least = |x: u64| x.trailing_zeros();
    let change = |a: Value, b: Value| least(a.taint) + least(b.bits | b.taint);
    let from = match change(a, b).min(change(b, a)) {
        n @ 0..64 => u64::MAX << n,
        _ => 0,
    };
    from & ranges::low_product(a, b, width)
}

/// Each byte is all ones if it is not zero.
fn orc(a: Value) -> u64 {
    let byte = |k: u32| {
        let byte = Value { bits: a.bits >> (8 * k), taint: a.taint >> (8 * k) }.low(8);
        all(byte.taint != 0 && byte.known() == 0, 8) << (8 * k)
    };
    (0..8).fold(0, |taint, k| taint | byte(k))
}

/// `a`, or zero: with `eqz` if `b` is zero, else if `b` is not zero.
fn or_zero(a: Value, b: Value, eqz: bool) -> u64 {
    let zero = Value::public(0);
    match equality_varies(b, zero) {
        true => a.taint | a.bits,
        false if (b.known() == 0) == eqz => 0,
        false => a.taint,
    }
}

/// Whether the answer to a = b depends on tainted bits.
pub fn equality_varies(a: Value, b: Value) -> bool {
    let taint = a.taint | b.taint;
    taint != 0 && (a.bits ^ b.bits) & !taint == 0
}

/// Whether the answer to a < b depends on tainted bits. The bits of `sign` are inverted before the comparison.
pub fn order_varies(a: Value, b: Value, sign: u64) -> bool {
    let ((a_min, a_max), (b_min, b_max)) = (a.range(sign), b.range(sign));
    a.taint | b.taint != 0 && a_min < b_max && b_min <= a_max
}
