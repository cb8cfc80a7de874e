//! Shared by scalar floating-point instructions: operands, rounding modes, flags.

use crate::fp::{Env, Flags, Float, Fma, Int, Rm};
use crate::hart::Hart;
use crate::insn::{Exec, Insn, Raised};
use crate::mem::Scalar;
use crate::mode::Mode;
use crate::trap::{Cause, Trap, Why};
use capvec_isa::{Ext, ExtSet};

/// Defines handlers by the shape of their operands: `fadd_s: binary::<F32> [fp::add];`.
macro_rules! handlers {
    ($($name:ident: $shape:path [$($arg:expr),*];)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            $shape(h, i, $($arg),*)
        }
    )* };
}
pub(super) use handlers;

/// Traps unless the hart has `ext`, for requirements that the table's row cannot express.
pub(super) fn require(h: &mut Hart, i: &Insn, ext: Ext) -> Exec {
    if h.has(ext) {
        return Ok(());
    }
    let why = Some(Why::Needs(i.op(), ExtSet::of(&[ext])));
    h.trap = Trap { cause: Cause::Illegal, tval: 0, why };
    Err(Raised)
}

/// An environment with the mode in `frm`; traps if it is reserved.
pub(super) fn dynamic(h: &mut Hart) -> Exec<Env> {
    match Rm::from_bits(h.frm) {
        Some(rm) => Ok(Env::new(rm)),
        None => h.illegal("rounding mode in frm"),
    }
}

/// An environment with the mode of the `rm` field ("F", "Floating-Point Control and Status Register"). Reserved modes
/// trap even if the result does not depend on them.
fn rounding(h: &mut Hart, i: &Insn) -> Exec<Env> {
    match i.aux() {
        7 => dynamic(h),
        rm => match Rm::from_bits(rm) {
            Some(rm) => Ok(Env::new(rm)),
            None => h.illegal("static rounding mode"),
        },
    }
}

/// For instructions without an `rm` field, none of which rounds.
fn unrounded() -> Env {
    Env::new(Rm::Rne)
}

/// Accrues flags in `fflags`.
pub(super) fn accrue(h: &mut Hart, flags: Flags) {
    h.fflags |= flags.bits();
}

/// The value in f register `r`.
pub(super) fn read<F: Float>(h: &Hart, r: u8) -> F {
    F::unbox(h.f[r as usize])
}

fn write<F: Float>(h: &mut Hart, i: &Insn, env: Env, value: F) -> Exec {
    accrue(h, env.flags);
    h.f[i.rd as usize] = value.nan_box();
    Ok(())
}

fn write_x<M: Mode>(h: &mut Hart, i: &Insn, env: Env, value: u64) -> Exec {
    accrue(h, env.flags);
    h.set_x::<M>(i.rd, value);
    Ok(())
}

/// Loads a value of format `F`, NaN-boxed.
pub(super) fn load<M: Mode, F: Float, T: Scalar + Into<u64>>(h: &mut Hart, i: &Insn) -> Exec {
    let bits = h.load::<M, T>(h.x(i.rs1).wrapping_add(i.imm as u64))?;
    write(h, i, unrounded(), F::from_bits(bits.into()))
}

/// fd = op(fs1), rounded.
pub(super) fn unary<F: Float>(h: &mut Hart, i: &Insn, op: fn(&mut Env, F) -> F) -> Exec {
    convert(h, i, op)
}

/// fd = op(fs1) in another format, rounded.
pub(super) fn convert<A: Float, B: Float>(
    h: &mut Hart,
    i: &Insn,
    op: fn(&mut Env, A) -> B,
) -> Exec {
    let mut env = rounding(h, i)?;
    let value = op(&mut env, read(h, i.rs1));
    write(h, i, env, value)
}

/// fd = op(fs1, fs2), rounded.
pub(super) fn binary<F: Float>(h: &mut Hart, i: &Insn, op: fn(&mut Env, F, F) -> F) -> Exec {
    let mut env = rounding(h, i)?;
    let value = op(&mut env, read(h, i.rs1), read(h, i.rs2));
    write(h, i, env, value)
}

/// fd = op(fs1, fs2), which selects and does not round.
pub(super) fn select<F: Float>(h: &mut Hart, i: &Insn, op: fn(&mut Env, F, F) -> F) -> Exec {
    let mut env = unrounded();
    let value = op(&mut env, read(h, i.rs1), read(h, i.rs2));
    write(h, i, env, value)
}

/// fd = ±(fs1 × fs2) ± fs3, rounded once.
pub(super) fn fma<F: Float>(h: &mut Hart, i: &Insn, kind: Fma) -> Exec {
    let mut env = rounding(h, i)?;
    let value = crate::fp::fma::<F>(&mut env, kind, read(h, i.rs1), read(h, i.rs2), read(h, i.rs3));
    write(h, i, env, value)
}

/// rd = op(fs1, fs2) as 0 or 1.
pub(super) fn compare<M: Mode, F: Float>(
    h: &mut Hart,
    i: &Insn,
    op: fn(&mut Env, F, F) -> bool,
) -> Exec {
    let mut env = unrounded();
    let holds = op(&mut env, read(h, i.rs1), read(h, i.rs2));
    write_x::<M>(h, i, env, holds.into())
}

/// rd = class of fs1.
pub(super) fn classify<M: Mode, F: Float>(h: &mut Hart, i: &Insn) -> Exec {
    let class = read::<F>(h, i.rs1).classify();
    write_x::<M>(h, i, unrounded(), class)
}

/// rd = fs1 as an integer, rounded; words are sign-extended, also unsigned ones.
pub(super) fn to_int<M: Mode, F: Float>(h: &mut Hart, i: &Insn, int: Int) -> Exec {
    let mut env = rounding(h, i)?;
    let value = crate::fp::to_int::<F>(&mut env, read(h, i.rs1), int);
    write_x::<M>(h, i, env, Int::signed(int.bits).extend(value))
}

/// fd = integer in rs1, rounded.
pub(super) fn from_int<F: Float>(h: &mut Hart, i: &Insn, int: Int) -> Exec {
    let mut env = rounding(h, i)?;
    let value = crate::fp::from_int::<F>(&mut env, h.x(i.rs1), int);
    write(h, i, env, value)
}

/// rd = low bits of fs1, sign-extended, NaN-boxed or not.
pub(super) fn move_to_x<M: Mode, F: Float>(h: &mut Hart, i: &Insn) -> Exec {
    let bits = Int::signed(F::WIDTH).extend(h.f[i.rs1 as usize]);
    write_x::<M>(h, i, unrounded(), bits)
}

/// fd = low bits of rs1, NaN-boxed.
pub(super) fn move_from_x<F: Float>(h: &mut Hart, i: &Insn) -> Exec {
    let value = F::from_bits(h.x(i.rs1));
    write(h, i, unrounded(), value)
}

/// fd = constant number rs1.
pub(super) fn constant<F: Float>(h: &mut Hart, i: &Insn) -> Exec {
    write(h, i, unrounded(), crate::fp::fli::<F>(i.rs1))
}
