//! The cost of a vector instruction, and the state that it depends on. All in ticks.

use super::queue::{Cost, Queue, Registers, Span, Spans};
use super::rounds::rounds;
use super::shape::{KECCAK_GROUP, Shape, Unit, Width};
use crate::data::DataSide;
use crate::inorder::Stall;
use crate::params::{Per, Step, StepKind, Vector};
use crate::price::{Price, Prices};
use crate::reader::TICKS;
use crate::static_cost::ExtraBeat;
use capvec_isa::{Class, Op, custom};
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::Seen;

/// The vector unit of a core.
pub struct VectorUnit {
    p: Vector,
    prices: Prices,
    vlen: u64,
    datapath: u64,
    /// By `Op`; `None` for instructions that the unit does not execute.
    shapes: Box<[Option<Shape>]>,
    queue: Queue,
}

/// The state-independent cost of an instruction.
#[derive(Clone, Copy)]
pub struct Prepared {
    cost: Cost,
    /// When its access takes one more beat, if `cost` does not depend on the address.
    extra_beat: Option<ExtraBeat>,
    registers: Registers,
    unit: Unit,
    to_scalar: bool,
    /// It is executed element by element.
    by_element: bool,
}

impl Prepared {
    /// The cost of this access.
    fn cost_at(&self, accesses: &[Access]) -> Cost {
        let more = match (self.extra_beat, accesses) {
            (Some(beat), [a]) if a.size > 0 && a.addr & beat.mask > beat.max_offset => beat.ticks,
            _ => 0,
        };
        Cost { body: self.cost.body + more, pace: self.cost.pace + more, ..self.cost }
    }

    /// Whether it accesses memory.
    fn is_memory(&self) -> bool {
        matches!(self.unit, Unit::Load | Unit::Store)
    }
}

/// The cost of an instruction on its own, without cache misses.
pub struct Standalone {
    /// How long it stalls issue.
    pub stall: Stall,
    /// When its access takes one more beat.
    pub extra_beat: Option<ExtraBeat>,
    /// Whether it accesses memory.
    pub is_memory: bool,
}

impl VectorUnit {
    /// An idle unit with registers of `vlen` bits.
    pub fn new(p: Vector, prices: Prices, vlen: u32) -> VectorUnit {
        let vector = |c: Class| c.is_vector() && c != Class::Vset;
        let shapes =
            Op::all().map(|op| vector(op.row().class).then(|| Shape::at_vlen(op, vlen))).collect();
        let queue = Queue::new(p.queue);
        let datapath = p.datapath.unwrap_or(vlen as u64);
        VectorUnit { vlen: vlen as u64, datapath, shapes, queue, prices, p }
    }

    /// How long issue stalls for `insn` after dispatch.
    pub fn execute(
        &mut self,
        now: u64,
        insn: &Insn,
        seen: &Seen<'_>,
        data: &mut DataSide,
    ) -> Stall {
        match self.prepare(insn, seen) {
            Some(p) => self.finish(now, &p, seen.accesses, data),
            None => Stall::default(),
        }
    }

    /// The state-independent cost of `insn`; `None` if another unit executes it. It depends on vl, vtype and, if the
    /// instruction accesses memory, the accesses.
    pub fn prepare(&self, insn: &Insn, seen: &Seen<'_>) -> Option<Prepared> {
        let shape = &self.shapes[insn.op() as usize].as_ref()?;
        let spans = self.spans(shape, insn, seen);
        let cost = match self.prices.of(insn.op()) {
            Some(Price::Free) => Cost::default(),
            _ => self.cost(shape, insn, seen, &spans),
        };
        let (unit, to_scalar) = (shape.unit, shape.to_scalar);
        let by_element = self.step(shape, insn, seen).per == Per::Element;
        Some(Prepared {
            cost,
            extra_beat: None,
            registers: spans.sets(),
            unit,
            to_scalar,
            by_element,
        })
    }

    /// `prepare` for an instruction with one access, whose result holds for every address. The address of `seen` must be
    /// a multiple of all widths.
    pub fn prepare_at_any_address(&self, insn: &Insn, seen: &Seen<'_>) -> Option<Prepared> {
        let prepared = self.prepare(insn, seen)?;
        let free = self.prices.of(insn.op()) == Some(Price::Free);
        let extra_beat = (prepared.is_memory() && !free).then(|| self.extra_beat(insn, seen));
        Some(Prepared { extra_beat: extra_beat.flatten(), ..prepared })
    }

    /// When the access of `insn` takes one more beat than at a multiple of all widths, if its cost depends on beats.
    fn extra_beat(&self, insn: &Insn, seen: &Seen<'_>) -> Option<ExtraBeat> {
        let shape = self.shapes[insn.op() as usize].as_ref()?;
        let (step, width) = (self.step(shape, insn, seen), self.p.memory / 8);
        let size: u64 = seen.accesses.iter().map(|a| a.size as u64).sum();
        (step.per == Per::Beat).then(|| ExtraBeat {
            mask: width - 1,
            max_offset: size.wrapping_neg() & (width - 1),
            ticks: step.next as u64,
        })
    }

    /// `execute` for a prepared instruction.
    #[inline]
    pub fn finish(
        &mut self,
        now: u64,
        prepared: &Prepared,
        accesses: &[Access],
        data: &mut DataSide,
    ) -> Stall {
        let mut cost = prepared.cost_at(accesses);
        let mut memory = if prepared.is_memory() { cost.body - cost.moves } else { 0 };
        if prepared.is_memory() && self.p.cached {
            let misses = data.vector(accesses);
            memory += misses;
            cost.first += misses;
            cost.body += misses;
            cost.pace += misses;
        }
        let to_scalar = self.to_scalar(prepared.to_scalar);
        let handed = (self.p.dispatch * TICKS) as u64;
        if self.p.blocking {
            return blocking(cost.startup + cost.body + to_scalar, memory, handed);
        }
        let (unit, registers) = (prepared.unit, prepared.registers);
        if self.p.in_order {
            let alone = prepared.by_element;
            let taken = self.queue.take(now, unit, cost, registers, alone);
            let until = if alone { taken.done + to_scalar } else { taken.issued };
            return Stall { memory: 0, other: until - now };
        }
        let queued = self.queue.push(now, unit, cost, registers, self.p.chaining);
        let other = if prepared.to_scalar {
            (queued.done + to_scalar).saturating_sub(now + handed)
        } else {
            queued.issued - now
        };
        Stall { memory: 0, other }
    }

    /// The cost of an instruction on a unit that blocks issue, without cache misses, which are added to it. The
    /// access, if there is one, must begin at a multiple of all widths; `extra_beat` says which other addresses cost one
    /// more beat.
    pub fn standalone(&self, insn: &Insn, seen: &Seen<'_>) -> Option<Standalone> {
        let prepared = self.prepare(insn, seen).filter(|_| self.p.blocking)?;
        let cost = prepared.cost;
        let all = cost.startup + cost.body + self.to_scalar(prepared.to_scalar);
        let handed = (self.p.dispatch * TICKS) as u64;
        if !prepared.is_memory() {
            let stall = blocking(all, 0, handed);
            return Some(Standalone { stall, extra_beat: None, is_memory: false });
        }
        let extra_beat = self.extra_beat(insn, seen);
        // The beats of scattered elements depend on all addresses.
        if seen.accesses.is_empty() && extra_beat.is_some() {
            return None;
        }
        let stall = blocking(all, cost.body - cost.moves, handed);
        // If dispatch took longer than the instruction, it would hide part of what is added.
        (all >= handed).then_some(Standalone { stall, extra_beat, is_memory: true })
    }

    /// Whether the cost of constant-stride accesses is static for every vl and vtype.
    pub fn knows_strided(&self) -> bool {
        let classes = [Class::VloadStrided, Class::VstoreStrided];
        let beats = classes.iter().any(|c| self.p.steps[StepKind::of(*c).0].per == Per::Beat);
        self.p.blocking && !beats && self.p.startup >= self.p.dispatch * TICKS
    }

    /// Whether issue waits until an instruction is complete.
    pub fn is_blocking(&self) -> bool {
        self.p.blocking
    }

    fn to_scalar(&self, to_scalar: bool) -> u64 {
        if to_scalar { self.p.to_scalar as u64 } else { 0 }
    }

    /// Whether memory accesses go through the data cache.
    pub fn is_cached(&self) -> bool {
        self.p.cached
    }

    fn cost(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>, spans: &Spans) -> Cost {
        let step = self.step(shape, insn, seen);
        let steps = match step.per {
            Per::Beat if shape.is_memory() => beats(seen.accesses, self.p.memory / 8),
            Per::Beat => {
                let operands = [shape.vd, shape.vs1, shape.vs2];
                let bits = operands.into_iter().flatten().map(|w| self.bits(w, seen)).max();
                bits.unwrap_or(0).div_ceil(self.datapath)
            }
            Per::Element => self.elements(shape, insn, seen),
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

    fn step(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> Step {
        if let Some(Price::Cost(cost)) = self.prices.of(insn.op())
            && let Some(own) = own_step(cost)
        {
            return own;
        }
        let segments = fields(shape, insn) > 1;
        let kind = match insn.op().row().class {
            Class::Vload if segments => StepKind::LOAD_SEGMENT,
            Class::Vstore if segments => StepKind::STORE_SEGMENT,
            Class::Vsha2 if seen.vtype.sew == 64 => StepKind::SHA512,
            _ => shape.step,
        };
        self.p.steps[kind.0]
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
    fn spans(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> Spans {
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

    /// After a context switch, the unit is idle.
    pub fn switch(&mut self) {
        self.queue = Queue::new(self.p.queue);
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

/// The stall of an instruction that takes `all` ticks, `memory` of them for memory. Dispatch is part of the
/// instruction's own time.
fn blocking(all: u64, memory: u64, handed: u64) -> Stall {
    let all = all.saturating_sub(handed);
    let memory = memory.min(all);
    Stall { memory, other: all - memory }
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

#[cfg(test)]
mod tests;
