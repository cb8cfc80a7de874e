//! Zvkg: vector GHASH.

use crate::crypto::ghash;
use crate::hart::Hart;
use crate::host::Step;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Source;

/// The group as a little-endian integer.
pub(super) fn block(words: [u32; 4]) -> u128 {
    words.iter().rev().fold(0, |block, word| block << 32 | *word as u128)
}

/// The group of a little-endian integer.
pub(super) fn words(block: u128) -> [u32; 4] {
    std::array::from_fn(|k| (block >> (32 * k)) as u32)
}

pub fn vghsh_vv<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups3(i, [Source::Vector; 2], Some(Step::Ghash), |vd, vs2, vs1| {
        words(ghash::add_multiply(block(vd), block(vs1), block(vs2)))
    })
}

pub fn vgmul_vv<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups(i, Source::Vector, Some(Step::GhashMultiply), |vd, vs2| {
        words(ghash::multiply(block(vd), block(vs2)))
    })
}
