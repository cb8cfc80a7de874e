//! Zvknha and Zvknhb: vector SHA-2. SEW 32 is SHA-256; SEW 64 is SHA-512 and Zvknhb only.

use crate::crypto::sha2::{Word, compress2, message_schedule};
use crate::hart::Hart;
use crate::host::Step;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Elem, Source};
use capvec_isa::Ext;

/// Runs `step` on groups of the selected width.
macro_rules! sha2 {
    ($($name:ident: $wide:ident, $narrow:ident, $f:ident;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            if h.v.vtype.sew == 64 && h.has(Ext::Zvknhb) {
                groups::<u64>(h, i, Step::$wide, $f)
            } else {
                groups::<u32>(h, i, Step::$narrow, $f)
            }
        }
    )* };
}

fn groups<W: Word + Elem>(
    h: &mut Hart,
    i: &Insn,
    step: Step,
    f: impl Fn([W; 4], [W; 4], [W; 4]) -> [W; 4],
) -> Exec {
    h.v_groups3(i, [Source::Disjoint; 2], Some(step), f)
}

fn high<W: Word>(vd: [W; 4], vs2: [W; 4], vs1: [W; 4]) -> [W; 4] {
    compress2(vs2, vd, [vs1[2], vs1[3]])
}

fn low<W: Word>(vd: [W; 4], vs2: [W; 4], vs1: [W; 4]) -> [W; 4] {
    compress2(vs2, vd, [vs1[0], vs1[1]])
}

sha2! {
    vsha2ms_vv: Sha512Schedule, Sha256Schedule, message_schedule;
    vsha2ch_vv: Sha512High, Sha256High, high;
    vsha2cl_vv: Sha512Low, Sha256Low, low;
}
