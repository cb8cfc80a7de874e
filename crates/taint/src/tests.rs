//! Rules on values, against all results that are possible.

use crate::bits::result;
use crate::value::Value;
use capvec_isa::row::Taint;

type Function = fn(u64, u64) -> u64;

fn signed(x: u64) -> i64 {
    (x << 60) as i64 >> 60
}

fn clmul(a: u64, b: u64) -> u64 {
    (0..4).filter(|k| b >> k & 1 != 0).fold(0, |sum, k| sum ^ a << k)
}

/// The function of each rule on four bits, and whether every tainted bit can change.
const RULES: [(Taint, Function, bool); 29] = [
    (Taint::Xor, |a, b| a ^ b, true),
    (Taint::And, |a, b| a & b, true),
    (Taint::Or, |a, b| a | b, true),
    (Taint::Andn, |a, b| a & !b & 15, true),
    (Taint::Orn, |a, b| (a | !b) & 15, true),
    (Taint::Add, |a, b| (a + b) & 15, true),
    (Taint::Sub, |a, b| a.wrapping_sub(b) & 15, true),
    (Taint::Mul, |a, b| (a * b) & 15, false),
    (Taint::Eq, |a, b| u64::from(a == b), true),
    (Taint::Ltu, |a, b| u64::from(a < b), true),
    (Taint::Lt, |a, b| u64::from(signed(a) < signed(b)), true),
    (Taint::Min, |a, b| if signed(a) < signed(b) { a } else { b }, false),
    (Taint::Max, |a, b| if signed(a) < signed(b) { b } else { a }, false),
    (Taint::Minu, |a, b| a.min(b), false),
    (Taint::Maxu, |a, b| a.max(b), false),
    (Taint::Mulhu, |a, b| (a * b) >> 4, false),
    (Taint::Mulh, |a, b| (signed(a) * signed(b)) as u64 >> 4 & 15, false),
    (Taint::Mulhsu, |a, b| (signed(a) * b as i64) as u64 >> 4 & 15, false),
    (Taint::Clmul, |a, b| clmul(a, b) & 15, false),
    (Taint::Clmulh, |a, b| clmul(a, b) >> 4, false),
    (Taint::Clmulr, |a, b| clmul(a, b) >> 3 & 15, false),
    (Taint::CzeroEqz, |a, b| if b == 0 { 0 } else { a }, true),
    (Taint::CzeroNez, |a, b| if b == 0 { a } else { 0 }, true),
    (Taint::Bclr, |a, b| a & !(1 << (b & 3)), true),
    (Taint::Bset, |a, b| a | 1 << (b & 3), true),
    (Taint::Binv, |a, b| a ^ 1 << (b & 3), true),
    (Taint::Bext, |a, b| a >> (b & 3) & 1, true),
    (Taint::Clz, |a, _| u64::from((a as u8).leading_zeros() - 4), false),
    (Taint::Cpop, |a, _| u64::from(a.count_ones()), false),
];

/// Every value and every taint of four bits.
#[test]
fn each_rule_covers_every_change_of_four_bits() {
    for (rule, f, exact) in RULES {
        for n in 0u64..1 << 16 {
            let [a, b, s, t] = [n & 15, n >> 4 & 15, n >> 8 & 15, n >> 12];
            let unary = matches!(rule, Taint::Clz | Taint::Cpop);
            if unary && (b, t) != (0, 0) {
                continue;
            }
            let found = result(rule, Value { bits: a, taint: s }, Value { bits: b, taint: t }, 4);
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
