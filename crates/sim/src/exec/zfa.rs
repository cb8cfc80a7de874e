//! Zfa: additional instructions, for single and (with D) double precision.

use super::float::{self, accrue, handlers, read, require};
use crate::fp::{self, Env, F32, F64, Rm};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use capvec_isa::Ext;

handlers! {
    fli_s: float::constant::<F32> [];
    fminm_s: float::select::<F32> [fp::minm];
    fmaxm_s: float::select::<F32> [fp::maxm];
    fround_s: float::unary::<F32> [|env, a| fp::round_to_integral(env, a, false)];
    froundnx_s: float::unary::<F32> [|env, a| fp::round_to_integral(env, a, true)];
    fleq_s: float::compare::<M, F32> [fp::leq];
    fltq_s: float::compare::<M, F32> [fp::ltq];
}

/// `handlers` for instructions that also need D.
macro_rules! double {
    ($($name:ident: $shape:path [$($arg:expr),*];)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            require(h, i, Ext::D)?;
            $shape(h, i, $($arg),*)
        }
    )* };
}

double! {
    fli_d: float::constant::<F64> [];
    fminm_d: float::select::<F64> [fp::minm];
    fmaxm_d: float::select::<F64> [fp::maxm];
    fround_d: float::unary::<F64> [|env, a| fp::round_to_integral(env, a, false)];
    froundnx_d: float::unary::<F64> [|env, a| fp::round_to_integral(env, a, true)];
    fleq_d: float::compare::<M, F64> [fp::leq];
    fltq_d: float::compare::<M, F64> [fp::ltq];
    fcvtmod_w_d: to_word_modulo::<M> [];
}

/// The encoding has RTZ in place of `rm`.
fn to_word_modulo<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let mut env = Env::new(Rm::Rtz);
    let word = fp::cvtmod_w_d(&mut env, read(h, i.rs1));
    accrue(h, env.flags);
    h.set_x::<M>(i.rd, word as u64);
    Ok(())
}
