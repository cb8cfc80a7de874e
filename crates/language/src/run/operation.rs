//! What operations on values of at most 64 bits compute, for one program or for the lanes of several: there is one
//! definition, so they cannot differ.

use crate::code::{Code, Insn};

/// The operands of an operation.
pub(super) trait Operands {
    type Result;

    /// Applies a function to them.
    fn each(self, f: impl Fn(u64, u64, u64) -> u64) -> Self::Result;
}

/// One value of each operand.
pub(super) struct One(pub [u64; 3]);

impl Operands for One {
    type Result = u64;

    #[inline(always)]
    fn each(self, f: impl Fn(u64, u64, u64) -> u64) -> u64 {
        let [a, b, c] = self.0;
        f(a, b, c)
    }
}

/// The result of an operation on one value of each operand. Operations of 64 bits have code of their own, without masks.
#[inline(always)]
pub(super) fn narrow_once<R>(i: &Insn<R>, operands: One) -> u64 {
    if i.x == 64 { of_width(i, 64, operands) } else { narrow(i, operands) }
}

/// The result of an operation.
#[inline(always)]
pub(super) fn narrow<R, O: Operands>(i: &Insn<R>, o: O) -> O::Result {
    of_width(i, i.x.into(), o)
}

#[inline(always)]
fn of_width<R, O: Operands>(i: &Insn<R>, x: u32, o: O) -> O::Result {
    let y = u32::from(i.y);
    let mask = u64::MAX >> (64 - x & 63);
    match i.code {
        Code::Mov => o.each(|a, _, _| a),
        Code::Add => o.each(|a, b, _| a.wrapping_add(b) & mask),
        Code::Sub => o.each(|a, b, _| a.wrapping_sub(b) & mask),
        Code::Mul => o.each(|a, b, _| a.wrapping_mul(b) & mask),
        Code::And => o.each(|a, b, _| a & b),
        Code::Or => o.each(|a, b, _| a | b),
        Code::Xor => o.each(|a, b, _| a ^ b),
        Code::Not => o.each(|a, _, _| !a & mask),
        Code::Eq => o.each(|a, b, _| u64::from(a == b)),
        Code::Ne => o.each(|a, b, _| u64::from(a != b)),
        Code::Less => o.each(|a, b, _| u64::from(a < b)),
        Code::LessEqual => o.each(|a, b, _| u64::from(a <= b)),
        Code::SignedLess => o.each(|a, b, _| u64::from(signed(a, x) < signed(b, x))),
        Code::SignedLessEqual => o.each(|a, b, _| u64::from(signed(a, x) <= signed(b, x))),
        Code::Select => o.each(|a, b, c| if a != 0 { b } else { c }),
        Code::Shl => o.each(|a, b, _| if b < 64 { a << b & mask } else { 0 }),
        Code::Shr => o.each(|a, b, _| if b < 64 { a >> b } else { 0 }),
        Code::Sra => o.each(|a, b, _| (signed(a, x) >> b.min(63)) as u64 & mask),
        Code::Concat => o.each(|a, b, _| a << (y & 63) | b),
        Code::Slice => o.each(|a, _, _| a >> (y & 63) & mask),
        Code::Sext => o.each(|a, _, _| signed(a, y) as u64 & mask),
        Code::RotlBy => o.each(|a, _, _| rotl(a, y.into(), x) & mask),
        Code::Rotl if x == 64 => o.each(|a, b, _| a.rotate_left((b & 63) as u32)),
        Code::Rotr if x == 64 => o.each(|a, b, _| a.rotate_right((b & 63) as u32)),
        Code::Rotl => o.each(|a, b, _| rotl(a, modulo(b, x), x) & mask),
        Code::Rotr => o.each(|a, b, _| rotl(a, u64::from(x) - modulo(b, x), x) & mask),
        Code::Xor3 => o.each(|a, b, c| a ^ b ^ c),
        Code::XorAndNot => o.each(|a, b, c| a ^ !b & c),
        Code::XorRotl => o.each(|a, b, _| a ^ b.rotate_left(y)),
        Code::RotlXor => o.each(|a, b, _| (a ^ b).rotate_left(y)),
        Code::Div => o.each(|a, b, _| a.checked_div(b).unwrap_or(mask)),
        Code::Rem => o.each(|a, b, _| a.checked_rem(b).unwrap_or(a)),
        Code::RemOnce => o.each(|a, b, _| rem_once(a, b)),
        Code::SignedDiv => o.each(|a, b, _| signed_div(signed(a, x), signed(b, x)) & mask),
        Code::SignedRem => o.each(|a, b, _| signed_rem(signed(a, x), signed(b, x)) & mask),
        Code::Cpop => o.each(|a, _, _| u64::from(a.count_ones())),
        Code::Clz => o.each(|a, _, _| u64::from(a.leading_zeros()) - (64 - u64::from(x))),
        Code::Ctz => o.each(|a, _, _| u64::from(a.trailing_zeros().min(x))),
        Code::Rev8 => o.each(|a, _, _| a.swap_bytes() >> (64 - x & 63)),
        Code::Brev8 => o.each(|a, _, _| a.swap_bytes().reverse_bits()),
        Code::Clmul => o.each(|a, b, _| clmul(a, b) & mask),
        // These have no result.
        Code::Load | Code::Store | Code::Fetch | Code::Put => o.each(|_, _, _| 0),
        Code::Jump | Code::JumpIfZero | Code::Label | Code::Illegal => o.each(|_, _, _| 0),
    }
}

#[inline(always)]
fn signed(a: u64, width: u32) -> i64 {
    (a << (64 - width & 63)) as i64 >> (64 - width & 63)
}

/// Rotates by at most `width` bits; the caller masks the bits above it.
#[inline(always)]
fn rotl(a: u64, by: u64, width: u32) -> u64 {
    let left = if by < 64 { a << by } else { 0 };
    let right = u64::from(width) - by;
    left | if right < 64 { a >> right } else { 0 }
}

/// Amounts are nearly always below the width.
#[inline(always)]
fn modulo(by: u64, width: u32) -> u64 {
    if by < u64::from(width) { by } else { by % u64::from(width) }
}

/// The remainder, if a is below 2 b and b at most 2^63. The sign of the difference decides: not every host compares several words
/// at once.
#[inline(always)]
fn rem_once(a: u64, b: u64) -> u64 {
    let difference = a.wrapping_sub(b);
    let negative = 0u64.wrapping_sub(difference >> 63);
    difference.wrapping_add(b & negative)
}

fn signed_div(a: i64, b: i64) -> u64 {
    if b == 0 { u64::MAX } else { a.wrapping_div(b) as u64 }
}

fn signed_rem(a: i64, b: i64) -> u64 {
    if b == 0 { a as u64 } else { a.wrapping_rem(b) as u64 }
}

/// The low 64 bits of a carry-less product, by products of integers: with three zeros between any two bits of the operands, up to
/// 15 ones add up without reaching the next bit that counts. Only bits 60 to 63 can be sums of 16 ones; their carry is lost.
#[inline(always)]
fn clmul(a: u64, b: u64) -> u64 {
    const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
    let part = |x: u64, n: usize| x & EVERY_FOURTH << n;
    (0..4).fold(0, |all, n| {
        let sum = (0..4).fold(0, |sum, k| sum ^ part(a, k).wrapping_mul(part(b, (n + 4 - k) % 4)));
        all | part(sum, n)
    })
}
