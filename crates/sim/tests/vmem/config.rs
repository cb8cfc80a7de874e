//! vsetvli, vsetivli and vsetvl against the manual's text, over all values of vtype's low bits.

use capvec_isa::{Ext, Op};
use capvec_sim::csr::number::VSTART;
use capvec_sim::testing::{Rig, Rng, config, word};
use capvec_sim::{Cause, hart::Agnostic};

const VILL: u64 = 1 << 63;

/// VLMAX from the manual's tables, in bits; `None` if the vtype is not supported.
fn vlmax(bits: u64, vlen: u64, elen: u64) -> Option<u64> {
    let sew = [8, 16, 32, 64].get((bits as usize >> 3) & 7).copied().filter(|s| *s <= elen)?;
    let (num, den) =
        [(1, 1), (2, 1), (4, 1), (8, 1), (0, 1), (1, 8), (1, 4), (1, 2)][(bits & 7) as usize];
    // LMUL ≥ SEW/ELEN, no reserved bits, and not LMUL code 100.
    let supported = num != 0 && num * elen >= sew * den && bits < 256;
    supported.then_some(vlen * num / den / sew)
}

fn rig(exts: &[Ext], vlen: u32) -> Rig {
    Rig::new(config(exts, vlen, Agnostic::Undisturbed))
}

fn state(rig: &Rig) -> (u64, u64, u64) {
    (rig.h.v.vl, rig.h.v.vtype.bits(64), rig.h.v.vstart)
}

#[test]
fn every_vtype_of_vsetvli() {
    for (exts, elen) in [(&[Ext::V][..], 64), (&[Ext::Zve64x], 64), (&[Ext::Zve32x], 32)] {
        for vlen in [128, 256, 1024, 65536] {
            let mut rig = rig(exts, vlen);
            for bits in 0..2048 {
                let max = vlmax(bits, vlen as u64, elen);
                let set = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 6, bits as i64));
                for avl in [0, 1, 7, max.unwrap_or(3), max.unwrap_or(3) + 1, u64::MAX] {
                    rig.h.write_x(6, avl);
                    rig.h.write_x(5, 99);
                    rig.h.v.vstart = 3;
                    assert_eq!(rig.run(&[set]).cause, Cause::Breakpoint);
                    let (vl, vtype) = match max {
                        Some(max) => (avl.min(max), bits),
                        None => (0, VILL),
                    };
                    assert_eq!(state(&rig), (vl, vtype, 0), "{vlen} {bits:#x} {avl}");
                    assert_eq!(rig.h.x(5), vl);
                }
            }
        }
    }
}

#[test]
fn x0_forms() {
    let mut rig = rig(&[Ext::V], 256);
    let set =
        |rd, rs1, bits: u64| word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (rd, rs1, bits as i64));
    // rs1 = x0, rd ≠ x0: VLMAX. e32, m2: 16 elements.
    rig.run(&[set(5, 0, 0x11)]);
    assert_eq!((state(&rig), rig.h.x(5)), ((16, 0x11, 0), 16));
    // rs1 ≠ x0, rd = x0: x0 stays zero.
    rig.h.write_x(6, 5);
    rig.run(&[set(0, 6, 0x11)]);
    assert_eq!((state(&rig), rig.h.x(0)), ((5, 0x11, 0), 0));
    // Both x0, same VLMAX (e16, m1, with vta and vma): vl is kept.
    rig.run(&[set(0, 0, 0xc8)]);
    assert_eq!(state(&rig), (5, 0xc8, 0));
    // Another VLMAX is reserved, and so is a vtype that was illegal before: the result is vill, as the manual allows.
    rig.run(&[set(0, 0, 0xc9)]);
    assert_eq!(state(&rig), (0, VILL, 0));
    rig.run(&[set(0, 0, 0xc8)]);
    assert_eq!(state(&rig), (0, VILL, 0));
}

#[test]
fn vsetivli_and_vsetvl() {
    let mut rig = rig(&[Ext::V], 128);
    for avl in 0..32 {
        let set = word(Op::Vsetivli, |d| (d.rd, d.rs1, d.imm) = (0, avl, 0xd1));
        rig.run(&[set]);
        assert_eq!((state(&rig), rig.h.x(0)), ((avl.min(8) as u64, 0xd1, 0), 0));
    }
    let mut rng = Rng::new("vsetvl");
    let set = word(Op::Vsetvl, |d| (d.rd, d.rs1, d.rs2) = (5, 6, 7));
    for _ in 0..2000 {
        // Any single bit above the defined ones makes it illegal.
        let high = if rng.one_in(2) { 1 << (8 + rng.below(56)) } else { 0 };
        let (bits, avl) = (rng.below(256) | high, rng.below(300));
        rig.h.write_x(6, avl);
        rig.h.write_x(7, bits);
        rig.run(&[set]);
        let expected = match vlmax(bits, 128, 64) {
            Some(max) => (avl.min(max), bits, 0),
            None => (0, VILL, 0),
        };
        assert_eq!(state(&rig), expected, "{bits:#x}");
    }
}

#[test]
fn vl_and_vtype_are_read_only_and_vstart_is_not() {
    let mut rig = rig(&[Ext::V], 256);
    let write = |csr: u16| word(Op::Csrrw, |d| (d.rs1, d.imm) = (6, csr as i64));
    rig.h.write_x(6, 0x1ff);
    for csr in [0xc20, 0xc21, 0xc22] {
        assert_eq!(rig.run(&[write(csr)]).cause, Cause::Illegal);
    }
    assert_eq!(rig.run(&[write(VSTART)]).cause, Cause::Breakpoint);
    assert_eq!(rig.h.v.vstart, 0xff);
}
