//! The ranges of values, as far as they follow from how the values are computed. They make some operations cheaper, and others
//! superfluous: after `x % 3329`, taking the low 16 bits changes nothing.

use super::{Code, ones};

/// The least and the greatest number that a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub least: u128,
    pub greatest: u128,
}

impl Limits {
    /// Those of every value of this width.
    pub fn of_width(width: u32) -> Limits {
        Limits { least: 0, greatest: ones(width) }
    }

    pub fn of_constant(value: u128) -> Limits {
        Limits { least: value, greatest: value }
    }
}

/// The limits of a result of this width, from those of the operands.
pub(crate) fn result(code: Code, width: u32, y: u32, operands: &[Limits]) -> Limits {
    let all = Limits::of_width(width);
    tighter(code, y, operands).filter(|found| found.greatest <= all.greatest).unwrap_or(all)
}

/// The limits, unless they are those of the width. Where an operation wraps around, nothing is known.
fn tighter(code: Code, y: u32, operands: &[Limits]) -> Option<Limits> {
    let (a, b) = (*operands.first()?, operands.get(1).copied());
    let (least, greatest) = match (code, b) {
        (Code::Add, Some(b)) => {
            (a.least.checked_add(b.least)?, a.greatest.checked_add(b.greatest)?)
        }
        (Code::Sub, Some(b)) => (a.least.checked_sub(b.greatest)?, a.greatest - b.least),
        (Code::Mul, Some(b)) => {
            (a.least.checked_mul(b.least)?, a.greatest.checked_mul(b.greatest)?)
        }
        (Code::And, Some(b)) => (0, a.greatest.min(b.greatest)),
        (Code::Rem | Code::RemOnce, Some(b)) if b.least > 0 => (0, a.greatest.min(b.greatest - 1)),
        (Code::Slice, None) => (a.least >> y, a.greatest >> y),
        _ => return None,
    };
    Some(Limits { least, greatest })
}

/// The operation that costs least among those with the same result for operands within these limits; `None` if the result is the
/// first operand.
pub(crate) fn cheapest(code: Code, width: u32, y: u32, operands: &[Limits]) -> Option<Code> {
    match (code, operands) {
        (Code::Slice, [a]) if y == 0 && a.greatest <= ones(width) => None,
        (Code::Rem, [a, b]) if a.greatest < b.least => None,
        // Numbers of 64 bits are compared by the sign of their difference.
        (Code::Rem, [a, b]) if b.greatest <= 1 << 63 && a.greatest < 2 * b.least => {
            Some(Code::RemOnce)
        }
        _ => Some(code),
    }
}
