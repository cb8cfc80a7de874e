//! Zvbb, Zvkb, Zvbc and the drafts Zvbc32e and Xcapvecmulq against bit-by-bit definitions: every SEW, VLEN, LMUL, mask, vl,
//! vstart and policy. The rest of the register file must not change, and reserved encodings trap.

use super::setup::{configure, encoded, insn, machine, run};
use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng, all_exts};
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Why};

/// The second operand.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    None,
    Vector,
    Register,
    /// Unsigned, below the bound.
    Immediate(u64),
}
use Second::{Immediate, None, Register, Vector};

/// An instruction: its SEWs, whether vd is twice as wide, and one element of the result from elements of vs2 and of
/// the second operand, at a SEW in bits.
struct Row {
    op: Op,
    second: Second,
    sews: &'static [u32],
    wide: bool,
    function: fn(u64, u64, u64) -> u64,
    /// What is written: from the old element, what `function` returns, and SEW.
    merge: fn(u64, u64, u64) -> u64,
}

fn bit(x: u64, i: u64) -> u64 {
    x >> i & 1
}

fn bits(width: u64, f: impl Fn(u64) -> u64) -> u64 {
    (0..width).fold(0, |word, i| word | f(i) << i)
}

fn carry_less(a: u64, b: u64) -> u128 {
    (0..64).filter(|i| bit(b, *i) == 1).fold(0, |sum, i| sum ^ (a as u128) << i)
}

fn andn(a: u64, b: u64, w: u64) -> u64 {
    bits(w, |i| bit(a, i) & (1 - bit(b, i)))
}

fn rotate_right(a: u64, b: u64, w: u64) -> u64 {
    bits(w, |i| bit(a, (i + b % w) % w))
}

fn rotate_left(a: u64, b: u64, w: u64) -> u64 {
    bits(w, |i| bit(a, (i + w - b % w) % w))
}

fn shift_wide(a: u64, b: u64, w: u64) -> u64 {
    let by = b % (2 * w);
    bits(2 * w, |i| if i >= by && i - by < w { bit(a, i - by) } else { 0 })
}

fn zeros(a: u64, order: impl Iterator<Item = u64>) -> u64 {
    order.take_while(|i| bit(a, *i) == 0).count() as u64
}

/// The prime of ML-KEM at SEW 16, of ML-DSA at SEW 32.
fn modulus(w: u64) -> u64 {
    if w == 16 { 13 * 256 + 1 } else { (1 << 23) - (1 << 13) + 1 }
}

fn modular(a: u64, b: u64, w: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus(w))) as u64
}

fn rows() -> Vec<Row> {
    let all: &[u32] = &[8, 16, 32, 64];
    let merge = |_, result, _| result;
    let row = |op, second, function| Row { op, second, sews: all, wide: false, function, merge };
    let wide = |op, second| Row { sews: &all[..3], wide: true, ..row(op, second, shift_wide) };
    let times = |op, second| Row { sews: &all[1..3], ..row(op, second, modular) };
    let add = |old, product, w| (old + product) % modulus(w);
    let high = |a, b, w| (carry_less(a, b) >> w) as u64;
    let low = |a, b, _| carry_less(a, b) as u64;
    vec![
        row(Op::VandnVv, Vector, andn),
        row(Op::VandnVx, Register, andn),
        row(Op::VbrevV, None, |a, _, w| bits(w, |i| bit(a, w - 1 - i))),
        row(Op::Vbrev8V, None, |a, _, w| bits(w, |i| bit(a, i ^ 7))),
        row(Op::Vrev8V, None, |a, _, w| bits(w, |i| bit(a, w - 8 - i / 8 * 8 + i % 8))),
        row(Op::VclzV, None, |a, _, w| zeros(a, (0..w).rev())),
        row(Op::VctzV, None, |a, _, w| zeros(a, 0..w)),
        row(Op::VcpopV, None, |a, _, w| (0..w).map(|i| bit(a, i)).sum()),
        row(Op::VrolVv, Vector, rotate_left),
        row(Op::VrolVx, Register, rotate_left),
        row(Op::VrorVv, Vector, rotate_right),
        row(Op::VrorVx, Register, rotate_right),
        row(Op::VrorVi, Immediate(64), rotate_right),
        wide(Op::VwsllVv, Vector),
        wide(Op::VwsllVx, Register),
        wide(Op::VwsllVi, Immediate(32)),
        row(Op::VclmulVv, Vector, low),
        row(Op::VclmulVx, Register, low),
        row(Op::VclmulhVv, Vector, high),
        row(Op::VclmulhVx, Register, high),
        times(Op::VmulqVv, Vector),
        times(Op::VmulqVx, Register),
        Row { merge: add, ..times(Op::VmacqVv, Vector) },
        Row { merge: add, ..times(Op::VmacqVx, Register) },
    ]
}

/// Element `k` of `width` bits in a register file.
fn element(file: &[u8], vlenb: usize, reg: u8, k: u64, width: u32) -> u64 {
    let bytes = width as usize / 8;
    let at = reg as usize * vlenb + k as usize * bytes;
    file[at..at + bytes].iter().rev().fold(0, |x, byte| x << 8 | *byte as u64)
}

fn set_element(file: &mut [u8], vlenb: usize, reg: u8, k: u64, width: u32, value: u64) {
    let bytes = width as usize / 8;
    let at = reg as usize * vlenb + k as usize * bytes;
    file[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
}

fn registers(lmul: i8) -> u8 {
    1 << lmul.max(0)
}

/// Random legal operands; a source is vd itself or disjoint from it.
fn operands(row: &Row, lmul: i8, rng: &mut Rng) -> Decoded {
    let (size, vd_size) = (registers(lmul), registers(lmul + row.wide as i8));
    let aligned = |rng: &mut Rng, size: u8| rng.below(32 / size as u64) as u8 * size;
    loop {
        let vm = rng.below(2) == 0;
        let (vd, vs2) = (aligned(rng, vd_size), aligned(rng, size));
        let (rs1, imm) = match row.second {
            None => (0, 0),
            Vector => (aligned(rng, size), 0),
            Register => (rng.below(32) as u8, 0),
            Immediate(bound) => (0, rng.below(bound) as i64),
        };
        let sources = [vs2, if row.second == Vector { rs1 } else { vs2 }];
        // With a mask, v0 is read with EEW 1: it cannot be the destination, nor a source of another EEW.
        let masked = !vm && (vd == 0 || sources.contains(&0));
        let apart = |s: u8| s + size <= vd || vd + vd_size <= s;
        if !masked && sources.iter().all(|s| apart(*s) || !row.wide && *s == vd) {
            return Decoded { vm, ..insn(row.op, vd, vs2, rs1, imm) };
        }
    }
}

fn second(row: &Row, d: &Decoded, m: &Rig, k: u64) -> u64 {
    let sew = m.h.v.vtype.sew;
    match row.second {
        None => 0,
        Vector => element(m.h.v.bytes(0), m.h.v.vlenb(), d.rs1, k, sew),
        Register => m.h.x(d.rs1) & (u64::MAX >> (64 - sew)),
        Immediate(_) => d.imm as u64,
    }
}

/// The expected register file after `d`.
fn expected(row: &Row, d: &Decoded, m: &Rig, ones: bool) -> Vec<u8> {
    let before = m.h.v.bytes(0).to_vec();
    let mut after = before.clone();
    let (v, vlenb) = (&m.h.v, m.h.v.vlenb());
    let width = v.vtype.sew << row.wide as u32;
    for k in v.vstart..v.vl {
        if d.vm || before[k as usize / 8] >> (k % 8) & 1 == 1 {
            let a = element(&before, vlenb, d.rs2, k, v.vtype.sew);
            let result = (row.function)(a, second(row, d, m, k), v.vtype.sew as u64);
            let old = element(&before, vlenb, d.rd, k, width);
            let merged = (row.merge)(old, result, v.vtype.sew as u64);
            set_element(&mut after, vlenb, d.rd, k, width, merged);
        } else if v.vtype.vma && ones {
            set_element(&mut after, vlenb, d.rd, k, width, u64::MAX);
        }
    }
    if v.vtype.vta && ones && v.vstart < v.vl {
        let start = d.rd as usize * vlenb;
        let end = start + vlenb * registers(v.vtype.lmul + row.wide as i8) as usize;
        after[start + v.vl as usize * width as usize / 8..end].fill(0xff);
    }
    after
}

fn check_all(vlen: u32, agnostic: Agnostic, rng: &mut Rng) {
    let mut m = machine(&all_exts(), vlen, agnostic);
    for row in rows() {
        for &sew in row.sews {
            // LMUL < SEW/ELEN is not a legal vtype, and EMUL is at most 8.
            for lmul in -3..=3 - row.wide as i8 {
                if lmul < 0 && sew > 64 >> -lmul {
                    continue;
                }
                rng.fill(m.h.v.bytes_mut(0));
                (1..32).for_each(|r| m.h.write_x(r, rng.next()));
                configure(&mut m, sew, lmul, 0);
                let v = &mut m.h.v;
                v.vl = rng.below(v.vlmax() + 1);
                v.vstart = if rng.below(2) == 0 { 0 } else { rng.below(v.vlmax()) };
                (v.vtype.vta, v.vtype.vma) = (rng.below(2) == 0, rng.below(2) == 0);
                let d = operands(&row, lmul, rng);
                let wanted = expected(&row, &d, &m, agnostic == Agnostic::Ones);
                run(&mut m, &[d]).unwrap_or_else(|trap| panic!("{d:?} {lmul}: {trap:?}"));
                assert!(m.h.v.bytes(0) == wanted, "{d:?} VLEN {vlen} SEW {sew} LMUL {lmul}");
                assert_eq!(m.h.v.vstart, 0);
            }
        }
    }
}

#[test]
fn every_element_is_what_the_definition_says() {
    let mut rng = Rng::new("every_element_is_what_the_definition_says");
    for vlen in [128, 256, 512, 1024] {
        for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
            (0..8).for_each(|_| check_all(vlen, agnostic, &mut rng));
        }
    }
}

/// Operands that are legal for every instruction at LMUL up to 4.
fn legal(row: &Row) -> Decoded {
    insn(row.op, 8, 16, if row.second == Vector { 20 } else { 0 }, 0)
}

fn ready(row: &Row) -> Rig {
    let mut m = machine(&all_exts(), 256, Agnostic::Ones);
    Rng::new("ready").fill(m.h.v.bytes_mut(0));
    configure(&mut m, row.sews[0], 1, 3);
    m
}

fn traps(m: &mut Rig, d: &Decoded) {
    let before = m.h.v.bytes(0).to_vec();
    let trap = run(m, &[*d]).expect_err("legal");
    assert!(trap.cause == Cause::Illegal && matches!(trap.why, Some(Why::Reserved(_))), "{d:?}");
    assert_eq!(trap.tval, encoded(d) as u64);
    assert!(m.h.v.bytes(0) == before);
}

#[test]
fn reserved_encodings_trap() {
    for row in rows() {
        let d = legal(&row);
        let mut m = ready(&row);
        assert_eq!(run(&mut m, &[d]), Ok(()), "{d:?}");
        for bad in [
            Decoded { rd: 9, ..d },
            Decoded { rs2: 17, ..d },
            Decoded { vm: false, rd: 0, ..d },
            Decoded { vm: false, rs2: 0, ..d },
        ] {
            traps(&mut m, &bad);
        }
        if row.second == Vector {
            traps(&mut m, &Decoded { rs1: 21, ..d });
        }
        for sew in [8, 16, 32, 64].into_iter().filter(|sew| !row.sews.contains(sew)) {
            configure(&mut m, sew, 1, 0);
            traps(&mut m, &d);
        }
        m.h.v.vtype = VType::ILLEGAL;
        m.h.v.vl = 0;
        traps(&mut m, &d);
    }
}

#[test]
fn each_extension_of_carry_less_products_has_its_widths() {
    for (exts, widths) in [
        (&[Ext::V, Ext::Zvbc][..], &[64][..]),
        (&[Ext::V, Ext::Zvbc32e0p7], &[8, 16, 32]),
        (&[Ext::V, Ext::Zvbc, Ext::Zvbc32e0p7], &[8, 16, 32, 64]),
        (&[Ext::Zve32x, Ext::Zvbc32e0p7], &[8, 16, 32]),
    ] {
        for sew in [8, 16, 32, 64] {
            let mut m = machine(exts, 256, Agnostic::Ones);
            configure(&mut m, sew, 0, 1);
            let d = insn(Op::VclmulVv, 8, 16, 20, 0);
            if widths.contains(&sew) {
                assert_eq!(run(&mut m, &[d]), Ok(()));
            } else {
                traps(&mut m, &d);
            }
        }
    }
}

#[test]
fn widening_overlaps_only_at_the_top() {
    for row in rows().iter().filter(|row| row.wide) {
        let mut m = ready(row);
        let d = legal(row);
        // vd is v8..v11, each source two registers.
        traps(&mut m, &Decoded { rs2: 8, ..d });
        assert_eq!(run(&mut m, &[Decoded { rs2: 10, ..d }]), Ok(()));
        if row.second == Vector {
            traps(&mut m, &Decoded { rs1: 8, ..d });
        }
        // A fractional source may not overlap at all, and EMUL 16 does not exist.
        configure(&mut m, row.sews[0], -1, 0);
        traps(&mut m, &Decoded { rs2: 8, ..d });
        configure(&mut m, row.sews[0], 3, 0);
        traps(&mut m, &Decoded { rs1: 24, ..d });
    }
}

#[test]
fn zvkb_is_a_part_of_zvbb() {
    use Op::*;
    let zvkb = [VandnVv, VandnVx, Vbrev8V, Vrev8V, VrolVv, VrolVx, VrorVv, VrorVx, VrorVi];
    for row in rows() {
        let mut m = machine(&[Ext::V, Ext::Zvkb], 256, Agnostic::Ones);
        configure(&mut m, row.sews[0], 0, 1);
        let result = run(&mut m, &[legal(&row)]);
        if zvkb.contains(&row.op) {
            assert_eq!(result, Ok(()));
        } else {
            assert_eq!(
                result.expect_err("absent").why,
                Some(Why::Needs(row.op, row.op.row().exts))
            );
        }
    }
}
