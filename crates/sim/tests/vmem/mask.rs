//! Random mask instructions.

use super::state::{Legal, Machine, Outcome, bits, vm};
use super::suite::{Suite, assert_covered, register};
use capvec_sim::testing::Rng;

const LOGICAL: std::ops::RangeInclusive<usize> = 0b011000..=0b011111;

fn word(rng: &mut Rng, m: &mut Machine) -> u32 {
    let (funct6, vs1) = match rng.below(10) {
        0..=3 => (rng.below(8) as u32 | 0b011000, rng.below(32) as u32),
        4 => (0b010000, rng.pick(&[0b10000, 0b10001])),
        5..=7 => (0b010100, rng.pick(&[1, 2, 3])),
        _ => (0b010100, rng.pick(&[0b10000, 0b10001])),
    };
    let vid = funct6 == 0b010100 && vs1 == 0b10001;
    let vs2 = if vid && !rng.one_in(8) { 0 } else { rng.below(32) as u32 };
    let vm = u32::from(LOGICAL.contains(&(funct6 as usize)) && !rng.one_in(20) || rng.one_in(2));
    // Sparse sources, so that the first set bit is somewhere in the middle.
    if rng.one_in(2) {
        let at = m.at(vs2 as usize, 0, m.vlen / 8);
        m.v[at].iter_mut().for_each(|b| *b = if rng.one_in(9) { 1 << rng.below(8) } else { 0 });
    }
    if !rng.one_in(6) {
        m.vstart = if LOGICAL.contains(&(funct6 as usize)) { m.vstart } else { 0 };
    }
    let vd = register(rng);
    funct6 << 26 | vm << 25 | vs2 << 20 | vs1 << 15 | 0b010 << 12 | vd << 7 | 0x57
}

fn logical(m: &mut Machine, word: u32) -> Legal {
    let (vd, vs2, vs1) = (bits(word, 7, 5), bits(word, 20, 5), bits(word, 15, 5));
    if !vm(word) {
        return None;
    }
    let old = m.clone();
    for k in m.vstart..m.vl {
        let (a, b) = (old.mask(vs2, k), old.mask(vs1, k));
        let bit = match bits(word, 26, 6) & 7 {
            0 => a && !b,
            1 => a && b,
            2 => a || b,
            3 => a != b,
            4 => a || !b,
            5 => !(a && b),
            6 => !(a || b),
            _ => a == b,
        };
        m.set_mask(vd, k, bit);
    }
    mask_tail(m, vd);
    Some(())
}

/// Always agnostic.
fn mask_tail(m: &mut Machine, vd: usize) {
    if m.vstart < m.vl && m.ones {
        (m.vl..m.vlen).for_each(|k| m.set_mask(vd, k, true));
    }
}

fn to_scalar(m: &mut Machine, word: u32) -> Legal {
    let active: Vec<usize> =
        (0..m.vl).filter(|k| m.active(word, *k) && m.mask(bits(word, 20, 5), *k)).collect();
    let rd = bits(word, 7, 5);
    let value = match bits(word, 15, 5) {
        0b10000 => active.len() as u64,
        _ => active.first().map_or(-1i64 as u64, |k| *k as u64),
    };
    if rd != 0 {
        m.x[rd] = value;
    }
    Some(())
}

fn before_first(m: &mut Machine, word: u32) -> Legal {
    let (vd, vs2) = (bits(word, 7, 5), bits(word, 20, 5));
    if vd == vs2 || !vm(word) && vd == 0 {
        return None;
    }
    let mut seen = false;
    for k in 0..m.vl {
        if !m.active(word, k) {
            if m.vma && m.ones {
                m.set_mask(vd, k, true);
            }
            continue;
        }
        let here = m.mask(vs2, k) && !seen;
        let bit = match bits(word, 15, 5) {
            1 => !seen && !here,
            2 => here,
            _ => !seen,
        };
        m.set_mask(vd, k, bit);
        seen |= here;
    }
    mask_tail(m, vd);
    Some(())
}

/// viota.m and vid.v.
fn to_elements(m: &mut Machine, word: u32) -> Legal {
    let (vd, vs2, iota) = (bits(word, 7, 5), bits(word, 20, 5), bits(word, 15, 5) == 0b10000);
    let regs = m.groups(vd, m.lmul, 1)?;
    if !vm(word) && regs & 1 != 0 || iota && regs >> vs2 & 1 != 0 || !iota && vs2 != 0 {
        return None;
    }
    let size = m.sew / 8;
    let mut sum = 0u64;
    for k in m.vstart..m.vl {
        if m.active(word, k) {
            let value = if iota { sum } else { k as u64 };
            let at = m.at(vd, k, size);
            m.v[at].copy_from_slice(&value.to_le_bytes()[..size]);
            sum += u64::from(iota && m.mask(vs2, k));
        } else {
            m.inactive(vd, k, size);
        }
    }
    if m.vstart < m.vl {
        m.tail(vd, m.vl, size, m.lmul, m.vta);
    }
    Some(())
}

fn model(m: &mut Machine, word: u32) -> Outcome {
    let resumable = LOGICAL.contains(&bits(word, 26, 6)) || bits(word, 15, 5) == 0b10001;
    let vfirst = bits(word, 26, 6) == 0b010000;
    if m.vill || m.vstart != 0 && (!resumable || vfirst) {
        return Outcome::Illegal;
    }
    let done = match (bits(word, 26, 6), bits(word, 15, 5)) {
        (0b010000, _) => to_scalar(m, word),
        (0b010100, 1..=3) => before_first(m, word),
        (0b010100, _) => to_elements(m, word),
        _ => logical(m, word),
    };
    if done.is_none() {
        return Outcome::Illegal;
    }
    m.vstart = 0;
    Outcome::Done
}

#[test]
fn random_mask_instructions() {
    let tallies = Suite { name: "v_mask", word, model, window: |_| 4096 }.run(5000);
    assert_covered(&tallies, |row| {
        row.name.ends_with(".mm") || ["vmsbf.m", "vmsif.m", "vmsof.m"].contains(&row.name)
    });
    assert_covered(&tallies, |row| ["viota.m", "vid.v", "vcpop.m", "vfirst.m"].contains(&row.name));
}
