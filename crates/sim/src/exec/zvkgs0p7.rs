//! Zvkgs: GHASH with one hash key, the first group of vs2, for all groups.

use super::zvkg::{block, words};
use crate::crypto::ghash;
use crate::hart::Hart;
use crate::host::Step;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Source;

pub fn vghsh_vs<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups3(i, [Source::Scalar, Source::Vector], Some(Step::Ghash), |vd, vs2, vs1| {
        words(ghash::add_multiply(block(vd), block(vs1), block(vs2)))
    })
}

pub fn vgmul_vs<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups(i, Source::Scalar, Some(Step::GhashMultiply), |vd, vs2| {
        words(ghash::multiply(block(vd), block(vs2)))
    })
}
