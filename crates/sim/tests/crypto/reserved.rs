//! Every reserved encoding and state of the instructions on element groups raises an illegal-instruction trap and
//! changes nothing.

use super::rows::{Row, rows};
use super::setup::{configure, encoded, insn, machine, run};
use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng};
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
    let imm = row.imms.saturating_sub(1).min(3) as i64;
    insn(row.op, 8, if row.vs2 { 16 } else { 0 }, if row.vs1 { 24 } else { 0 }, imm)
}

/// A hart on which every instruction of the row's width is legal. Its VLEN is larger for groups of more than 256 bits, so that
/// a group fits in two registers.
fn ready(row: &Row, vlen: u32) -> Rig {
    let scale = (row.egs as u32 * row.sew).div_ceil(256);
    let mut m = machine(&row.exts(), scale * vlen, Agnostic::Ones);
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
fn masked_encodings_trap() {
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
fn vl_and_vstart_that_split_a_group_trap() {
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
                let mut m = ready(&row, vlen);
                let vlen = m.h.v.vlen();
                let bits = if lmul < 0 { vlen >> -lmul } else { vlen << lmul };
                configure(&mut m, row.sew, lmul, 0);
                if bits < row.egs * row.sew as u64 {
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
fn other_immediates_of_vkeccak_trap() {
    for row in rows().into_iter().filter(|row| row.op.name() == "vkeccak.vi") {
        for imm in row.imms..32 {
            let d = Decoded { imm: imm as i64, ..legal(&row) };
            let why = reserved(&mut ready(&row, 256), &d);
            assert!(why.contains("rounds") || why.contains("immediate"), "{why}");
        }
    }
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
fn misaligned_registers_trap() {
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
                let vs1 = Decoded { rs1: d.rs1 + off, ..d };
                let sources = [(row.vs2, row.scalar[0], vs2), (row.vs1, row.scalar[1], vs1)];
                for (_, scalar, source) in sources.into_iter().filter(|(has, ..)| *has) {
                    if scalar {
                        // A scalar group has no alignment.
                        assert_eq!(run(&mut m, &[source]), Ok(()), "{source:?}");
                    } else {
                        assert!(reserved(&mut m, &source).contains(aligned), "{source:?}");
                    }
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
            for source in [0, 1].into_iter().filter(|n| [row.vs2, row.vs1][*n]) {
                let inside = if row.scalar[source] { 0..1 << lmul } else { 0..1 };
                for off in inside {
                    let vs2 = Decoded { rs2: d.rd + off, ..d };
                    let overlapping = [vs2, Decoded { rs1: d.rd + off, ..d }][source];
                    if row.disjoint[source] {
                        assert!(
                            reserved(&mut m, &overlapping).contains("overlap"),
                            "{overlapping:?}"
                        );
                    } else {
                        assert_eq!(run(&mut m, &[overlapping]), Ok(()), "{overlapping:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_absent_extension_traps_and_is_named() {
    for row in rows() {
        let mut m = machine(&[Ext::V], 256, Agnostic::Ones);
        configure(&mut m, row.sew, 0, 0);
        // Of drafts with the same encoding, the first is named.
        if row.op.row().exts.iter().any(|e| e.info().draft.is_some()) {
            assert!(matches!(traps(&mut m, encoded(&legal(&row))), Why::Needs(..)));
            continue;
        }
        let word = encoded(&legal(&row));
        let Why::Needs(op, exts) = traps(&mut m, word) else { panic!("{}", row.op.name()) };
        assert_eq!((op, exts), (row.op, row.op.row().exts));
    }
}
