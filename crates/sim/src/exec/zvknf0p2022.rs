//! Zvknf: all rounds of AES in one instruction, with the key schedule on the way.
//!
//! Encryption begins with the cipher key. Decryption begins with the last round key or, for AES-256, the last two, from
//! which the schedule runs backwards; `vaes128k10`, `vaes256k13` and `vaes256k14` compute them.

use crate::crypto::aes::{Block, from_words, words};
use crate::crypto::aes_all as rounds;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Source;

/// AES-128: the key in vs1, the data in vs2.
fn aes128(h: &mut Hart, i: &Insn, key: Source, f: fn(Block, Block) -> Block) -> Exec {
    h.v_groups3::<u32, 4>(i, [Source::Vector, key], None, |_, data, key| {
        words(f(from_words(data), from_words(key)))
    })
}

/// AES-256: the key's halves in vs1 and vs2, the data in vd.
fn aes256(h: &mut Hart, i: &Insn, key: Source, f: fn(Block, [Block; 2]) -> Block) -> Exec {
    h.v_groups3::<u32, 4>(i, [key, key], None, |data, high, low| {
        words(f(from_words(data), [from_words(low), from_words(high)]))
    })
}

macro_rules! ciphers {
    ($($name:ident: $width:ident, $key:ident, $f:ident;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            $width(h, i, Source::$key, rounds::$f)
        }
    )* };
}

ciphers! {
    vaese128_vv: aes128, Vector, encrypt_128;
    vaese128_vs: aes128, Scalar, encrypt_128;
    vaesd128_vv: aes128, Vector, decrypt_128;
    vaesd128_vs: aes128, Scalar, decrypt_128;
    vaese256_vv: aes256, Vector, encrypt_256;
    vaese256_vs: aes256, Scalar, encrypt_256;
    vaesd256_vv: aes256, Vector, decrypt_256;
    vaesd256_vs: aes256, Scalar, decrypt_256;
    vaes256k13_vv: aes256, Vector, key_13_of_256;
    vaes256k14_vv: aes256, Vector, key_14_of_256;
}

pub fn vaes128k10_v<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups::<u32, 4>(i, Source::Vector, None, |_, key| {
        words(rounds::schedule_128(from_words(key))[10])
    })
}
