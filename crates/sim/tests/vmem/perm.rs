//! Random permutations.

use super::state::{Legal, Machine, Outcome, bits, vm};
use super::suite::{Suite, assert_covered, register};
use capvec_sim::testing::Rng;

/// funct3 values of OP-V.
const VV: usize = 0;
const MVV: usize = 2;
const VI: usize = 3;
const VX: usize = 4;
const MVX: usize = 6;

fn word(rng: &mut Rng, m: &mut Machine) -> u32 {
    let any = register(rng);
    let nreg = rng.pick(&[0, 1, 3, 7, 7, 2]);
    let (funct6, funct3, vs1) = rng.pick(&[
        (0b001100, VV, any),
        (0b001100, VX, any),
        (0b001100, VI, any),
        (0b001110, VV, any),
        (0b001110, VX, any),
        (0b001110, VI, any),
        (0b001110, MVX, any),
        (0b001111, VX, any),
        (0b001111, VI, any),
        (0b001111, MVX, any),
        (0b010111, MVV, any),
        (0b010000, MVV, 0),
        (0b010000, MVX, any),
        (0b100111, VI, nreg),
    ]);
    let unmasked = matches!((funct6, funct3), (0b010111, _) | (0b010000, _) | (0b100111, _));
    let vm = u32::from(unmasked && !rng.one_in(20) || rng.one_in(2));
    let scalar_move = funct6 == 0b010000 && funct3 == MVX;
    let vs2 = if scalar_move && !rng.one_in(8) { 0 } else { register(rng) };
    if funct6 == 0b010111 && !rng.one_in(6) {
        m.vstart = 0;
    }
    // Indices of the right width that are mostly in range.
    if funct3 == VV && !rng.one_in(4) {
        let size = if funct6 == 0b001110 { 2 } else { m.sew / 8 };
        let from = vs1 as usize * m.vlenb();
        let end = (from + 8 * m.vlenb()).min(m.v.len());
        for at in (from..end).step_by(size) {
            let index = rng.below(m.vlmax() as u64 + 2);
            m.v[at..at + size].copy_from_slice(&index.to_le_bytes()[..size]);
        }
    }
    let vd = register(rng);
    let head = funct6 << 26 | vm << 25 | vs2 << 20 | vs1 << 15;
    head | (funct3 as u32) << 12 | vd << 7 | 0x57
}

/// Element `k` of vs2 before the instruction.
type Source<'a> = &'a dyn Fn(usize) -> u64;

/// The new value of element `k` of vd; `None` if it is unchanged.
type Element = fn(&Machine, u32, usize, Source) -> Option<u64>;

fn index_width(m: &Machine, word: u32) -> usize {
    if bits(word, 26, 6) == 0b001110 { 16 } else { m.sew }
}

fn scalar(m: &Machine, word: u32) -> u64 {
    let field = bits(word, 15, 5);
    if bits(word, 12, 3) == VI { field as u64 } else { m.x[field] }
}

fn in_range(m: &Machine, k: u64, source: Source) -> u64 {
    if k < m.vlmax() as u64 { source(k as usize) } else { 0 }
}

fn gather(m: &Machine, word: u32, k: usize, source: Source) -> Option<u64> {
    let index = match bits(word, 12, 3) {
        VV => m.number(bits(word, 15, 5), k, index_width(m, word) / 8),
        _ => scalar(m, word),
    };
    Some(in_range(m, index, source))
}

fn slide_up(m: &Machine, word: u32, k: usize, source: Source) -> Option<u64> {
    (k as u64).checked_sub(scalar(m, word)).map(|k| source(k as usize))
}

fn slide_down(m: &Machine, word: u32, k: usize, source: Source) -> Option<u64> {
    let from = k as u128 + scalar(m, word) as u128;
    Some(in_range(m, from.min(u64::MAX as u128) as u64, source))
}

fn slide_1_up(m: &Machine, word: u32, k: usize, source: Source) -> Option<u64> {
    Some(if k == 0 { scalar(m, word) } else { source(k - 1) })
}

fn slide_1_down(m: &Machine, word: u32, k: usize, source: Source) -> Option<u64> {
    Some(if k + 1 == m.vl { scalar(m, word) } else { source(k + 1) })
}

/// An instruction that computes each element of vd from vs2; `apart` if they must not overlap.
fn elementwise(m: &mut Machine, word: u32, element: Element, apart: bool) -> Legal {
    let (vd, vs2) = (bits(word, 7, 5), bits(word, 20, 5));
    let size = m.sew / 8;
    let dst = m.groups(vd, m.lmul, 1)?;
    let src = m.groups(vs2, m.lmul, 1)?;
    // Neither the destination nor a source wider than a mask may be v0 when masked.
    if !vm(word) && (dst | src) & 1 != 0 || apart && dst & src != 0 {
        return None;
    }
    if bits(word, 12, 3) == VV {
        let width = index_width(m, word);
        let index = m.groups(bits(word, 15, 5), m.emul(width)?, 1)?;
        let two_widths = width != m.sew && index & src != 0;
        if dst & index != 0 || two_widths || !vm(word) && index & 1 != 0 {
            return None;
        }
    }
    let old = m.clone();
    let source = |k: usize| old.number(vs2, k, size);
    for k in m.vstart..m.vl {
        // Elements below the offset of a slide are unchanged, masked or not.
        let Some(value) = element(&old, word, k, &source) else { continue };
        if old.active(word, k) {
            let at = m.at(vd, k, size);
            m.v[at].copy_from_slice(&value.to_le_bytes()[..size]);
        } else {
            m.inactive(vd, k, size);
        }
    }
    if m.vstart < m.vl {
        m.tail(vd, m.vl, size, m.lmul, m.vta);
    }
    Some(())
}

fn compress(m: &mut Machine, word: u32) -> Legal {
    let (vd, vs2, vs1) = (bits(word, 7, 5), bits(word, 20, 5), bits(word, 15, 5));
    let dst = m.groups(vd, m.lmul, 1)?;
    let src = m.groups(vs2, m.lmul, 1)?;
    let mask = 1 << vs1;
    // Pairwise disjoint: vd from both sources, and the sources because their widths differ.
    if (dst & src) | (dst & mask) | (src & mask) != 0 || !vm(word) || m.vstart != 0 {
        return None;
    }
    let size = m.sew / 8;
    let kept: Vec<u8> = (0..m.vl)
        .filter(|k| m.mask(vs1, *k))
        .flat_map(|k| m.v[m.at(vs2, k, size)].to_vec())
        .collect();
    let to = vd * m.vlenb();
    m.v[to..to + kept.len()].copy_from_slice(&kept);
    if m.vl > 0 {
        m.tail(vd, kept.len() / size, size, m.lmul, m.vta);
    }
    Some(())
}

fn scalar_moves(m: &mut Machine, word: u32) -> Legal {
    let size = m.sew / 8;
    if !vm(word) {
        return None;
    }
    if bits(word, 12, 3) == MVV {
        let rd = bits(word, 7, 5);
        if rd != 0 {
            let shift = 64 - m.sew as u32;
            m.x[rd] = (((m.number(bits(word, 20, 5), 0, size) << shift) as i64) >> shift) as u64;
        }
        return Some(());
    }
    if bits(word, 20, 5) != 0 {
        return None;
    }
    if m.vstart < m.vl {
        let (vd, value) = (bits(word, 7, 5), m.x[bits(word, 15, 5)]);
        let at = m.at(vd, 0, size);
        m.v[at].copy_from_slice(&value.to_le_bytes()[..size]);
        m.tail(vd, 1, size, 8, m.vta);
    }
    Some(())
}

fn whole(m: &mut Machine, word: u32) -> Legal {
    let n = bits(word, 15, 5) + 1;
    let (vd, vs2) = (bits(word, 7, 5), bits(word, 20, 5));
    if !vm(word) || !n.is_power_of_two() || n > 8 || vd % n != 0 || vs2 % n != 0 {
        return None;
    }
    let old = m.v.clone();
    let (to, from) = (vd * m.vlenb(), vs2 * m.vlenb());
    let (start, end) = (m.vstart * m.sew / 8, n * m.vlenb());
    if start < end {
        m.v[to + start..to + end].copy_from_slice(&old[from + start..from + end]);
    }
    Some(())
}

fn model(m: &mut Machine, word: u32) -> Outcome {
    if m.vill {
        return Outcome::Illegal;
    }
    let done = match (bits(word, 26, 6), bits(word, 12, 3)) {
        (0b001100, _) | (0b001110, VV) => elementwise(m, word, gather, true),
        (0b001110, MVX) => elementwise(m, word, slide_1_up, true),
        (0b001110, _) => elementwise(m, word, slide_up, true),
        (0b001111, MVX) => elementwise(m, word, slide_1_down, false),
        (0b001111, _) => elementwise(m, word, slide_down, false),
        (0b010111, _) => compress(m, word),
        (0b010000, _) => scalar_moves(m, word),
        _ => whole(m, word),
    };
    if done.is_none() {
        return Outcome::Illegal;
    }
    m.vstart = 0;
    Outcome::Done
}

#[test]
fn random_permutations() {
    let tallies = Suite { name: "v_perm", word, model, window: |_| 4096 }.run(8000);
    assert_covered(&tallies, |row| {
        ["vslide", "vrgather", "vcompress", "vmv1", "vmv2", "vmv4", "vmv8", "vmv.x.s", "vmv.s.x"]
            .iter()
            .any(|prefix| row.name.starts_with(prefix))
    });
}
