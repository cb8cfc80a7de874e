//! The test rig itself.

use capvec_isa::{Ext, Op};
use capvec_sim::testing::{CODE, DATA, Rig, config, word};
use capvec_sim::{Cause, hart::Access, hart::Agnostic};

#[test]
fn runs_words_and_stops_after_them() {
    let mut rig = Rig::new(config(&[Ext::Zicsr], 128, Agnostic::Undisturbed));
    let add = word(Op::Addi, |d| (d.rd, d.imm) = (5, 7));
    let trap = rig.run(&[add]);
    assert_eq!((trap.cause, rig.h.pc, rig.h.x(5)), (Cause::Breakpoint, CODE + 4, 7));
    // New words at the same address are decoded again.
    let trap = rig.run(&[word(Op::Addi, |d| (d.rd, d.imm) = (5, 9))]);
    assert_eq!((trap.cause, rig.h.x(5)), (Cause::Breakpoint, 9));
}

#[test]
fn stops_at_the_instruction_that_traps() {
    let mut rig = Rig::new(config(&[Ext::Zicsr], 128, Agnostic::Undisturbed));
    rig.h.write_x(6, DATA - 4);
    let nop = word(Op::Addi, |_| ());
    let trap = rig.run(&[nop, word(Op::Ld, |d| (d.rd, d.rs1) = (5, 6)), nop]);
    assert_eq!((trap.cause, trap.tval, rig.h.pc), (Cause::LoadPage, DATA - 4, CODE + 4));
}

#[test]
fn observes_accesses() {
    let mut rig = Rig::new(config(&[Ext::Zicsr], 128, Agnostic::Undisturbed));
    rig.h.write_x(6, DATA);
    let ld = word(Op::Ld, |d| (d.rd, d.rs1) = (5, 6));
    let sb = word(Op::Sb, |d| (d.rs2, d.rs1, d.imm) = (5, 6, 3));
    let (trap, accesses) = rig.run_observed(&[ld, sb]);
    assert_eq!(trap.cause, Cause::Breakpoint);
    let expected = [
        Access { addr: DATA, size: 8, store: false },
        Access { addr: DATA + 3, size: 1, store: true },
    ];
    assert_eq!(accesses, expected);
}
