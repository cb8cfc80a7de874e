//! Harts whose misaligned accesses trap. What each instruction accesses is listed here, independently of its name.

use capvec_isa::{Ext, Op};
use capvec_sim::hart::{Agnostic, Config, MustAlign};
use capvec_sim::testing::{CODE, DATA, Rig, all_exts, config, word};
use capvec_sim::{Cause, Trap};

const SCALAR: [(Op, u64); 17] = [
    (Op::Lb, 1),
    (Op::Lbu, 1),
    (Op::Lh, 2),
    (Op::Lhu, 2),
    (Op::Lw, 4),
    (Op::Lwu, 4),
    (Op::Ld, 8),
    (Op::Flh, 2),
    (Op::Flw, 4),
    (Op::Fld, 8),
    (Op::Sb, 1),
    (Op::Sh, 2),
    (Op::Sw, 4),
    (Op::Sd, 8),
    (Op::Fsh, 2),
    (Op::Fsw, 4),
    (Op::Fsd, 8),
];

/// With SEW 16, which is the width of the elements that indexed instructions access.
const VECTOR: [(Op, u64); 22] = [
    (Op::Vle8V, 1),
    (Op::Vle16V, 2),
    (Op::Vle32V, 4),
    (Op::Vle64V, 8),
    (Op::Vle16ffV, 2),
    (Op::Vle64ffV, 8),
    (Op::Vlse32V, 4),
    (Op::Vluxei8V, 2),
    (Op::Vloxei32V, 2),
    (Op::VlmV, 1),
    (Op::Vl1re8V, 1),
    (Op::Vl1re16V, 2),
    (Op::Vl2re32V, 4),
    (Op::Vl1re64V, 8),
    (Op::Vse8V, 1),
    (Op::Vse16V, 2),
    (Op::Vse64V, 8),
    (Op::Vsse64V, 8),
    (Op::Vsuxei8V, 2),
    (Op::Vsoxei16V, 2),
    (Op::VsmV, 1),
    (Op::Vs2rV, 1),
];

fn is_store(op: Op) -> bool {
    op.name().trim_start_matches(['f', 'v']).starts_with('s')
}

fn rig(scalar: bool, vector: bool) -> Rig {
    let base = config(&all_exts(), 128, Agnostic::Undisturbed);
    Rig::new(Config { must_align: MustAlign { scalar, vector }, ..base })
}

/// Executes the instruction, which accesses `addr`, in a vector state of three elements with SEW 16; a stride is 64 bytes.
fn at(rig: &mut Rig, op: Op, addr: u64) -> Trap {
    rig.h.write_x(6, addr);
    rig.h.write_x(7, 64);
    let vset = word(Op::Vsetivli, |d| (d.rs1, d.imm) = (3, 0x08));
    let access = word(op, |d| {
        (d.rd, d.rs1, d.rs2, d.rs3) = (8, 6, if op.row().class.is_vector() { 7 } else { 9 }, 8);
        // An index is a vector register; those of this test are zero.
        if op.row().args.contains("vs2") {
            d.rs2 = 16;
        }
    });
    rig.run(&[vset, access])
}

#[test]
fn misaligned_accesses_trap_and_others_do_not() {
    let kinds = [(&SCALAR[..], false), (&VECTOR[..], true)];
    for (op, size, vector) in kinds.iter().flat_map(|(ops, v)| ops.iter().map(|o| (o.0, o.1, *v))) {
        for offset in 0..16 {
            for (must_align, applies) in [((true, false), !vector), ((false, true), vector)] {
                let mut rig = rig(must_align.0, must_align.1);
                let addr = DATA + 64 + offset;
                let trap = at(&mut rig, op, addr);
                let name = op.name();
                if applies && offset % size != 0 {
                    let cause =
                        if is_store(op) { Cause::StoreMisaligned } else { Cause::LoadMisaligned };
                    assert_eq!((trap.cause, trap.tval), (cause, addr), "{name} at {offset}");
                    assert_eq!(rig.h.pc, CODE + 4, "{name}");
                    assert_eq!((rig.h.instret, rig.h.v.vstart), (1, 0), "{name}");
                } else {
                    assert_eq!(trap.cause, Cause::Breakpoint, "{name} at {offset}");
                }
            }
        }
    }
}

/// Misalignment is found before the page is looked up, and a misaligned store writes nothing.
#[test]
fn the_page_does_not_matter() {
    let mut rig = rig(true, true);
    assert_eq!(at(&mut rig, Op::Ld, 1).cause, Cause::LoadMisaligned);
    assert_eq!(at(&mut rig, Op::Ld, 0).cause, Cause::LoadPage);
    assert_eq!(at(&mut rig, Op::Vse16V, 1).cause, Cause::StoreMisaligned);
    rig.h.write_x(9, u64::MAX);
    assert_eq!(at(&mut rig, Op::Sd, DATA + 4).cause, Cause::StoreMisaligned);
    assert_eq!(rig.h.mem.load::<u64>(DATA + 4), Some(0));
}

/// Elements before the one that traps are done, and inactive ones do not trap.
#[test]
fn vstart_is_the_element_that_traps() {
    let mut rig = rig(false, true);
    let bytes: Vec<u8> = (1..=64).collect();
    rig.h.mem.write(DATA, &bytes).expect("a writable page");
    rig.h.write_x(6, DATA);
    rig.h.write_x(7, 3);
    let vset = word(Op::Vsetivli, |d| (d.rs1, d.imm) = (4, 0x08));
    let load = |vm| word(Op::Vlse16V, |d| (d.rd, d.rs1, d.rs2, d.vm) = (8, 6, 7, vm));
    let trap = rig.run(&[vset, load(true)]);
    assert_eq!((trap.cause, trap.tval, rig.h.v.vstart), (Cause::LoadMisaligned, DATA + 3, 1));
    assert_eq!(rig.h.v.bytes(8)[..4], [1, 2, 0, 0]);
    // Elements 0 and 2, at offsets 0 and 6.
    rig.h.v.vstart = 0;
    rig.h.v.bytes_mut(0)[0] = 0b101;
    assert_eq!(rig.run(&[vset, load(false)]).cause, Cause::Breakpoint);
    assert_eq!(rig.h.v.bytes(8)[..8], [1, 2, 0, 0, 7, 8, 0, 0]);
    // Without elements, nothing is accessed.
    let none = word(Op::Vsetivli, |d| (d.rs1, d.imm) = (0, 0x08));
    rig.h.write_x(6, DATA + 1);
    let load = word(Op::Vle16V, |d| (d.rd, d.rs1) = (8, 6));
    assert_eq!(rig.run(&[none, load]).cause, Cause::Breakpoint);
}

#[test]
fn atomics_trap_on_every_hart() {
    let mut rig = Rig::new(config(&[Ext::A, Ext::V], 128, Agnostic::Undisturbed));
    for (op, cause) in [(Op::AmoaddW, Cause::StoreMisaligned), (Op::LrD, Cause::LoadMisaligned)] {
        assert_eq!(at(&mut rig, op, DATA + 2).cause, cause);
    }
}
