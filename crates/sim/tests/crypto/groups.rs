//! Compares each instruction on element groups with the function of one group, at every VLEN, LMUL, vl, vstart and tail
//! policy. The rest of the register file must not change.

use super::rows::{Row, rows};
use super::setup::{configure, insn, machine, run};
use capvec_isa::{Decoded, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::host::Host;
use capvec_sim::testing::{Rig, Rng};

/// Random operands that are legal for the instruction.
fn operands(row: &Row, lmul: i8, rng: &mut Rng) -> Decoded {
    let size = 1 << lmul.max(0);
    let aligned = |rng: &mut Rng| (rng.below(32 / size) * size) as u8;
    loop {
        let vd = aligned(rng);
        let [vs2, vs1] =
            std::array::from_fn(|source| match ([row.vs2, row.vs1][source], row.scalar[source]) {
                (false, _) => 0,
                (true, true) => rng.below(32) as u8,
                (true, false) => aligned(rng),
            });
        let overlaps = |reg: u8| (vd..vd + size as u8).contains(&reg);
        let clash = [vs2, vs1].iter().zip(row.disjoint).any(|(reg, rule)| rule && overlaps(*reg));
        if !clash {
            let imm = if row.imms > 0 { rng.below(row.imms) as i64 } else { 0 };
            return insn(row.op, vd, vs2, vs1, imm);
        }
    }
}

/// The expected register file after `d`.
fn expected(row: &Row, d: &Decoded, m: &Rig, agnostic: Agnostic) -> Vec<u8> {
    let before = m.h.v.bytes(0).to_vec();
    let mut after = before.clone();
    let v = &m.h.v;
    let vlenb = v.vlenb();
    let width = (row.egs * row.sew as u64 / 8) as usize;
    let group = |reg: u8, g: u64| {
        let at = reg as usize * vlenb + g as usize * width;
        at..at + width
    };
    for g in v.vstart / row.egs..v.vl / row.egs {
        let source = |n: usize| if row.scalar[n] { 0 } else { g };
        let vs2 = &before[if row.vs2 { group(d.rs2, source(0)) } else { 0..0 }];
        let vs1 = &before[if row.vs1 { group(d.rs1, source(1)) } else { 0..0 }];
        let result = (row.function)(&before[group(d.rd, g)], vs2, vs1, d.imm as u32);
        after[group(d.rd, g)].copy_from_slice(&result);
    }
    if v.vtype.vta && agnostic == Agnostic::Ones && v.vstart < v.vl {
        let start = d.rd as usize * vlenb;
        let end = start + vlenb * (1 << v.vtype.lmul.max(0));
        after[start + (v.vl * row.sew as u64 / 8) as usize..end].fill(0xff);
    }
    after
}

/// Registers of random bytes, or of patterns.
fn fill(m: &mut Rig, rng: &mut Rng) {
    let file = m.h.v.bytes_mut(0);
    rng.fill(file);
    match rng.below(6) {
        0 => file.fill(0),
        1 => file.fill(0xff),
        // Few bits are set.
        2 => file.iter_mut().for_each(|b| *b = if *b < 8 { 1 << *b } else { 0 }),
        _ => {}
    }
}

/// Checks every instruction on a hart that may use these features of the host.
pub fn check_all(vlen: u32, agnostic: Agnostic, host: Host, rng: &mut Rng) {
    for row in rows() {
        // At VLEN 128, Zvknhk 0.2 has one fixed group (keccak.rs).
        if row.op == Op::VkeccakViZvknhk0p2 && vlen == 128 {
            continue;
        }
        let mut m = machine(&row.exts(), vlen, agnostic);
        m.h.host = host;
        for lmul in -3..=3 {
            configure(&mut m, row.sew.max(8), lmul, 0);
            let groups = m.h.v.vlmax() / row.egs;
            // LMUL < SEW/ELEN is not a legal vtype.
            if groups == 0 || (lmul < 0 && row.sew > 64 >> -lmul) {
                continue;
            }
            for vta in [false, true] {
                fill(&mut m, rng);
                configure(&mut m, row.sew, lmul, row.egs * rng.below(groups + 1));
                m.h.v.vtype.vta = vta;
                m.h.v.vstart = row.egs * if vta { rng.below(groups) } else { 0 };
                let d = operands(&row, lmul, rng);
                let wanted = expected(&row, &d, &m, agnostic);
                run(&mut m, &[d]).unwrap_or_else(|trap| panic!("{d:?} LMUL {lmul}: {trap:?}"));
                assert!(
                    m.h.v.bytes(0) == wanted,
                    "{d:?} VLEN {vlen} LMUL {lmul} vta {vta} {host:?}"
                );
                assert_eq!(m.h.v.vstart, 0);
            }
        }
    }
}

#[test]
fn every_group_is_what_the_function_of_one_group_says() {
    let mut rng = Rng::new("every_group_is_what_the_function_of_one_group_says");
    for vlen in [128, 256, 512, 1024] {
        for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
            for _ in 0..10 {
                check_all(vlen, agnostic, Host::plain(), &mut rng);
            }
        }
    }
}

#[test]
fn the_largest_vlen_works() {
    let mut rng = Rng::new("the_largest_vlen_works");
    for host in [Host::plain(), Host::detected()] {
        check_all(65536, Agnostic::Ones, host, &mut rng);
    }
}
