//! Operands of two widths, and results in x and f registers, against plain arithmetic.

use crate::xwiden;
use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::Cause;
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::testing::{Rig, Rng, config, word};

fn insn(name: &str, set: impl FnOnce(&mut Decoded)) -> u32 {
    let (_, ops) = xwiden();
    word(*ops.iter().find(|op| op.name() == name).expect("an instruction of the example"), set)
}

fn rig(vlen: u32, agnostic: Agnostic) -> Rig {
    Rig::new(config(&[xwiden().0, Ext::V], vlen, agnostic))
}

/// vsetvli t0, a7, with these fields of vtype.
fn vset(sew: u32, lmul: i8, agnostic: i64) -> u32 {
    let vtype = i64::from(sew.trailing_zeros() - 3) << 3 | i64::from(lmul & 7) | agnostic;
    word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 17, vtype))
}

const TA_MA: i64 = 0xc0;

fn fill(rig: &mut Rig, rng: &mut Rng) {
    for n in 0..32 * rig.h.v.vlenb() as u64 / 8 {
        rig.h.v.set(0, n, rng.next());
    }
}

fn clmul(a: u32, b: u32) -> u64 {
    (0..32).filter(|n| b >> n & 1 == 1).fold(0, |sum, n| sum ^ u64::from(a) << n)
}

#[test]
fn a_destination_of_twice_the_width() {
    let mut rng = Rng::new("a_destination_of_twice_the_width");
    for vlen in [128, 256, 1024] {
        for (agnostic, vl, vstart, masked, vs2) in [
            (Agnostic::Ones, u64::from(vlen) / 32, 0, false, 12),
            (Agnostic::Ones, u64::from(vlen) / 32 - 1, 2, true, 12),
            (Agnostic::Undisturbed, 3, 0, true, 12),
        ] {
            let mut rig = rig(vlen, agnostic);
            fill(&mut rig, &mut rng);
            rig.h.write_x(17, vl);
            let before = rig.h.v.clone();
            assert_eq!(rig.run(&[vset(32, 0, TA_MA)]).cause, Cause::Breakpoint);
            rig.h.v.vstart = vstart;
            let acc = insn("vwclmacc.vv", |d| (d.rd, d.rs1, d.rs2, d.vm) = (8, 16, vs2, !masked));
            assert_eq!(rig.run(&[acc]).cause, Cause::Breakpoint);
            for k in 0..u64::from(vlen) / 32 {
                let (a, b, old): (u32, u32, u64) =
                    (before.get(vs2, k), before.get(16, k), before.get(8, k));
                let wanted = match k {
                    k if k < vstart => old,
                    k if k < vl && (!masked || before.mask_bit(0, k)) => old ^ clmul(a, b),
                    _ if agnostic == Agnostic::Ones => u64::MAX,
                    _ => old,
                };
                assert_eq!(rig.h.v.get::<u64>(8, k), wanted, "VLEN {vlen}, vl {vl}, element {k}");
            }
        }
    }
}

/// In the source's lowest part, a narrow destination overwrites what has been read before.
#[test]
fn a_source_of_twice_the_width() {
    let mut rng = Rng::new("a_source_of_twice_the_width");
    for (vlen, vd) in [(128, 4), (256, 8), (2048, 8)] {
        let mut rig = rig(vlen, Agnostic::Undisturbed);
        fill(&mut rig, &mut rng);
        let vl = u64::from(vlen) / 16;
        for k in 0..vl {
            let product = (rng.next() as u32).cast_signed() % (3329 << 15);
            rig.h.v.set(8, k, product as u32);
        }
        rig.h.write_x(17, vl);
        let before = rig.h.v.clone();
        let reduce = insn("vnmont.w", |d| (d.rd, d.rs2) = (vd, 8));
        assert_eq!(rig.run(&[vset(16, 0, 0), reduce]).cause, Cause::Breakpoint);
        for k in 0..vl {
            let product = before.get::<u32>(8, k).cast_signed();
            let reduced = i64::from(rig.h.v.get::<u16>(vd, k).cast_signed());
            assert!(reduced.abs() <= 3329, "{reduced}");
            assert_eq!((reduced * 65536 - i64::from(product)) % 3329, 0, "element {k}");
        }
    }
}

#[test]
fn reserved_forms_of_two_widths_trap() {
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.write_x(17, 2);
    let mut traps = |sew, lmul, rd, rs1, rs2, vm| {
        let acc = insn("vwclmacc.vv", |d| (d.rd, d.rs1, d.rs2, d.vm) = (rd, rs1, rs2, vm));
        assert_eq!(rig.run(&[vset(sew, lmul, 0)]).cause, Cause::Breakpoint);
        rig.run(&[acc]).cause == Cause::Illegal
    };
    assert!(!traps(32, 0, 8, 12, 13, true));
    assert!(traps(64, 0, 8, 12, 13, true), "elements of 128 bits");
    assert!(traps(32, 3, 8, 16, 24, true), "a group of 16 registers");
    assert!(traps(32, 0, 9, 12, 13, true), "vd is not aligned");
    assert!(traps(32, 0, 8, 12, 8, true), "vs2 is the lower part of vd");
    assert!(traps(32, 0, 8, 12, 9, true), "vd is read, too, with another width");
    assert!(traps(32, 0, 0, 12, 13, false), "the mask is overwritten");
}

#[test]
fn results_in_x_registers() {
    let mut rng = Rng::new("results_in_x_registers");
    for (vlen, sew, vl, masked) in
        [(128, 64, 4, false), (128, 8, 0, false), (256, 32, 13, true), (2048, 16, 200, true)]
    {
        let mut rig = rig(vlen, Agnostic::Ones);
        fill(&mut rig, &mut rng);
        rig.h.write_x(17, vl);
        let before = rig.h.v.clone();
        let code = [
            vset(sew, 1, TA_MA),
            insn("vredxor.x", |d| (d.rd, d.rs2, d.vm) = (10, 8, !masked)),
            insn("vlast.x", |d| (d.rd, d.rs2, d.vm) = (11, 8, !masked)),
            insn("vredxor.x", |d| (d.rd, d.rs2) = (0, 8)),
        ];
        assert_eq!(rig.run(&code).cause, Cause::Breakpoint);
        let element = |k: u64| match sew {
            8 => before.get::<u8>(8, k).into(),
            16 => before.get::<u16>(8, k).into(),
            32 => before.get::<u32>(8, k).into(),
            _ => before.get::<u64>(8, k),
        };
        let active: Vec<u64> = (0..vl).filter(|k| !masked || before.mask_bit(0, *k)).collect();
        let wanted = active.iter().fold(0, |sum, k| sum ^ element(*k));
        let last = active.iter().rev().find(|k| element(**k) != 0).copied();
        assert_eq!((rig.h.x(10), rig.h.x(11)), (wanted, last.unwrap_or(u64::MAX)));
        assert_eq!(rig.h.v.bytes(0), before.bytes(0), "no vector register changes");
        assert_eq!(rig.h.x(0), 0);
        // It cannot be resumed.
        rig.h.v.vstart = 1;
        assert_eq!(rig.run(&code[1..2]).cause, Cause::Illegal);
    }
}

#[test]
fn results_of_rv32_have_32_bits() {
    let base = config(&[xwiden().0, Ext::V], 128, Agnostic::Undisturbed);
    let mut rig = Rig::new(Config { xlen: 32, ..base });
    rig.h.write_x(17, 4);
    let last = insn("vlast.x", |d| (d.rd, d.rs2) = (10, 8));
    assert_eq!(rig.run(&[vset(32, 0, 0), last]).cause, Cause::Breakpoint);
    assert_eq!(rig.h.x(10) as u32, u32::MAX);
    rig.h.v.set::<u32>(8, 2, 5);
    assert_eq!(rig.run(&[vset(32, 0, 0), last]).cause, Cause::Breakpoint);
    assert_eq!(rig.h.x(10), 2);
}

#[test]
fn results_in_f_registers() {
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.write_x(17, 4);
    (0..4).for_each(|k| rig.h.v.set::<u32>(8, k, 0x3f80_0000 + k as u32));
    for (element, wanted) in [(2, 0x3f80_0002), (1 << 32, 0)] {
        rig.h.write_x(11, element);
        let pick = insn("vpick.f", |d| (d.rd, d.rs1, d.rs2) = (3, 11, 8));
        assert_eq!(rig.run(&[vset(32, 0, 0), pick]).cause, Cause::Breakpoint);
        assert_eq!(rig.h.f[3], 0xffff_ffff_0000_0000 | wanted, "NaN-boxed");
    }
}
