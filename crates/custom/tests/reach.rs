//! Instructions that access memory, masks and f registers.

use crate::xreach;
use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::hart::{Access, Agnostic, Config};
use capvec_sim::testing::{DATA, DATA_LEN, Rig, Rng, config, word};
use capvec_sim::{Cause, Trap};

fn op(name: &str) -> Op {
    let (_, ops) = xreach();
    *ops.iter().find(|op| op.name() == name).expect("an instruction of the example")
}

fn insn(name: &str, set: impl FnOnce(&mut Decoded)) -> u32 {
    word(op(name), set)
}

fn rig(vlen: u32, agnostic: Agnostic) -> Rig {
    Rig::new(config(&[xreach().0, Ext::V], vlen, agnostic))
}

/// vsetvli t0, a7, with these fields of vtype.
fn vset(vtype: i64) -> u32 {
    word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 17, vtype))
}

#[track_caller]
fn executed(trap: Trap) {
    assert_eq!(trap.cause, Cause::Breakpoint, "{trap:?}");
}

fn read(rig: &Rig, address: u64) -> u64 {
    rig.h.mem.load(address).expect("mapped")
}

const END: u64 = DATA + DATA_LEN;

#[test]
fn loads_and_what_core_models_see() {
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.mem.store(DATA + 3, 0x0123_4567_89ab_cdefu64).expect("mapped");
    rig.h.write_x(11, DATA + 10);
    let load = insn("ldrev", |d| (d.rd, d.rs1, d.imm) = (10, 11, -7));
    let (trap, accesses) = rig.run_observed(&[load]);
    executed(trap);
    assert_eq!(rig.h.x(10), 0xefcd_ab89_6745_2301);
    assert_eq!(accesses, [Access { addr: DATA + 3, size: 8, store: false }]);
    // A load that faults changes nothing, and reports the first byte that cannot be read.
    rig.h.write_x(11, END - 4);
    let trap = rig.run(&[insn("ldrev", |d| (d.rd, d.rs1) = (10, 11))]);
    assert_eq!((trap.cause, trap.tval), (Cause::LoadPage, END));
    assert_eq!(rig.h.x(10), 0xefcd_ab89_6745_2301);
}

#[test]
fn nothing_is_stored_if_one_store_faults() {
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.write_x(12, 0x1111);
    rig.h.write_x(13, 0x2222);
    let pair = insn("stpair", |d| (d.rs1, d.rs2, d.rs3) = (11, 12, 13));
    rig.h.write_x(11, DATA + 64);
    let (trap, accesses) = rig.run_observed(&[pair]);
    executed(trap);
    assert_eq!((read(&rig, DATA + 64), read(&rig, DATA + 72)), (0x1111, 0x2222));
    let store = |addr| Access { addr, size: 8, store: true };
    assert_eq!(accesses, [store(DATA + 64), store(DATA + 72)]);
    rig.h.write_x(11, END - 8);
    let trap = rig.run(&[pair]);
    assert_eq!((trap.cause, trap.tval), (Cause::StorePage, END));
    assert_eq!(read(&rig, END - 8), 0, "the first store was possible, and did not happen");
}

#[test]
fn memory_is_read_and_written() {
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.write_x(11, DATA);
    rig.h.write_x(12, 5);
    let add = |rd| insn("addmem", |d| (d.rd, d.rs1, d.rs2) = (rd, 11, 12));
    executed(rig.run(&[add(10), add(13), add(0), add(11)]));
    assert_eq!((rig.h.x(10), rig.h.x(13), rig.h.x(0), rig.h.x(11)), (0, 5, 0, 15));
    assert_eq!(read(&rig, DATA), 20);
}

#[test]
fn addresses_of_rv32_have_32_bits() {
    let base = config(&[xreach().0, Ext::V], 128, Agnostic::Undisturbed);
    let mut rig = Rig::new(Config { xlen: 32, ..base });
    for (r, value) in [(11, DATA - 4), (12, 7), (13, 9), (17, 4)] {
        rig.h.write_x(r, value);
    }
    rig.h.write_x(14, DATA);
    executed(rig.run(&[insn("stpair", |d| (d.rs1, d.rs2, d.rs3) = (14, 12, 13))]));
    assert_eq!(read(&rig, DATA), 9 << 32 | 7);
    // The second index leads once around the address space.
    rig.h.v.set::<u32>(8, 0, 1);
    rig.h.v.set::<u32>(8, 1, (1 << 30) + 2);
    rig.h.v.set::<u32>(8, 2, 1);
    rig.h.v.set::<u32>(8, 3, 2);
    let lut = insn("vlut.v", |d| (d.rd, d.rs1, d.rs2) = (9, 11, 8));
    executed(rig.run(&[vset(2 << 3), lut]));
    let found: Vec<u32> = (0..4).map(|k| rig.h.v.get(9, k)).collect();
    assert_eq!(found, [7, 9, 7, 9]);
}

#[test]
fn tables_in_memory_under_masks() {
    let mut rng = Rng::new("tables_in_memory_under_masks");
    for (vlen, masked) in [(128, false), (256, true), (2048, true)] {
        let mut rig = rig(vlen, Agnostic::Ones);
        for n in 0..256 {
            rig.h.mem.store(DATA + 2 * n, (0x1000 + 3 * n) as u16).expect("mapped");
        }
        for n in 0..32 * u64::from(vlen) / 16 {
            rig.h.v.set::<u16>(0, n, (rng.next() & 0xff) as u16);
        }
        let vl = u64::from(vlen) / 16 - 1;
        rig.h.write_x(11, DATA);
        rig.h.write_x(17, vl);
        let before = rig.h.v.clone();
        let lut = insn("vlut.v", |d| (d.rd, d.rs1, d.rs2, d.vm) = (8, 11, 12, !masked));
        let (trap, accesses) = rig.run_observed(&[vset(1 << 3 | 0xc0), lut]);
        executed(trap);
        let mut active = 0;
        for k in 0..=vl {
            let expected = match k < vl && (!masked || before.mask_bit(0, k)) {
                true => 0x1000 + 3 * before.get::<u16>(12, k),
                false => 0xffff,
            };
            active += usize::from(expected != 0xffff);
            assert_eq!(rig.h.v.get::<u16>(8, k), expected, "VLEN {vlen}, element {k}");
        }
        assert!(accesses.len() == active && accesses.iter().all(|a| a.size == 2 && !a.store));
    }
}

/// A fault leaves the elements before it done and vstart at it, so that the instruction can be continued.
#[test]
fn vector_accesses_are_continued_where_they_faulted() {
    let mut rig = rig(128, Agnostic::Undisturbed);
    for k in 0..4 {
        rig.h.v.set::<u32>(8, k, 100 + k as u32);
    }
    rig.h.write_x(11, END - 24);
    rig.h.write_x(12, 10);
    rig.h.write_x(17, 4);
    let gap = insn("vsgap.v", |d| (d.rs3, d.rs1, d.rs2) = (8, 11, 12));
    let trap = rig.run(&[vset(2 << 3), gap]);
    // Elements at -24, -14 and -4; the fourth, at 6, does not exist.
    assert_eq!((trap.cause, trap.tval, rig.h.v.vstart), (Cause::StorePage, END + 6, 3));
    let stored: Vec<u32> = [24, 14, 4].map(|n| rig.h.mem.load(END - n).expect("mapped")).into();
    assert_eq!(stored, [100, 101, 102]);
    rig.h.write_x(12, 0);
    executed(rig.run(&[gap]));
    assert_eq!(rig.h.v.vstart, 0);
    assert_eq!(rig.h.mem.load(END - 24), Some(103u32));
}

#[test]
fn masks_as_results() {
    let mut rng = Rng::new("masks_as_results");
    for (agnostic, masked, vd) in [
        (Agnostic::Ones, false, 4),
        (Agnostic::Ones, true, 4),
        (Agnostic::Undisturbed, true, 4),
        // The destination is the mask itself, or the lowest register of the source.
        (Agnostic::Ones, true, 0),
        (Agnostic::Ones, false, 8),
    ] {
        let mut rig = rig(128, agnostic);
        for n in 0..64 {
            rig.h.v.set(0, n, rng.next());
        }
        rig.h.write_x(17, 30);
        let before = rig.h.v.clone();
        let par = insn("vpar.v", |d| (d.rd, d.rs2, d.vm) = (vd, 8, !masked));
        // e8, m2, mask and tail undisturbed: the tail of a mask is agnostic all the same.
        executed(rig.run(&[vset(1), par]));
        for k in 0..128 {
            let old = before.mask_bit(vd, k);
            let expected = match k < 30 {
                false => old || agnostic == Agnostic::Ones,
                true if masked && !before.mask_bit(0, k) => old,
                true => before.get::<u8>(8, k).count_ones() % 2 == 1,
            };
            assert_eq!(rig.h.v.mask_bit(vd, k), expected, "{agnostic:?}, v{vd}, bit {k}");
        }
    }
}

#[test]
fn masks_as_operands() {
    let mut rng = Rng::new("masks_as_operands");
    let mut rig = rig(256, Agnostic::Ones);
    for n in 0..128 {
        rig.h.v.set(0, n, rng.next());
    }
    rig.h.v.set::<u64>(0, 0, 0xf0f7_ff00_ff0f_7ff0);
    rig.h.write_x(17, 16);
    let before = rig.h.v.clone();
    let select = insn("vsel.vvm", |d| (d.rd, d.rs2, d.rs1) = (4, 8, 12));
    let turn = insn("vturn.m", |d| (d.rd, d.rs2) = (6, 7));
    executed(rig.run(&[vset(0), select, turn]));
    assert_eq!(rig.h.v.vl, 16);
    for k in 0..16 {
        let from = if before.mask_bit(0, k) { 12 } else { 8 };
        assert_eq!(rig.h.v.get::<u8>(4, k), before.get::<u8>(from, k), "element {k}");
        let first = k & !3;
        let all = (first..first + 4).all(|n| before.mask_bit(0, n));
        let turned = before.mask_bit(7, first + (k + 1) % 4);
        let expected = if all { turned } else { before.mask_bit(6, k) };
        assert_eq!(rig.h.v.mask_bit(6, k), expected, "bit {k}");
    }
}

#[test]
fn reserved_overlaps_trap() {
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.write_x(17, 16);
    let mut traps = |name: &str, rd, rs2, rs1, vm| {
        let word = insn(name, |d| (d.rd, d.rs2, d.rs1, d.vm) = (rd, rs2, rs1, vm));
        rig.run(&[vset(1), word]).cause == Cause::Illegal
    };
    assert!(!traps("vpar.v", 8, 8, 0, true) && !traps("vpar.v", 0, 8, 0, false));
    assert!(traps("vpar.v", 9, 8, 0, true), "a mask in the higher part of its source");
    assert!(traps("vpar.v", 8, 0, 0, false), "the mask is read as elements, too");
    assert!(!traps("vsel.vvm", 4, 8, 12, true) && !traps("vsel.vvm", 8, 8, 12, true));
    assert!(traps("vsel.vvm", 0, 8, 12, true), "the mask is overwritten");
    assert!(traps("vsel.vvm", 4, 0, 12, true), "v0 is read with two widths");
    assert!(traps("vlut.v", 0, 8, 11, false), "the mask is overwritten");
}

#[test]
fn f_registers() {
    const BOXED: u64 = 0xffff_ffff_0000_0000;
    let mut rig = rig(128, Agnostic::Undisturbed);
    rig.h.f[0] = 0x0123_4567_89ab_cdef;
    rig.h.f[1] = u64::MAX;
    rig.h.f[2] = BOXED | 0x3f80_0000;
    rig.h.write_x(11, 1 << 63);
    let xor = insn("fxor.d", |d| (d.rd, d.rs1, d.rs2) = (0, 0, 1));
    let sign = |rd, rs1| insn("fsign.s", |d| (d.rd, d.rs1, d.rs2) = (rd, rs1, 11));
    executed(rig.run(&[xor, sign(3, 2), sign(4, 0)]));
    assert_eq!(rig.h.f[0], !0x0123_4567_89ab_cdef);
    assert_eq!(rig.h.f[3], BOXED | 0xbf80_0000);
    assert_eq!(rig.h.f[4], BOXED | 0xffc0_0000, "what is not boxed is the canonical NaN");
    // With vector operands, f operands have SEW bits.
    rig.h.write_x(17, 2);
    let vxor = |rs1| insn("vxor.vf", |d| (d.rd, d.rs2, d.rs1) = (8, 9, rs1));
    executed(rig.run(&[vset(2 << 3), vxor(2)]));
    assert_eq!(rig.h.v.get::<u64>(8, 0), 0x3f80_0000_3f80_0000);
    executed(rig.run(&[vset(3 << 3), vxor(2)]));
    assert_eq!(rig.h.v.get::<u64>(8, 1), BOXED | 0x3f80_0000);
    assert_eq!(rig.run(&[vset(1 << 3), vxor(2)]).cause, Cause::Illegal, "SEW 16");
    // The extension brings the f registers along.
    let (ext, _) = xreach();
    assert!(config(&[*ext], 128, Agnostic::Ones).exts.has(Ext::D));
}
