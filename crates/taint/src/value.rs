//! A value and the mask of its bits that are tainted.

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

    /// The lowest `from` bits extended to `to` bits. Copies of a tainted sign are tainted.
    pub(crate) fn extend(self, from: u32, to: u32, signed: bool) -> Value {
        let low = self.low(from);
        match signed {
            true => {
                let Value { bits, taint } = low;
                Value { bits: sign_extend(bits, from), taint: sign_extend(taint, from) }.low(to)
            }
            false => low,
        }
    }

    /// The value with 0 for every tainted bit.
    pub(crate) fn known(self) -> u64 {
        self.bits & !self.taint
    }

    /// The smallest and largest numbers that it may be. `sign`: the bit that counts negatively, or 0.
    pub(crate) fn range(self, sign: u64) -> (u64, u64) {
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
pub(crate) fn sign_extend(bits: u64, width: u32) -> u64 {
    ((bits << (64 - width)) as i64 >> (64 - width)) as u64
}

pub(crate) fn not(a: Value) -> Value {
    Value { bits: !a.bits, ..a }
}

pub(crate) fn and(a: Value, b: Value) -> u64 {
    (a.taint & b.taint) | (a.taint & b.bits) | (b.taint & a.bits)
}

pub(crate) fn or(a: Value, b: Value) -> u64 {
    (a.taint & b.taint) | (a.taint & !b.bits) | (b.taint & !a.bits)
}
