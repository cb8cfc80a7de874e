//! The example on x registers, for both XLENs.

use crate::xrotxor;
use capvec_isa::{Ext, disassemble};
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::testing::{Rig, Rng, config, word};
use capvec_sim::{Cause, Trap};

fn rig(xlen: u8) -> Rig {
    let config = config(&[xrotxor().0], 128, Agnostic::Undisturbed);
    Rig::new(Config { xlen, ..config })
}

#[track_caller]
fn executed(trap: Trap) {
    assert_eq!(trap.cause, Cause::Breakpoint, "{trap:?}");
}

#[test]
fn rotates_and_xors() {
    let (_, ops) = xrotxor();
    let mut rng = Rng::new("rotates_and_xors");
    let mut rig = rig(64);
    for n in 0..64 {
        let (a, b) = (rng.next(), rng.next());
        rig.h.write_x(11, a);
        rig.h.write_x(12, b);
        let set = |d: &mut capvec_isa::Decoded| (d.rd, d.rs1, d.rs2, d.imm) = (10, 11, 12, n);
        let long = word(ops[0], set);
        executed(rig.run(&[long]));
        assert_eq!(rig.h.x(10), a.rotate_right(n as u32) ^ b, "{n}");
        if n < 32 {
            executed(rig.run(&[word(ops[1], set)]));
            let expected = (a as u32).rotate_right(n as u32) ^ b as u32;
            assert_eq!(rig.h.x(10), expected as i32 as u64, "{n}");
        }
    }
}

#[test]
fn x0_stays_zero() {
    let (_, ops) = xrotxor();
    let mut rig = rig(64);
    rig.h.write_x(5, 7);
    executed(rig.run(&[word(ops[0], |d| (d.rd, d.rs1, d.rs2, d.imm) = (0, 5, 0, 0))]));
    assert_eq!(rig.h.x(0), 0);
    executed(rig.run(&[word(ops[0], |d| (d.rd, d.rs1, d.rs2, d.imm) = (6, 0, 5, 9))]));
    assert_eq!(rig.h.x(6), 7);
}

#[test]
fn rv32_has_its_own_instance() {
    let (_, ops) = xrotxor();
    let mut rig = rig(32);
    rig.h.write_x(11, 0xffff_ffff_8000_0001);
    let words = [word(ops[1], |d| (d.rd, d.rs1, d.rs2, d.imm) = (10, 11, 0, 1))];
    executed(rig.run(&words));
    assert_eq!(rig.h.x(10), 0xffff_ffff_c000_0000);
    let only64 = word(ops[0], |d| (d.rd, d.rs1) = (10, 11));
    assert_eq!(rig.run(&[only64]).cause, Cause::Illegal);
}

#[test]
fn needs_the_extension_and_is_disassembled() {
    let (ext, ops) = xrotxor();
    let bits = word(ops[0], |d| (d.rd, d.rs1, d.rs2, d.imm) = (10, 11, 12, 63));
    let mut rig = Rig::new(config(&[Ext::Zbb], 128, Agnostic::Undisturbed));
    let trap = rig.run(&[bits]);
    assert_eq!((trap.cause, trap.tval), (Cause::Illegal, u64::from(bits)));
    assert!(trap.why.unwrap().to_string().contains("rotxor needs xrotxor"), "{trap:?}");
    let exts = config(&[*ext], 128, Agnostic::Undisturbed).exts;
    let d = capvec_isa::decode(bits, 64, exts).unwrap();
    assert_eq!(disassemble(&d, 0), "rotxor a0, a1, a2, 63");
}
