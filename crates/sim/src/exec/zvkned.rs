//! Zvkned: vector AES.

use crate::crypto::aes::{self, Block, from_words, words};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Source;

/// A round: state vd, key vs2.
fn round(h: &mut Hart, i: &Insn, key: Source, f: fn(Block, Block) -> Block) -> Exec {
    h.v_groups::<u32, 4>(i, key, |vd, vs2| words(f(from_words(vd), from_words(vs2))))
}

macro_rules! rounds {
    ($($name:ident: $key:ident, $f:ident;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            round(h, i, Source::$key, aes::$f)
        }
    )* };
}

rounds! {
    vaesdf_vv: Vector, decrypt_final;
    vaesdf_vs: Scalar, decrypt_final;
    vaesdm_vv: Vector, decrypt_middle;
    vaesdm_vs: Scalar, decrypt_middle;
    vaesef_vv: Vector, encrypt_final;
    vaesef_vs: Scalar, encrypt_final;
    vaesem_vv: Vector, encrypt_middle;
    vaesem_vs: Scalar, encrypt_middle;
    vaesz_vs: Scalar, add_round_key;
}

pub fn vaeskf1_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups::<u32, 4>(i, Source::Vector, |_, current| {
        words(aes::key_forward_128(from_words(current), i.imm as u32))
    })
}

pub fn vaeskf2_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups::<u32, 4>(i, Source::Vector, |previous, current| {
        words(aes::key_forward_256(from_words(previous), from_words(current), i.imm as u32))
    })
}
