//! Keccak-f[1600] as a file, against the built-in `vkeccak.vi` of Zvknhk 0.2.

use crate::xkeccak;
use capvec_isa::{Ext, Op};
use capvec_sim::Cause;
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng, config, word};

/// e64, m8, tail agnostic.
const E64_M8: i64 = 3 << 3 | 3 | 0x40;

#[test]
fn equals_the_built_in_instruction() {
    let (ext, ops) = xkeccak();
    let mut rng = Rng::new("equals_the_built_in_instruction");
    for vlen in [256, 512, 1024, 2048] {
        for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
            let mut rig = Rig::new(config(&[*ext, Ext::V, Ext::Zvknhk0p2], vlen, agnostic));
            let vlmax = u64::from(vlen) / 64 * 8;
            for groups in 0..=vlmax / 32 {
                for n in 0..32 * u64::from(vlen) / 64 {
                    rig.h.v.set(0, n, rng.next());
                }
                for n in 0..vlmax {
                    let lane: u64 = rig.h.v.get(8, n);
                    rig.h.v.set(16, n, lane);
                }
                rig.h.write_x(10, groups * 32);
                let own = word(ops[0], |d| d.rd = 8);
                let built_in = word(Op::VkeccakViZvknhk0p2, |d| d.rd = 16);
                let vset = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 10, E64_M8));
                assert_eq!(rig.run(&[vset, own, built_in]).cause, Cause::Breakpoint);
                for n in 0..vlmax {
                    let (a, b): (u64, u64) = (rig.h.v.get(8, n), rig.h.v.get(16, n));
                    assert_eq!(a, b, "VLEN {vlen}, {groups} groups, lane {n}");
                }
            }
        }
    }
}

#[test]
fn needs_whole_groups() {
    let (ext, ops) = xkeccak();
    let mut rig = Rig::new(config(&[*ext, Ext::V], 256, Agnostic::Undisturbed));
    let vset = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 10, E64_M8));
    let own = word(ops[0], |d| d.rd = 8);
    for (vl, legal) in [(32, true), (25, false), (0, true)] {
        rig.h.write_x(10, vl);
        let cause = rig.run(&[vset, own]).cause;
        assert_eq!(cause == Cause::Breakpoint, legal, "vl {vl}: {cause:?}");
    }
    // LMUL 4: a register group has 16 elements.
    rig.h.write_x(10, 0);
    let vset = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 10, E64_M8 - 1));
    assert_eq!(rig.run(&[vset, own]).cause, Cause::Illegal);
}
