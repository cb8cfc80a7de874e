//! Scalar floating-point instructions that become instructions of the host.
//!
//! Both architectures compute what IEEE 754 prescribes, flags included, and both detect tininess after rounding
//! (unprivileged manual, "F" extension, "Subnormal arithmetic"; Intel SDM, volume 1, "Numeric Underflow Exception"). They
//! differ in NaN results and in conversions of values that do not fit: `translate::float` corrects those.

use crate::host_features::Host;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// fd = fs1 op fs2.
    Binary(Code),
    /// fd = the square root of fs1.
    Sqrt(Code),
    /// fd = ±(fs1 × fs2) ± fs3.
    Fma(Code),
    /// fd = fs1 in the other format; the source has format `Float::double`.
    Convert(Code),
    /// fd = fs1 with the sign of fs2, its opposite, or the product of both signs.
    Sign(Sign),
    /// rd = fs1 op fs2.
    Compare(Compare),
    /// rd = fs1 rounded to an integer of 32 or 64 bits.
    ToInt {
        /// 64 bits.
        wide: bool,
    },
    /// fd = the integer in rs1.
    FromInt(Source),
    /// rd = the bits of fs1.
    MoveToX,
    /// fd = the bits of rs1.
    MoveFromX,
}

/// Where the sign of a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// fs2.
    Copy,
    /// fs2, negated.
    Not,
    /// Both operands.
    Xor,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Equal; quiet.
    Eq,
    /// Less; signals for every NaN.
    Lt,
    /// Less or equal; signals for every NaN.
    Le,
}

/// The integer that is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The low word, signed.
    Word,
    /// The low word, unsigned.
    UnsignedWord,
    /// All 64 bits, signed.
    Long,
}

/// How a result is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The instruction does not round.
    None,
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Truncate,
    /// By `frm`.
    Dynamic,
}

/// An instruction that becomes an instruction of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    /// What it does.
    pub kind: Kind,
    /// Operands are in double precision, otherwise in single precision.
    pub double: bool,
    /// How it rounds.
    pub rounding: Rounding,
}

impl Float {
    /// The instruction, if the host can compute it in its rounding mode. With neither AVX-512 nor AVX2, or with a rounding
    /// mode that compilers hardly use, its handler is called.
    pub fn of(i: &Insn, host: Host) -> Option<Float> {
        if !(host.avx512 || host.avx2) || i.op().custom().is_some() {
            return None;
        }
        let (double, kind) = kind(i.op().row().base)?;
        let rounding = match (kind, i.aux()) {
            (Kind::Sign(_) | Kind::Compare(_) | Kind::MoveToX | Kind::MoveFromX, _) => {
                Rounding::None
            }
            (_, 0) => Rounding::Nearest,
            (Kind::ToInt { .. }, 1) => Rounding::Truncate,
            (_, 7) => Rounding::Dynamic,
            _ => return None,
        };
        Some(Float { kind, double, rounding })
    }
}

/// The format and the kind of an operation.
fn kind(op: Op) -> Option<(bool, Kind)> {
    arithmetic(op).or_else(|| single(op).map(|kind| (false, kind))).or_else(|| {
        let kind = double(op)?;
        Some((true, kind))
    })
}

#[rustfmt::skip]
fn arithmetic(op: Op) -> Option<(bool, Kind)> {
    use Code::*;
    use Kind::{Binary, Convert, Fma, Sqrt};
    Some(match op {
        Op::FaddS => (false, Binary(VEX_Vaddss_xmm_xmm_xmmm32)),
        Op::FaddD => (true, Binary(VEX_Vaddsd_xmm_xmm_xmmm64)),
        Op::FsubS => (false, Binary(VEX_Vsubss_xmm_xmm_xmmm32)),
        Op::FsubD => (true, Binary(VEX_Vsubsd_xmm_xmm_xmmm64)),
        Op::FmulS => (false, Binary(VEX_Vmulss_xmm_xmm_xmmm32)),
        Op::FmulD => (true, Binary(VEX_Vmulsd_xmm_xmm_xmmm64)),
        Op::FdivS => (false, Binary(VEX_Vdivss_xmm_xmm_xmmm32)),
        Op::FdivD => (true, Binary(VEX_Vdivsd_xmm_xmm_xmmm64)),
        Op::FsqrtS => (false, Sqrt(VEX_Vsqrtss_xmm_xmm_xmmm32)),
        Op::FsqrtD => (true, Sqrt(VEX_Vsqrtsd_xmm_xmm_xmmm64)),
        // RISC-V's fnmsub is −(a × b) + c, and its fnmadd −(a × b) − c.
        Op::FmaddS => (false, Fma(VEX_Vfmadd213ss_xmm_xmm_xmmm32)),
        Op::FmaddD => (true, Fma(VEX_Vfmadd213sd_xmm_xmm_xmmm64)),
        Op::FmsubS => (false, Fma(VEX_Vfmsub213ss_xmm_xmm_xmmm32)),
        Op::FmsubD => (true, Fma(VEX_Vfmsub213sd_xmm_xmm_xmmm64)),
        Op::FnmsubS => (false, Fma(VEX_Vfnmadd213ss_xmm_xmm_xmmm32)),
        Op::FnmsubD => (true, Fma(VEX_Vfnmadd213sd_xmm_xmm_xmmm64)),
        Op::FnmaddS => (false, Fma(VEX_Vfnmsub213ss_xmm_xmm_xmmm32)),
        Op::FnmaddD => (true, Fma(VEX_Vfnmsub213sd_xmm_xmm_xmmm64)),
        Op::FcvtDS => (false, Convert(VEX_Vcvtss2sd_xmm_xmm_xmmm32)),
        Op::FcvtSD => (true, Convert(VEX_Vcvtsd2ss_xmm_xmm_xmmm64)),
        _ => return None,
    })
}

/// Conversions to unsigned integers and from unsigned 64-bit integers are rare, and left to the handlers.
fn single(op: Op) -> Option<Kind> {
    Some(match op {
        Op::FsgnjS => Kind::Sign(Sign::Copy),
        Op::FsgnjnS => Kind::Sign(Sign::Not),
        Op::FsgnjxS => Kind::Sign(Sign::Xor),
        Op::FeqS => Kind::Compare(Compare::Eq),
        Op::FltS => Kind::Compare(Compare::Lt),
        Op::FleS => Kind::Compare(Compare::Le),
        Op::FcvtWS => Kind::ToInt { wide: false },
        Op::FcvtLS => Kind::ToInt { wide: true },
        Op::FcvtSW => Kind::FromInt(Source::Word),
        Op::FcvtSWu => Kind::FromInt(Source::UnsignedWord),
        Op::FcvtSL => Kind::FromInt(Source::Long),
        Op::FmvXW => Kind::MoveToX,
        Op::FmvWX => Kind::MoveFromX,
        _ => return None,
    })
}

fn double(op: Op) -> Option<Kind> {
    Some(match op {
        Op::FsgnjD => Kind::Sign(Sign::Copy),
        Op::FsgnjnD => Kind::Sign(Sign::Not),
        Op::FsgnjxD => Kind::Sign(Sign::Xor),
        Op::FeqD => Kind::Compare(Compare::Eq),
        Op::FltD => Kind::Compare(Compare::Lt),
        Op::FleD => Kind::Compare(Compare::Le),
        Op::FcvtWD => Kind::ToInt { wide: false },
        Op::FcvtLD => Kind::ToInt { wide: true },
        Op::FcvtDW => Kind::FromInt(Source::Word),
        Op::FcvtDWu => Kind::FromInt(Source::UnsignedWord),
        Op::FcvtDL => Kind::FromInt(Source::Long),
        Op::FmvXD => Kind::MoveToX,
        Op::FmvDX => Kind::MoveFromX,
        _ => return None,
    })
}
