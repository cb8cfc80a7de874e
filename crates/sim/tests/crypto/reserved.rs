//! Every reserved encoding and state of the instructions on element groups raises an illegal-instruction trap and
//! changes nothing.

use super::groups::{Row, rows};
use super::machine::{configure, encoded, insn, machine, run};
use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng, all_exts};
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Why};

/// Executes `word`, asserts that it traps without any effect, and returns why.
fn traps(m: &mut Rig, word: u32) -> Why {
    let (before, vl, vtype, vstart) =
        (m.h.v.bytes(0).to_vec(), m.h.v.vl, m.h.v.vtype, m.h.v.vstart);
    let trap = m.run(&[word]);
    assert_eq!((trap.cause, trap.tval), (Cause::Illegal, word as u64));
    assert!(m.h.v.bytes(0) == before);
    assert_eq!((m.h.v.vl, m.h.v.vtype, m.h.v.vstart), (vl, vtype, vstart));
    trap.why.expect("an illegal instruction says why")
}

fn reserved(m: &mut Rig, d: &Decoded) -> &'static str {
    match traps(m, encoded(d)) {
        Why::Reserved(what) => what,
        why => panic!("{d:?}: {why:?}"),
    }
}

/// Operands that are legal for every instruction at LMUL up to 8.
fn legal(row: &Row) -> Decoded {
    insn(row.op, 8, 16, if row.vs1 { 24 } else { 0 }, if row.imm { 3 } else { 0 })
}

/// A hart on which every instruction of the row's width is legal.
fn ready(row: &Row, vlen: u32) -> Rig {
    let mut m = machine(&all_exts(), vlen, Agnostic::Ones);
    Rng::new("ready").fill(m.h.v.bytes_mut(0));
    configure(&mut m, row.sew, 1, row.egs);
    m
}

#[test]
fn the_legal_operands_are_legal() {
    for row in rows() {
        assert_eq!(run(&mut ready(&row, 128), &[legal(&row)]), Ok(()), "{}", row.op.name());
    }
}

#[test]
fn masked_encodings_are_none() {
    for row in rows() {
        let word = encoded(&legal(&row)) & !(1 << 25);
        assert_eq!(traps(&mut ready(&row, 256), word), Why::Unknown, "{}", row.op.name());
    }
}

#[test]
fn other_sews_trap() {
    for row in rows() {
        let has_both = rows().iter().filter(|other| other.op == row.op).count() == 2;
        for sew in [8, 16, 32, 64] {
            if sew == row.sew || has_both && sew >= 32 {
                continue;
            }
            for vl in [0, 8] {
                let mut m = ready(&row, 256);
                configure(&mut m, sew, 1, vl);
                assert!(reserved(&mut m, &legal(&row)).contains("SEW"), "{}", row.op.name());
            }
        }
    }
}

#[test]
fn sha_512_needs_zvknhb() {
    for op in [Op::Vsha2msVv, Op::Vsha2chVv, Op::Vsha2clVv] {
        let mut m = machine(&[Ext::V, Ext::Zvknha], 256, Agnostic::Ones);
        configure(&mut m, 32, 0, 4);
        assert_eq!(run(&mut m, &[insn(op, 8, 16, 24, 0)]), Ok(()));
        configure(&mut m, 64, 0, 4);
        assert!(reserved(&mut m, &insn(op, 8, 16, 24, 0)).contains("SEW"));
    }
}

#[test]
fn vl_and_vstart_off_the_group_trap() {
    for row in rows() {
        for off in 1..row.egs {
            let mut m = ready(&row, 512);
            m.h.v.vl = row.egs + off;
            assert!(reserved(&mut m, &legal(&row)).contains("vl "), "{}", row.op.name());
            let mut m = ready(&row, 512);
            m.h.v.vstart = off;
            assert!(reserved(&mut m, &legal(&row)).contains("vstart"), "{}", row.op.name());
        }
    }
}

#[test]
fn a_group_that_does_not_fit_traps_even_with_nothing_to_do() {
    let mut tried = 0;
    for row in rows() {
        for vlen in [128, 256, 512, 1024] {
            for lmul in -3..=3i8 {
                let bits = if lmul < 0 { vlen >> -lmul } else { vlen << lmul };
                let mut m = ready(&row, vlen);
                configure(&mut m, row.sew, lmul, 0);
                if (bits as u64) < row.egs * row.sew as u64 {
                    assert!(reserved(&mut m, &legal(&row)).contains("LMUL"), "{}", row.op.name());
                    tried += 1;
                } else {
                    assert_eq!(
                        run(&mut m, &[legal(&row)]),
                        Ok(()),
                        "{} {vlen} {lmul}",
                        row.op.name()
                    );
                }
            }
        }
    }
    assert!(tried > 100);
}

#[test]
fn vill_traps() {
    for row in rows() {
        let mut m = ready(&row, 256);
        m.h.v.vtype = VType::ILLEGAL;
        m.h.v.vl = 0;
        assert!(reserved(&mut m, &legal(&row)).contains("vill"), "{}", row.op.name());
    }
}

#[test]
fn registers_off_their_group_trap() {
    for row in rows() {
        for lmul in 1..=3 {
            for off in 1..1 << lmul {
                let mut m = ready(&row, 256);
                configure(&mut m, row.sew, lmul, row.egs);
                let d = legal(&row);
                let aligned = "not aligned";
                let vd = Decoded { rd: d.rd + off, ..d };
                assert!(reserved(&mut m, &vd).contains(aligned), "{vd:?}");
                let vs2 = Decoded { rs2: d.rs2 + off, ..d };
                if row.scalar {
                    assert_eq!(
                        run(&mut m, &[vs2]),
                        Ok(()),
                        "a scalar group has no alignment: {vs2:?}"
                    );
                } else {
                    assert!(reserved(&mut m, &vs2).contains(aligned), "{vs2:?}");
                }
                if row.vs1 {
                    let vs1 = Decoded { rs1: d.rs1 + off, ..d };
                    assert!(reserved(&mut m, &vs1).contains(aligned), "{vs1:?}");
                }
            }
        }
    }
}

#[test]
fn overlaps_trap_where_they_are_reserved_and_only_there() {
    for row in rows() {
        for lmul in 0..=3i8 {
            let mut m = ready(&row, 256);
            configure(&mut m, row.sew, lmul, row.egs);
            let d = legal(&row);
            let inside = if row.scalar { 0..1 << lmul } else { 0..1 };
            for off in inside {
                let vs2 = Decoded { rs2: d.rd + off, ..d };
                if row.disjoint[0] {
                    assert!(reserved(&mut m, &vs2).contains("overlap"), "{vs2:?}");
                } else {
                    assert_eq!(run(&mut m, &[vs2]), Ok(()), "{vs2:?}");
                }
            }
            let vs1 = Decoded { rs1: d.rd, ..d };
            if row.vs1 && row.disjoint[1] {
                assert!(reserved(&mut m, &vs1).contains("overlap"), "{vs1:?}");
            } else if row.vs1 {
                assert_eq!(run(&mut m, &[vs1]), Ok(()), "{vs1:?}");
            }
        }
    }
}

#[test]
fn an_absent_extension_traps_and_is_named() {
    for row in rows() {
        let mut m = machine(&[Ext::V], 256, Agnostic::Ones);
        configure(&mut m, row.sew, 0, 0);
        let word = encoded(&legal(&row));
        let Why::Needs(op, exts) = traps(&mut m, word) else { panic!("{}", row.op.name()) };
        assert_eq!((op, exts), (row.op, row.op.row().exts));
    }
}
