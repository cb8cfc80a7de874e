//! The vector unit: how long instructions stall issue, and the state that this depends on. All in ticks.

mod cost;

use super::in_order::{InOrder, Manner};
use super::queue::{Cost, Executors, Queue, Registers, Spans};
use super::shape::{Shape, Unit};
use crate::data_side::DataSide;
use crate::first_order::Stall;
use crate::params::{Per, StepKind, Vector};
use crate::price::{Price, Prices};
use crate::reader::TICKS;
use crate::static_cost::ExtraBeat;
use capvec_isa::{Class, Op};
use capvec_sim::alignment;
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
    in_order: InOrder,
}

/// The state-independent cost of an instruction.
#[derive(Clone, Copy)]
pub struct Prepared {
    cost: Cost,
    /// When its access takes one more beat, if `cost` does not depend on the address.
    extra_beat: Option<ExtraBeat>,
    registers: Registers,
    spans: Spans,
    unit: Unit,
    executors: Executors,
    to_scalar: bool,
    /// How an in-order unit executes it.
    manner: Manner,
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
        let vector = |op: &Op| op.row().class.uses_vector_registers();
        let shapes = Op::all().map(|op| vector(&op).then(|| Shape::at_vlen(op, vlen))).collect();
        let queue = Queue::new(p.queue);
        let datapath = p.datapath.unwrap_or(vlen as u64);
        let in_order = InOrder::default();
        VectorUnit { vlen: vlen as u64, datapath, shapes, queue, in_order, prices, p }
    }

    /// How long issue stalls for `insn` after dispatch.
    pub fn execute(
        &mut self,
        now: u64,
        insn: &Insn,
        seen: &Seen<'_>,
        data: &mut DataSide,
    ) -> Stall {
        if let Some(ticks) = self.emulation(insn, seen) {
            return Stall { memory: 0, other: ticks };
        }
        match self.prepare(insn, seen) {
            Some(p) => self.finish(now, &p, seen.accesses, data),
            None => Stall::default(),
        }
    }

    /// Ticks of emulating `insn`, if it is: then the unit does not execute it.
    pub fn emulation(&self, insn: &Insn, seen: &Seen<'_>) -> Option<u64> {
        let [first, next] = self.p.emulated?;
        let elements = alignment::misaligned(insn.op(), seen.vtype, seen.accesses);
        (elements > 0).then(|| u64::from(first) + (elements - 1) * u64::from(next))
    }

    /// Whether instructions with misaligned elements are emulated.
    pub fn emulates(&self) -> bool {
        self.p.emulated.is_some()
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
        let alone = self.step(shape, insn, seen).per == Per::Element;
        let manner = Manner::of(insn.op(), shape, alone);
        let executors = match self.p.pipes.filter(|_| !shape.is_memory()) {
            None => Executors::unit(unit),
            Some(_) if self.p.first_pipe[self.kind(shape, insn, seen).0] => Executors::pipes(1),
            Some(pipes) => Executors::pipes(pipes),
        };
        Some(Prepared {
            cost,
            extra_beat: None,
            registers: spans.sets(),
            spans,
            unit,
            executors,
            to_scalar,
            manner,
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
        let misses = if self.probes(prepared) { data.vector(accesses) } else { 0 };
        self.complete(now, prepared, accesses, misses)
    }

    /// Whether the instruction probes the data cache.
    #[inline]
    pub fn probes(&self, prepared: &Prepared) -> bool {
        prepared.is_memory() && self.p.cached
    }

    /// `finish` for an instruction whose misses take this many ticks.
    #[inline]
    pub fn complete(
        &mut self,
        now: u64,
        prepared: &Prepared,
        accesses: &[Access],
        misses: u64,
    ) -> Stall {
        let mut cost = prepared.cost_at(accesses);
        let mut memory = if prepared.is_memory() { cost.body - cost.moves } else { 0 };
        memory += misses;
        cost.first += misses;
        cost.body += misses;
        cost.pace += misses;
        let to_scalar = self.to_scalar(prepared.to_scalar);
        let dispatch = (self.p.dispatch * TICKS) as u64;
        if self.p.blocking {
            return blocking(cost.startup + cost.body + to_scalar, memory, dispatch);
        }
        if self.p.in_order {
            let manner = prepared.manner;
            let taken = self.in_order.take(now, manner, cost, &prepared.spans);
            let until = if manner.alone { taken.done + to_scalar } else { taken.issued };
            return Stall { memory: 0, other: until - now };
        }
        let (executors, registers) = (prepared.executors, prepared.registers);
        let queued = self.queue.push(now, executors, cost, registers, self.p.chaining);
        let other = if prepared.to_scalar {
            (queued.done + to_scalar).saturating_sub(now + dispatch)
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
        let dispatch = (self.p.dispatch * TICKS) as u64;
        if !prepared.is_memory() {
            let stall = blocking(all, 0, dispatch);
            return Some(Standalone { stall, extra_beat: None, is_memory: false });
        }
        let extra_beat = self.extra_beat(insn, seen);
        // The beats of scattered elements depend on all addresses.
        if seen.accesses.is_empty() && extra_beat.is_some() {
            return None;
        }
        let stall = blocking(all, cost.body - cost.moves, dispatch);
        // If dispatch took longer than the instruction, it would hide part of what is added.
        (all >= dispatch).then_some(Standalone { stall, extra_beat, is_memory: true })
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

    /// After a context switch, the unit is idle.
    pub fn switch(&mut self) {
        self.queue = Queue::new(self.p.queue);
        self.in_order = InOrder::default();
    }
}

/// The stall of an instruction that takes `all` ticks, `memory` of them for memory. Dispatch is part of the
/// instruction's own time.
fn blocking(all: u64, memory: u64, dispatch: u64) -> Stall {
    let all = all.saturating_sub(dispatch);
    let memory = memory.min(all);
    Stall { memory, other: all - memory }
}

#[cfg(test)]
mod tests;
