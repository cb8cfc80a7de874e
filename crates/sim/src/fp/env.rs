//! Rounding modes, exception flags and the environment of an operation.

use std::ops::{BitOr, BitOrAssign};

/// Rounding mode, encoded as in `frm` and in an instruction's `rm` field; [`Rm::Rod`] has no
/// encoding there and is reached only through `vfncvt.rod.f.f.w`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Rm {
    /// To nearest, ties to even.
    Rne = 0,
    /// Towards zero.
    Rtz = 1,
    /// Down, towards −∞.
    Rdn = 2,
    /// Up, towards +∞.
    Rup = 3,
    /// To nearest, ties to maximum magnitude.
    Rmm = 4,
    /// To odd: truncated, and the last place set if that was inexact ("V", section "Narrowing
    /// floating-point/integer type-convert instructions").
    Rod = 6,
}

impl Rm {
    /// The mode that `frm` or a static `rm` field encodes; `None` for the reserved values 5 and
    /// 6 and for 7, which is "dynamic" in an instruction and reserved in `frm`.
    #[must_use]
    pub fn from_bits(bits: u8) -> Option<Self> {
        Some(match bits {
            0 => Self::Rne,
            1 => Self::Rtz,
            2 => Self::Rdn,
            3 => Self::Rup,
            4 => Self::Rmm,
            _ => return None,
        })
    }
}

/// Accrued exceptions in the layout of `fflags`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// No exception.
    pub const NONE: Self = Self(0);
    /// Inexact.
    pub const NX: Self = Self(1);
    /// Underflow.
    pub const UF: Self = Self(2);
    /// Overflow.
    pub const OF: Self = Self(4);
    /// Division by zero.
    pub const DZ: Self = Self(8);
    /// Invalid operation.
    pub const NV: Self = Self(16);

    /// The flags of an `fflags` value; higher bits are ignored.
    #[must_use]
    pub fn from_bits(bits: u8) -> Self {
        Self(bits & 31)
    }

    /// The `fflags` value.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }
}

impl BitOr for Flags {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// What an operation reads and accumulates in addition to its operands.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// Rounding mode in force.
    pub rm: Rm,
    /// Exceptions raised since the environment was made.
    pub flags: Flags,
}

impl Env {
    /// An environment that rounds by `rm`, without flags.
    #[must_use]
    pub fn new(rm: Rm) -> Self {
        Self { rm, flags: Flags::NONE }
    }

    /// Adds `flags`.
    pub fn raise(&mut self, flags: Flags) {
        self.flags |= flags;
    }
}
