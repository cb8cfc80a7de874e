//! The effect of an instruction on the whole vector state; elements are `Vec<u64>`, registers bit sets.

use super::element::{Inputs, mask, reduce, vector};
use capvec_isa::Decoded;

/// Vector state, and what else the instruction depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub vlenb: usize,
    pub regs: Vec<u8>,
    pub sew: u32,
    pub lmul: i32,
    pub vta: bool,
    pub vma: bool,
    pub vl: usize,
    pub vstart: usize,
    pub vxrm: u8,
    pub vxsat: bool,
    /// Agnostic elements become ones.
    pub ones: bool,
    /// x register rs1.
    pub x: u64,
}

/// Rules that reserve encodings. Tests demand that each was exercised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Rule {
    Emul,
    Eew,
    Alignment,
    Overlap,
    MaskedV0,
    TwoWidths,
    Vstart,
}

/// A vector operand: first register, EEW, log2 EMUL.
#[derive(Clone, Copy, Debug)]
struct Place {
    reg: u32,
    eew: u32,
    emul: i32,
}

impl Place {
    fn set(self) -> u64 {
        ((1u64 << self.count()) - 1) << self.reg
    }

    fn count(self) -> u32 {
        if self.emul > 0 { 1 << self.emul } else { 1 }
    }

    fn last(self) -> u32 {
        63 - self.set().leading_zeros()
    }
}

const V0: Place = Place { reg: 0, eew: 1, emul: 0 };

/// The operands of `base.suffix`: destination, sources.
fn places(name: &str, d: &Decoded, s: &State) -> (Place, Vec<Place>) {
    let (base, suffix) = name.split_once('.').unwrap();
    let at = |reg: u8, by: i32| Place {
        reg: reg as u32,
        eew: if by < 0 { s.sew >> -by } else { s.sew << by },
        emul: s.lmul + by,
    };
    let scalar = |reg: u8, by: i32| Place { emul: 0, ..at(reg, by) };
    let is_mask = base.starts_with("vms") || base == "vmadc";
    let reduction = base.contains("red");
    let wide_result = base.starts_with("vw");
    let wide_vs2 = suffix.starts_with('w');
    let vd = match () {
        _ if is_mask => Place { reg: d.rd as u32, ..V0 },
        _ if reduction => scalar(d.rd, wide_result as i32),
        _ => at(d.rd, wide_result as i32),
    };
    let mut sources = Vec::new();
    if base != "vmv" {
        let by = match suffix {
            "vf2" => -1,
            "vf4" => -2,
            "vf8" => -3,
            _ => wide_vs2 as i32,
        };
        sources.push(at(d.rs2, by));
    }
    if reduction {
        sources.push(scalar(d.rs1, wide_result as i32));
    } else if matches!(suffix, "vv" | "wv" | "vvm" | "v.v") {
        sources.push(at(d.rs1, 0));
    }
    (vd, sources)
}

fn adds_to_vd(base: &str) -> bool {
    ["acc", "msac", "madd", "nmsub"].iter().any(|part| base.contains(part))
}

/// The rule that makes the encoding reserved in this state.
pub fn reserved(name: &str, d: &Decoded, s: &State) -> Option<Rule> {
    let base = name.split_once('.').unwrap().0;
    let (vd, sources) = places(name, d, s);
    let is_mask = vd.eew == 1;
    let reduction = base.contains("red");
    if reduction && s.vstart != 0 {
        return Some(Rule::Vstart);
    }
    for p in sources.iter().copied().chain((!is_mask).then_some(vd)) {
        if p.emul > 3 || p.emul < -3 {
            return Some(Rule::Emul);
        }
        if p.eew > 64 || p.eew < 8 {
            return Some(Rule::Eew);
        }
        if p.reg % p.count() != 0 {
            return Some(Rule::Alignment);
        }
    }
    if !d.vm && !is_mask && !reduction && vd.set() & 1 != 0 {
        return Some(Rule::MaskedV0);
    }
    for src in &sources {
        let allowed = reduction
            || vd.set() & src.set() == 0
            || vd.eew == src.eew
            || (vd.eew < src.eew && vd.reg == src.reg)
            || (vd.eew > src.eew && src.emul >= 0 && vd.last() == src.last());
        if !allowed {
            return Some(Rule::Overlap);
        }
    }
    let mut read = sources.clone();
    read.extend((!d.vm).then_some(V0));
    read.extend(adds_to_vd(base).then_some(vd));
    let twice = (0..32).any(|r| {
        let mut widths = read.iter().filter(|p| p.set() >> r & 1 != 0).map(|p| p.eew);
        let first = widths.next();
        widths.any(|w| Some(w) != first)
    });
    twice.then_some(Rule::TwoWidths)
}

impl State {
    fn lane(&self, p: Place, k: usize) -> u64 {
        let at = p.reg as usize * self.vlenb + k * p.eew as usize / 8;
        self.regs[at..at + p.eew as usize / 8].iter().rfold(0, |v, b| v << 8 | *b as u64)
    }

    fn lanes(&self, p: Place, n: usize) -> Vec<u64> {
        (0..n).map(|k| self.lane(p, k)).collect()
    }

    fn put(&mut self, p: Place, k: usize, v: u64) {
        let n = p.eew as usize / 8;
        let at = p.reg as usize * self.vlenb + k * n;
        self.regs[at..at + n].copy_from_slice(&v.to_le_bytes()[..n]);
    }

    fn bit(&self, reg: u32, k: usize) -> bool {
        self.regs[reg as usize * self.vlenb + k / 8] & 1 << (k % 8) != 0
    }

    fn put_bit(&mut self, reg: u32, k: usize, v: bool) {
        let byte = &mut self.regs[reg as usize * self.vlenb + k / 8];
        *byte = if v { *byte | 1 << (k % 8) } else { *byte & !(1 << (k % 8)) };
    }

    /// The state after a legal instruction.
    pub fn after(&self, name: &str, d: &Decoded) -> State {
        let (base, suffix) = name.split_once('.').unwrap();
        let mut next = State { vstart: 0, ..self.clone() };
        if self.vstart >= self.vl {
            return next;
        }
        let (vd, sources) = places(name, d, self);
        // vmerge, vadc, vsbc, vmadc, vmsbc: v0 is an operand.
        let v0_is_operand = suffix.ends_with('m');
        let overlap = |p: &Place| vd.eew != p.eew && vd.set() & p.set() != 0;
        let mixed = sources.iter().any(overlap) || (!d.vm && overlap(&V0));
        let vma = self.ones && (self.vma || mixed);
        let vta = self.ones && (self.vta || mixed || vd.eew == 1);
        let active =
            |k: usize| k < self.vl && k >= self.vstart && (d.vm || v0_is_operand || self.bit(0, k));
        if base.contains("red") {
            let elements: Vec<u64> =
                (0..self.vl).filter(|&k| active(k)).map(|k| self.lane(sources[0], k)).collect();
            let start = self.lane(sources[1], 0);
            next.put(vd, 0, reduce(base, start, vd.eew, &elements, self.sew) as u64);
            next.tail(vd, 1, vta);
            return next;
        }
        let n = self.vl;
        let vector_other = matches!(suffix, "vv" | "wv" | "vvm" | "v.v");
        let others = match () {
            _ if vector_other => self.lanes(*sources.last().unwrap(), n),
            _ if suffix.contains('i') => vec![d.imm as u64; n],
            _ => vec![self.x; n],
        };
        let firsts = if base == "vmv" { vec![0; n] } else { self.lanes(sources[0], n) };
        let olds = if vd.eew == 1 { vec![0; n] } else { self.lanes(vd, n) };
        for k in self.vstart..n {
            let inputs = Inputs {
                vs2: firsts[k],
                other: others[k],
                vd: olds[k],
                v0: v0_is_operand && self.bit(0, k),
                vs2_width: sources.first().map_or(self.sew, |p| p.eew),
                sew: self.sew,
                vd_width: vd.eew,
                vxrm: self.vxrm,
            };
            match (active(k), mask(base, &inputs)) {
                (true, Some(bit)) => next.put_bit(vd.reg, k, bit),
                (true, None) => {
                    let (v, saturated) = vector(base, &inputs);
                    next.put(vd, k, v as u64);
                    next.vxsat |= saturated;
                }
                (false, Some(_)) if vma => next.put_bit(vd.reg, k, true),
                (false, None) if vma => next.put(vd, k, u64::MAX),
                _ => {}
            }
        }
        next.tail(vd, n, vta);
        next
    }

    fn tail(&mut self, vd: Place, from: usize, ones: bool) {
        if !ones {
            return;
        }
        if vd.eew == 1 {
            (from..self.vlenb * 8).for_each(|k| self.put_bit(vd.reg, k, true));
        } else {
            let end = vd.count() as usize * self.vlenb * 8 / vd.eew as usize;
            (from..end).for_each(|k| self.put(vd, k, u64::MAX));
        }
    }
}
