//! Zvkned: vector AES.

use crate::crypto::aes::{self, Block, from_words, words};
use crate::hart::Hart;
use crate::host::Step;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Source;

/// A round: state vd, key vs2.
fn round(
    h: &mut Hart,
    i: &Insn,
    key: Source,
    step: Option<Step>,
    f: fn(Block, Block) -> Block,
) -> Exec {
    h.v_groups::<u32, 4>(i, key, step, |vd, vs2| words(f(from_words(vd), from_words(vs2))))
}

macro_rules! rounds {
    ($($name:ident: $key:ident, $step:expr, $f:ident;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            round(h, i, Source::$key, $step, aes::$f)
        }
    )* };
}

rounds! {
    vaesdf_vv: Vector, Some(Step::AesDecryptFinal), decrypt_final;
    vaesdf_vs: Scalar, Some(Step::AesDecryptFinal), decrypt_final;
    vaesdm_vv: Vector, Some(Step::AesDecryptMiddle), decrypt_middle;
    vaesdm_vs: Scalar, Some(Step::AesDecryptMiddle), decrypt_middle;
    vaesef_vv: Vector, Some(Step::AesEncryptFinal), encrypt_final;
    vaesef_vs: Scalar, Some(Step::AesEncryptFinal), encrypt_final;
    vaesem_vv: Vector, Some(Step::AesEncryptMiddle), encrypt_middle;
    vaesem_vs: Scalar, Some(Step::AesEncryptMiddle), encrypt_middle;
    vaesz_vs: Scalar, None, add_round_key;
}

pub fn vaeskf1_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups::<u32, 4>(i, Source::Vector, None, |_, current| {
        words(aes::key_forward_128(from_words(current), i.imm as u32))
    })
}

pub fn vaeskf2_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups::<u32, 4>(i, Source::Vector, None, |previous, current| {
        words(aes::key_forward_256(from_words(previous), from_words(current), i.imm as u32))
    })
}
