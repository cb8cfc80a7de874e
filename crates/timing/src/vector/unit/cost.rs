//! The cost of an instruction, from its operands and the parameters of the unit.

use super::VectorUnit;
use crate::params::{Per, Step, StepKind};
use crate::price::Price;
use crate::reader::TICKS;
use crate::vector::queue::{Cost, Span, Spans};
use crate::vector::rounds::rounds;
use crate::vector::shape::{KECCAK_GROUP, Shape, Width};
use capvec_isa::{Class, custom};
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::Seen;

impl VectorUnit {
    /// The cost of an instruction, without cache misses.
    pub(super) fn cost(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>, spans: &Spans) -> Cost {
        let step = self.step(shape, insn, seen);
        let steps = match step.per {
            Per::Beat if shape.is_memory() => beats(seen.accesses, self.p.memory / 8),
            Per::Beat => {
                let operands = [shape.vd, shape.vs1, shape.vs2];
                let bits = operands.into_iter().flatten().map(|w| self.bits(w, seen)).max();
                bits.unwrap_or(0).div_ceil(self.datapath)
            }
            Per::Element => self.elements(shape, insn, seen),
            Per::Pair => self.registers(shape, seen).pow(2),
            Per::Group => groups(shape, insn, seen),
            Per::Round => groups(shape, insn, seen) * rounds(insn),
        };
        let second = shape.vs2.filter(|_| shape.writes_vs2).map_or(0, |w| self.bits(w, seen));
        let written = second + shape.vd.map_or(0, |w| self.bits(w, seen) * fields(shape, insn));
        let moves = spans.reads(shape) * self.p.read as u64
            + written.div_ceil(self.p.granule) * self.p.write as u64;
        let direct = if shape.is_memory() { self.p.memory_latency as u64 } else { 0 };
        let first = if steps > 0 { step.first as u64 } else { 0 };
        Cost {
            startup: self.p.startup as u64 + direct,
            first,
            body: first + steps.saturating_sub(1) * step.next as u64 + moves,
            moves,
            pace: steps * step.next as u64 + moves,
        }
    }

    /// The unit of its work, with its cost.
    pub(super) fn step(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> Step {
        if let Some(Price::Cost(cost)) = self.prices.of(insn.op())
            && let Some(own) = own_step(cost)
        {
            return own;
        }
        self.p.steps[self.kind(shape, insn, seen).0]
    }

    /// Which cost the instruction has.
    pub(super) fn kind(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> StepKind {
        let segments = fields(shape, insn) > 1;
        match insn.op().row().class {
            Class::Vload if segments => StepKind::LOAD_SEGMENT,
            Class::Vstore if segments => StepKind::STORE_SEGMENT,
            Class::Vsha2 if seen.vtype.sew == 64 => StepKind::SHA512,
            Class::Vmul if seen.vtype.sew == 64 => StepKind::MUL64,
            _ => shape.step,
        }
    }

    /// Registers of the widest operand, as far as vl reaches.
    fn registers(&self, shape: &Shape, seen: &Seen<'_>) -> u64 {
        let operands = [shape.vd, shape.vs1, shape.vs2];
        let bits = operands.into_iter().flatten().map(|w| self.bits(w, seen)).max();
        bits.unwrap_or(0).div_ceil(self.vlen)
    }

    /// Bits of an operand.
    fn bits(&self, width: Width, seen: &Seen<'_>) -> u64 {
        let sew = seen.vtype.sew as u64;
        match width {
            Width::Sew(by @ 0..) => seen.vl * (sew << by),
            Width::Sew(by) => seen.vl * (sew >> -by),
            Width::Eew(bits) => seen.vl * bits as u64,
            Width::Mask => seen.vl,
            Width::Single => sew,
            Width::Registers(n) => n as u64 * self.vlen,
            Width::Group(bits) => bits as u64,
        }
    }

    /// The registers of the operands, as far as vl reaches.
    pub(super) fn spans(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> Spans {
        let fields = fields(shape, insn);
        let span = |width: Option<Width>, first: u8, fields: u64| {
            let count = |w| self.bits(w, seen).div_ceil(self.vlen).max(1) * fields;
            width.map(|w| Span { first, count: count(w) })
        };
        let mask = (!insn.vm()).then_some(Width::Mask);
        Spans {
            target: span(shape.vd, insn.rd, fields),
            second: span(shape.vs2, insn.rs2, 1).filter(|_| shape.writes_vs2),
            sources: [
                span(shape.vs1, insn.rs1, 1),
                span(shape.vs2, insn.rs2, 1),
                span(shape.vs3, insn.rs3, fields),
                span(mask, 0, 1),
            ],
        }
    }

    fn elements(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> u64 {
        match shape.vd.or(shape.vs3).or(shape.vs2) {
            Some(Width::Registers(n)) => n as u64 * self.vlen / 64,
            Some(Width::Single) if shape.vs2.is_none() || shape.to_scalar => 1,
            _ => seen.vl * fields(shape, insn),
        }
    }
}

/// A cost that replaces that of the class.
fn own_step(cost: custom::Cost) -> Option<Step> {
    let custom::Cost::Vector { per, first, next } = cost else { return None };
    let per = match per {
        custom::Per::Beat => Per::Beat,
        custom::Per::Element => Per::Element,
        custom::Per::Group => Per::Group,
    };
    Some(Step { per, first: first * TICKS, next: next * TICKS })
}

/// Fields of a segment; 1 for everything else.
fn fields(shape: &Shape, insn: &Insn) -> u64 {
    let whole = matches!(shape.vd.or(shape.vs3), Some(Width::Registers(_)));
    if shape.is_memory() && !whole { insn.aux() as u64 + 1 } else { 1 }
}

/// Element groups that an instruction works on.
fn groups(shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> u64 {
    match shape.vd {
        Some(Width::Group(_)) => 1,
        _ => match insn.op().model().and_then(|m| m.group) {
            Some(egs) => seen.vl / u64::from(egs),
            None => seen.vl * seen.vtype.sew as u64 / group_bits(insn.op().row().class, seen),
        },
    }
}

/// EGW of the classes that work on element groups (RISC-V Cryptography Extensions Volume II, "Element Groups").
fn group_bits(class: Class, seen: &Seen<'_>) -> u64 {
    match class {
        Class::Vsm3 => 256,
        Class::Vsha2 => 4 * seen.vtype.sew as u64,
        Class::Vkeccak => KECCAK_GROUP as u64,
        _ => 128,
    }
}

/// Aligned units of `width` bytes that the accesses touch. Consecutive accesses to one unit count once.
fn beats(accesses: &[Access], width: u64) -> u64 {
    let mut beats = 0;
    let mut previous = None;
    for a in accesses.iter().filter(|a| a.size > 0) {
        let (first, last) = (a.addr / width, a.addr.wrapping_add(a.size as u64 - 1) / width);
        beats += last - first + (previous != Some(first)) as u64;
        previous = Some(last);
    }
    beats
}
