//! Cases that the manual describes, with literal results.

use super::check;
use super::model::Rule;
use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::Cause;
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, config, word};
use capvec_sim::trap::Why;
use capvec_sim::vector::VType;

fn rig(exts: &[Ext], sew: u32, lmul: i8) -> Rig {
    let mut rig = Rig::new(config(exts, 128, Agnostic::Undisturbed));
    rig.h.v.vtype = VType { vill: false, sew, lmul, vta: false, vma: false };
    rig.h.v.vl = rig.h.v.vlmax();
    rig
}

fn op(op: Op, vd: u8, vs2: u8, vs1: u8, vm: bool) -> Decoded {
    Decoded { rd: vd, rs2: vs2, rs1: vs1, vm, ..Decoded::new(op) }
}

/// SEW, log2 LMUL, instruction, and the rule that reserves it.
#[test]
fn reserved_encodings() {
    use Rule::*;
    let cases = [
        // "when LMUL=1, vnsrl.wi v0, v0, 3 is legal, but a destination of v1 is not"
        (8, 0, op(Op::VnsrlWi, 0, 0, 0, true), None),
        (8, 0, op(Op::VnsrlWi, 1, 0, 0, true), Some(Overlap)),
        // "when LMUL=8, vzext.vf4 v0, v6 is legal, but a source of v0, v2, or v4 is not"
        (32, 3, op(Op::VzextVf4, 0, 6, 0, true), None),
        (32, 3, op(Op::VzextVf4, 0, 0, 0, true), Some(Overlap)),
        (32, 3, op(Op::VzextVf4, 0, 2, 0, true), Some(Overlap)),
        (32, 3, op(Op::VzextVf4, 0, 4, 0, true), Some(Overlap)),
        // A source EMUL below 1 may not overlap at all.
        (32, 0, op(Op::VzextVf2, 2, 2, 0, true), Some(Overlap)),
        // "a widening operation ... when LMUL=8 is reserved"
        (8, 3, op(Op::VwaddVv, 8, 16, 24, true), Some(Emul)),
        (64, 0, op(Op::VwaddVv, 8, 16, 24, true), Some(Eew)),
        (8, 0, op(Op::VsextVf2, 8, 16, 0, true), Some(Eew)),
        (64, 0, op(Op::VnsrlWv, 8, 16, 24, true), Some(Eew)),
        (64, 0, op(Op::VwredsumVs, 8, 16, 24, true), Some(Eew)),
        // The widened scalar of a reduction has EMUL 1 for every LMUL.
        (8, 3, op(Op::VwredsumVs, 9, 16, 25, true), None),
        (8, 3, op(Op::VredsumVs, 9, 17, 25, true), Some(Alignment)),
        // Masks, unlike vectors, may be written to v0 under a mask; so may scalars of reductions.
        (8, 0, op(Op::VaddVv, 0, 1, 2, false), Some(MaskedV0)),
        (8, 1, op(Op::VmseqVv, 0, 2, 4, false), None),
        (8, 1, op(Op::VredsumVs, 0, 2, 4, false), None),
        (8, 0, op(Op::VadcVvm, 0, 1, 2, false), Some(MaskedV0)),
        (8, 0, op(Op::VmergeVvm, 0, 1, 2, false), Some(MaskedV0)),
        (8, 0, op(Op::VmadcVvm, 0, 1, 2, false), None),
        // A mask destination is narrower than its sources: it may overlap only their first register.
        (8, 1, op(Op::VmsltVv, 2, 2, 4, true), None),
        (8, 1, op(Op::VmsltVv, 3, 2, 4, true), Some(Overlap)),
        // No register may be read with two widths. A mask in v0 has width 1; an accumulated destination is read.
        (8, 0, op(Op::VaddVv, 3, 0, 2, false), Some(TwoWidths)),
        (8, 0, op(Op::VaddVv, 3, 2, 0, false), Some(TwoWidths)),
        (8, 0, op(Op::VaddVv, 3, 2, 0, true), None),
        (8, 0, op(Op::VwaddWv, 4, 2, 3, true), Some(TwoWidths)),
        (8, 0, op(Op::VwaddVv, 2, 4, 3, true), None),
        (8, 0, op(Op::VwmaccVv, 2, 4, 3, true), Some(TwoWidths)),
        (8, 0, op(Op::VwredsumVs, 2, 4, 4, true), Some(TwoWidths)),
        (8, 0, op(Op::VmergeVvm, 3, 0, 2, false), Some(TwoWidths)),
    ];
    for (sew, lmul, d, rule) in cases {
        let mut rig = rig(&[Ext::V], sew, lmul);
        assert_eq!(check(&mut rig, &d), rule, "{d:?} at SEW {sew}, LMUL 2^{lmul}");
    }
}

#[test]
fn vill_traps() {
    for o in [Op::VaddVv, Op::VmseqVv, Op::VmulhVv, Op::VsadduVv, Op::VredsumVs, Op::VmvVI] {
        let mut rig = rig(&[Ext::V], 8, 0);
        rig.h.v.vtype = VType::ILLEGAL;
        let d = word(o, |d| d.rd = 4);
        assert_eq!(rig.run(&[d]).cause, Cause::Illegal, "{o:?}");
    }
}

/// "not included for EEW=64 in Zve64*"; with an ELEN of 32, nothing widens to 64.
#[test]
fn embedded_subsets() {
    let products =
        [Op::VmulhVv, Op::VmulhuVx, Op::VmulhsuVv, Op::VmulhVx, Op::VsmulVv, Op::VsmulVx];
    for o in products {
        let mut at64 = rig(&[Ext::Zve64x, Ext::Zvl128b], 64, 0);
        let trap = at64.run(&[word(o, |d| d.rd = 4)]);
        assert!(matches!(trap.why, Some(Why::Needs(_, set)) if set.has(Ext::V)), "{o:?} {trap:?}");
        let mut at32 = rig(&[Ext::Zve64x, Ext::Zvl128b], 32, 0);
        assert_eq!(at32.run(&[word(o, |d| d.rd = 4)]).cause, Cause::Breakpoint, "{o:?}");
    }
    let mut low = rig(&[Ext::Zve64x, Ext::Zvl128b], 64, 0);
    assert_eq!(low.run(&[word(Op::VmulVv, |d| d.rd = 4)]).cause, Cause::Breakpoint);
    let mut elen32 = rig(&[Ext::Zve32x, Ext::Zvl128b], 32, 0);
    let widen = word(Op::VwaddVv, |d| (d.rd, d.rs2, d.rs1) = (4, 2, 3));
    assert_eq!(elen32.run(&[widen]).cause, Cause::Illegal);
}

/// Runs one `.vx` instruction on one element.
fn element(o: Op, sew: u32, vd: u64, vs2: u64, x: u64, vxrm: u8) -> (u64, bool) {
    let mut rig = rig(&[Ext::V], sew, 0);
    rig.h.v.vl = 1;
    rig.h.v.vxrm = vxrm;
    rig.h.v.set(2, 0, vs2);
    rig.h.v.set(4, 0, vd);
    rig.h.write_x(10, x);
    let trap = rig.run(&[word(o, |d| (d.rd, d.rs2, d.rs1) = (4, 2, 10))]);
    assert_eq!(trap.cause, Cause::Breakpoint);
    (rig.h.v.get::<u64>(4, 0) & (u64::MAX >> (64 - sew)), rig.h.v.vxsat)
}

#[test]
fn ends_of_ranges() {
    let min = 1u64 << 63;
    let all = u64::MAX;
    let cases = [
        // Division by zero and overflow, as the scalar instructions.
        (Op::VdivVx, 64, min, all, 0, (min, false)),
        (Op::VremVx, 64, min, all, 0, (0, false)),
        (Op::VdivVx, 64, 5, 0, 0, (all, false)),
        (Op::VdivuVx, 8, 5, 0, 0, (0xff, false)),
        (Op::VremVx, 64, min, 0, 0, (min, false)),
        (Op::VremuVx, 16, 5, 0, 0, (5, false)),
        (Op::VdivVx, 8, 0x80, 0xff, 0, (0x80, false)),
        // High halves.
        (Op::VmulhuVx, 64, all, all, 0, (all - 1, false)),
        (Op::VmulhVx, 64, min, min, 0, (1 << 62, false)),
        (Op::VmulhsuVx, 64, min, all, 0, (min, false)),
        // The one fractional product that saturates.
        (Op::VsmulVx, 64, min, min, 0, (min - 1, true)),
        (Op::VsmulVx, 8, 0x80, 0x80, 2, (0x7f, true)),
        (Op::VsmulVx, 8, 0x80, 0x7f, 2, (0x81, false)),
        (Op::VsaddVx, 64, all >> 1, 1, 0, (all >> 1, true)),
        (Op::VssubuVx, 32, 1, 2, 0, (0, true)),
        // Roundings of 5/4 and 7/4, 6/4 and 2/4: rnu, rne, rdn, rod.
        (Op::VssrlVx, 8, 6, 2, 0, (2, false)),
        (Op::VssrlVx, 8, 2, 2, 0, (1, false)),
        (Op::VssrlVx, 8, 6, 2, 1, (2, false)),
        (Op::VssrlVx, 8, 2, 2, 1, (0, false)),
        (Op::VssrlVx, 8, 7, 2, 2, (1, false)),
        (Op::VssrlVx, 8, 5, 2, 3, (1, false)),
        (Op::VssrlVx, 8, 9, 2, 3, (3, false)),
        (Op::VaadduVx, 64, all, all, 0, (all, false)),
        // The one signed difference whose average wraps.
        (Op::VasubVx, 8, 0x7f, 0x80, 0, (0x80, false)),
        (Op::VasubuVx, 8, 0, 1, 2, (0xff, false)),
    ];
    for (o, sew, vs2, x, vxrm, expected) in cases {
        assert_eq!(
            element(o, sew, 0, vs2, x, vxrm),
            expected,
            "{o:?} {sew} {vs2:#x} {x:#x} {vxrm}"
        );
    }
}

/// vd - (x·vs2) and its three relatives: which operand is multiplied and which is added.
#[test]
fn multiply_add_orders() {
    let cases = [
        (Op::VmaccVx, 1000 + 7 * 3),
        (Op::VnmsacVx, 1000 - 7 * 3),
        (Op::VmaddVx, 7 * 1000 + 3),
        (Op::VnmsubVx, (3u64.wrapping_sub(7 * 1000)) & 0xffff),
    ];
    for (o, expected) in cases {
        assert_eq!(element(o, 16, 1000, 3, 7, 0).0, expected, "{o:?}");
    }
}

/// With vl = 0, vd is left alone although vs1 holds another scalar.
#[test]
fn reduction_of_nothing() {
    let mut rig = rig(&[Ext::V], 32, 0);
    rig.h.v.vl = 0;
    rig.h.v.set(3, 0, 7u32);
    rig.h.v.set(4, 0, 9u32);
    let trap = rig.run(&[word(Op::VredsumVs, |d| (d.rd, d.rs2, d.rs1) = (4, 2, 3))]);
    assert_eq!((trap.cause, rig.h.v.get::<u32>(4, 0)), (Cause::Breakpoint, 9));
}
