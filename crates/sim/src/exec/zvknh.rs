//! Zvknha and Zvknhb: vector SHA-2. SEW 32 is SHA-256; SEW 64 is SHA-512 and Zvknhb only.

use crate::crypto::sha2::{Word, compress2, message_schedule};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Elem, Source};
use capvec_isa::Ext;

/// Runs `step` on groups of the selected width.
macro_rules! sha2 {
    ($($name:ident: $step:ident;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            if h.v.vtype.sew == 64 && h.has(Ext::Zvknhb) {
                groups::<u64>(h, i, $step)
            } else {
                groups::<u32>(h, i, $step)
            }
        }
    )* };
}

fn groups<W: Word + Elem>(
    h: &mut Hart,
    i: &Insn,
    step: impl Fn([W; 4], [W; 4], [W; 4]) -> [W; 4],
) -> Exec {
    h.v_groups3(i, Source::Disjoint, Source::Disjoint, step)
}

fn high<W: Word>(vd: [W; 4], vs2: [W; 4], vs1: [W; 4]) -> [W; 4] {
    compress2(vs2, vd, [vs1[2], vs1[3]])
}

fn low<W: Word>(vd: [W; 4], vs2: [W; 4], vs1: [W; 4]) -> [W; 4] {
    compress2(vs2, vd, [vs1[0], vs1[1]])
}

sha2! {
    vsha2ms_vv: message_schedule;
    vsha2ch_vv: high;
    vsha2cl_vv: low;
}
