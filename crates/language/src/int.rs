//! Constants of the program's text: whole numbers without a width.

use crate::ast::Binary;
use crate::code::ones;
use std::cmp::Ordering;

/// A number between -2^128 and 2^128.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Int {
    negative: bool,
    size: u128,
}

impl From<u128> for Int {
    fn from(size: u128) -> Int {
        Int { negative: false, size }
    }
}

impl std::fmt::Display for Int {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}{}", if self.negative { "-" } else { "" }, self.size)
    }
}

impl Int {
    pub fn unsigned(self) -> Option<u128> {
        (!self.negative).then_some(self.size)
    }

    /// The number in `width` bits, in two's complement if it is negative.
    pub fn bits(self, width: u32) -> Option<u128> {
        if self.negative {
            let fits = self.size <= 1 << (width - 1);
            return fits.then(|| self.size.wrapping_neg() & ones(width));
        }
        (self.size <= ones(width)).then_some(self.size)
    }

    pub fn neg(self) -> Int {
        Int { negative: !self.negative && self.size != 0, size: self.size }
    }

    /// `~n`, which is `-n - 1`.
    pub fn not(self) -> Option<Int> {
        self.neg().add(Int { negative: true, size: 1 })
    }

    fn add(self, other: Int) -> Option<Int> {
        if self.negative == other.negative {
            return Some(Int { size: self.size.checked_add(other.size)?, ..self });
        }
        let size = self.size.abs_diff(other.size);
        let larger = if self.size > other.size { self } else { other };
        Some(Int { negative: larger.negative && size != 0, size })
    }

    fn mul(self, other: Int) -> Option<Int> {
        let size = self.size.checked_mul(other.size)?;
        Some(Int { negative: self.negative != other.negative && size != 0, size })
    }

    /// Arithmetic; `None` if the result is out of range or not defined.
    pub fn binary(self, op: Binary, other: Int) -> Option<Int> {
        match op {
            Binary::Add => return self.add(other),
            Binary::Sub => return self.add(other.neg()),
            Binary::Mul => return self.mul(other),
            _ => {}
        }
        let (a, b) = (self.unsigned()?, other.unsigned()?);
        let shift = || u32::try_from(b).ok().filter(|n| *n < 128);
        let size = match op {
            Binary::Div => a.checked_div(b)?,
            Binary::Rem => a.checked_rem(b)?,
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Shl => shift().map(|n| a << n).filter(|r| r >> b == a)?,
            Binary::Shr => shift().map_or(0, |n| a >> n),
            _ => return None,
        };
        Some(size.into())
    }

    pub fn compare(self, op: Binary, other: Int) -> bool {
        let order = match (self.negative, other.negative) {
            (true, true) => other.size.cmp(&self.size),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.size.cmp(&other.size),
        };
        match op {
            Binary::Eq => order.is_eq(),
            Binary::Ne => order.is_ne(),
            Binary::Lt => order.is_lt(),
            Binary::Le => order.is_le(),
            Binary::Gt => order.is_gt(),
            _ => order.is_ge(),
        }
    }
}
