//! Instructions of SHA-2 and SM3 that are the exclusive or of three terms, each made of the same word.

use capvec_isa::Op;
use capvec_sim::crypto::sha2::Word;

/// How the third term is made.
#[derive(Clone, Copy)]
pub enum Third {
    /// Rotated right by this many bits.
    Rotated(u32),
    /// Shifted right by this many bits.
    Shifted(u32),
    /// The word itself.
    Itself,
}

/// The terms of an instruction.
pub struct Terms {
    /// Whether the word has 64 bits instead of 32.
    pub wide: bool,
    /// By how many bits the first two are rotated right.
    pub rotated: [u32; 2],
    /// The third.
    pub third: Third,
}

/// The terms; `None` if it is another instruction.
pub fn terms(op: Op) -> Option<Terms> {
    let of = |wide, a, b, third| Some(Terms { wide, rotated: [a, b], third });
    let sig = |wide, [a, b, c]: [u32; 3]| of(wide, a, b, Third::Shifted(c));
    let sum = |wide, [a, b, c]: [u32; 3]| of(wide, a, b, Third::Rotated(c));
    match op {
        Op::Sha256sig0 => sig(false, <u32 as Word>::SIG0),
        Op::Sha256sig1 => sig(false, <u32 as Word>::SIG1),
        Op::Sha256sum0 => sum(false, <u32 as Word>::SUM0),
        Op::Sha256sum1 => sum(false, <u32 as Word>::SUM1),
        Op::Sha512sig0 => sig(true, <u64 as Word>::SIG0),
        Op::Sha512sig1 => sig(true, <u64 as Word>::SIG1),
        Op::Sha512sum0 => sum(true, <u64 as Word>::SUM0),
        Op::Sha512sum1 => sum(true, <u64 as Word>::SUM1),
        // P0 rotates left by 9 and 17, P1 by 15 and 23.
        Op::Sm3p0 => of(false, 32 - 9, 32 - 17, Third::Itself),
        Op::Sm3p1 => of(false, 32 - 15, 32 - 23, Third::Itself),
        _ => None,
    }
}
