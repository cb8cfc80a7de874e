//! The example with two vector results, against plain arithmetic, at every VLEN, with masks, tails, restarts and both
//! agnostic policies.

use crate::xbutterfly;
use capvec_isa::{Ext, Op};
use capvec_sim::Cause;
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng, config, word};

const Q: u32 = 3329;

/// vsetvli t0, a0, with these fields of vtype.
fn vset(vtype: i64) -> u32 {
    word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 10, vtype))
}

const E16_M2: i64 = 1 << 3 | 1;
const TA_MA: i64 = 0xc0;

fn butterfly(a: u16, b: u16, z: u16) -> (u16, u16) {
    let t = u32::from(z) * u32::from(b) % Q;
    let a = u32::from(a) % Q;
    (((a + t) % Q) as u16, ((a + Q - t) % Q) as u16)
}

fn rig(vlen: u32, agnostic: Agnostic) -> Rig {
    Rig::new(config(&[xbutterfly().0, Ext::V], vlen, agnostic))
}

fn fill(rig: &mut Rig, rng: &mut Rng) {
    for n in 0..32 * rig.h.v.vlenb() as u64 / 8 {
        rig.h.v.set(0, n, rng.next());
    }
}

#[test]
fn equals_plain_arithmetic_under_every_policy() {
    let (_, ops) = xbutterfly();
    let mut rng = Rng::new("equals_plain_arithmetic_under_every_policy");
    for vlen in [128, 256, 512, 1024, 2048] {
        for (agnostic, vtype) in [
            (Agnostic::Undisturbed, E16_M2),
            (Agnostic::Undisturbed, E16_M2 | TA_MA),
            (Agnostic::Ones, E16_M2),
            (Agnostic::Ones, E16_M2 | TA_MA),
        ] {
            let mut rig = rig(vlen, agnostic);
            let vlmax = u64::from(vlen) / 16 * 2;
            for (vl, vstart, masked) in
                [(vlmax, 0, false), (vlmax - 3, 2, true), (1, 0, true), (0, 0, false)]
            {
                fill(&mut rig, &mut rng);
                let z = rng.next();
                rig.h.write_x(10, vl);
                rig.h.write_x(11, z);
                let scalar = masked;
                let insn = word(ops[usize::from(scalar)], |d| {
                    (d.rd, d.rs2, d.rs1, d.vm) = (8, 12, if scalar { 11 } else { 16 }, !masked);
                });
                let before = rig.h.v.clone();
                assert_eq!(rig.run(&[vset(vtype)]).cause, Cause::Breakpoint);
                rig.h.v.vstart = vstart;
                assert_eq!(rig.run(&[insn]).cause, Cause::Breakpoint);
                let ones = agnostic == Agnostic::Ones && vtype & TA_MA != 0 && vl > 0;
                for k in 0..vlmax {
                    let old: (u16, u16) = (before.get(8, k), before.get(12, k));
                    let z = if scalar { z as u16 } else { before.get(16, k) };
                    let active = !masked || before.mask_bit(0, k);
                    let expected = match k {
                        k if k < vstart => old,
                        k if k < vl && active => butterfly(old.0, old.1, z),
                        _ if ones => (u16::MAX, u16::MAX),
                        _ => old,
                    };
                    let got: (u16, u16) = (rig.h.v.get(8, k), rig.h.v.get(12, k));
                    assert_eq!(
                        got, expected,
                        "VLEN {vlen}, vl {vl}, element {k}, {agnostic:?}, {vtype:#x}"
                    );
                }
                assert_eq!(rig.h.v.vstart, 0);
            }
        }
    }
}

#[test]
fn reserved_forms_trap() {
    let (_, ops) = xbutterfly();
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.write_x(10, 8);
    let traps = |rig: &mut Rig, vtype, rd, rs2, rs1, vm| {
        assert_eq!(rig.run(&[vset(vtype)]).cause, Cause::Breakpoint);
        rig.run(&[word(ops[0], |d| (d.rd, d.rs2, d.rs1, d.vm) = (rd, rs2, rs1, vm))]).cause
            == Cause::Illegal
    };
    assert!(!traps(&mut rig, E16_M2, 8, 12, 16, true));
    assert!(traps(&mut rig, E16_M2, 8, 8, 16, true), "the results overlap");
    assert!(traps(&mut rig, E16_M2, 9, 12, 16, true), "vd is not aligned");
    assert!(traps(&mut rig, E16_M2, 8, 12, 15, true), "vs1 is not aligned");
    assert!(traps(&mut rig, E16_M2, 0, 12, 16, false), "the mask is overwritten");
    assert!(
        traps(&mut rig, E16_M2, 8, 0, 16, false),
        "the mask is overwritten by the second result"
    );
    assert!(traps(&mut rig, E16_M2, 8, 12, 0, false), "the mask is read as elements, too");
    assert!(traps(&mut rig, 2 << 3 | 1, 8, 12, 16, true), "SEW 32");
}
