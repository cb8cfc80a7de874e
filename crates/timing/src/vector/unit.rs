//! The cost of a vector instruction, and the state that it depends on. All in ticks.

use super::rounds::rounds;
use super::shape::{KECCAK_GROUP, Shape, UNITS, Unit, Width};
use crate::data::DataSide;
use crate::inorder::Stall;
use crate::params::{Per, Step, StepKind, Vector};
use crate::reader::TICKS;
use crate::static_cost::ExtraBeat;
use capvec_isa::Class;
use capvec_isa::op::OPS;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::Seen;

/// Number of vector registers.
const REGISTERS: usize = 32;

/// The vector unit of a core.
pub struct VectorUnit {
    p: Vector,
    vlen: u64,
    datapath: u64,
    /// By `Op`; `None` for instructions that the unit does not execute.
    shapes: Box<[Option<Shape>]>,
    queue: Queue,
}

/// The work in a queued unit. Times are absolute.
struct Queue {
    /// Completion times of the last instructions queued, as a ring.
    done: Box<[u64]>,
    /// Index of the oldest of them.
    oldest: usize,
    /// When each functional unit can start its next instruction.
    free: [u64; UNITS],
    /// When an instruction that depends on a register can start.
    ready: [u64; REGISTERS],
    /// When it can be done at the earliest.
    complete: [u64; REGISTERS],
}

/// Ticks of one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cost {
    /// Before the first step. This part is pipelined: it delays results, not the next instruction.
    startup: u64,
    /// From there to the first result.
    first: u64,
    /// From there to the end.
    body: u64,
    /// The part of `body` that moves registers.
    moves: u64,
}

/// The state-independent cost of an instruction.
#[derive(Clone, Copy)]
pub struct Prepared {
    shape: Shape,
    cost: Cost,
    spans: Spans,
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

/// Consecutive registers.
#[derive(Clone, Copy)]
struct Span {
    first: u8,
    count: u64,
}

impl Span {
    fn registers(self) -> impl Iterator<Item = usize> {
        let first = self.first as usize;
        (first..first + self.count as usize).map(|r| r % REGISTERS)
    }
}

/// The registers of an instruction's operands.
#[derive(Clone, Copy)]
struct Spans {
    target: Option<Span>,
    sources: [Option<Span>; 4],
}

impl Spans {
    /// Number of registers read.
    fn reads(&self, shape: &Shape) -> u64 {
        let old = if shape.accumulates { self.target } else { None };
        self.sources.iter().chain([&old]).flatten().map(|s| s.count).sum()
    }
}

impl VectorUnit {
    /// An idle unit with registers of `vlen` bits.
    pub fn new(p: Vector, vlen: u32) -> VectorUnit {
        let vector = |c: Class| c.is_vector() && c != Class::Vset;
        let shapes = OPS
            .iter()
            .map(|op| vector(op.row().class).then(|| Shape::at_vlen(*op, vlen)))
            .collect();
        let queue = Queue::new(p.queue);
        let datapath = p.datapath.unwrap_or(vlen as u64);
        VectorUnit { vlen: vlen as u64, datapath, shapes, queue, p }
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
        let shape = self.shapes[insn.op() as usize]?;
        let spans = self.spans(&shape, insn, seen);
        Some(Prepared { shape, cost: self.cost(&shape, insn, seen, &spans), spans })
    }

    /// `execute` for a prepared instruction.
    pub fn finish(
        &mut self,
        now: u64,
        prepared: &Prepared,
        accesses: &[Access],
        data: &mut DataSide,
    ) -> Stall {
        let Prepared { shape, cost, spans } = prepared;
        let mut cost = *cost;
        let mut memory = if shape.is_memory() { cost.body - cost.moves } else { 0 };
        if shape.is_memory() && self.p.cached {
            let misses = data.vector(accesses);
            memory += misses;
            cost.first += misses;
            cost.body += misses;
        }
        let to_scalar = self.to_scalar(shape);
        let handed = (self.p.dispatch * TICKS) as u64;
        if self.p.blocking {
            return blocking(cost.startup + cost.body + to_scalar, memory, handed);
        }
        let queued = self.queue.push(now, shape.unit, cost, spans, self.p.chaining);
        let other = if shape.to_scalar {
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
        let Prepared { shape, cost, .. } = self.prepare(insn, seen).filter(|_| self.p.blocking)?;
        let all = cost.startup + cost.body + self.to_scalar(&shape);
        let handed = (self.p.dispatch * TICKS) as u64;
        if !shape.is_memory() {
            let stall = blocking(all, 0, handed);
            return Some(Standalone { stall, extra_beat: None, is_memory: false });
        }
        let (step, width) = (self.step(&shape, insn, seen), self.p.memory / 8);
        // The beats of scattered elements depend on all addresses.
        if seen.accesses.is_empty() && step.per == Per::Beat {
            return None;
        }
        let size: u64 = seen.accesses.iter().map(|a| a.size as u64).sum();
        let extra_beat = ExtraBeat {
            mask: width - 1,
            max_offset: size.wrapping_neg() & (width - 1),
            ticks: step.next as u64,
        };
        let stall = blocking(all, cost.body - cost.moves, handed);
        // If dispatch took longer than the instruction, it would hide part of what is added.
        let extra_beat = Some(extra_beat).filter(|_| step.per == Per::Beat);
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

    fn to_scalar(&self, shape: &Shape) -> u64 {
        if shape.to_scalar { self.p.to_scalar as u64 } else { 0 }
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
        let written = shape.vd.map_or(0, |w| self.bits(w, seen) * fields(shape, insn));
        let moves = spans.reads(shape) * self.p.read as u64
            + written.div_ceil(self.p.granule) * self.p.write as u64;
        let direct = if shape.is_memory() { self.p.memory_latency as u64 } else { 0 };
        let first = if steps > 0 { step.first as u64 } else { 0 };
        Cost {
            startup: self.p.startup as u64 + direct,
            first,
            body: first + steps.saturating_sub(1) * step.next as u64 + moves,
            moves,
        }
    }

    fn step(&self, shape: &Shape, insn: &Insn, seen: &Seen<'_>) -> Step {
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

    /// Another context: the unit is idle.
    pub fn switch(&mut self) {
        self.queue = Queue::new(self.p.queue);
    }
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
        _ => seen.vl * seen.vtype.sew as u64 / group_bits(insn.op().row().class, seen),
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

/// When a queued instruction was accepted, and when it is done.
struct Queued {
    issued: u64,
    done: u64,
}

impl Queue {
    fn new(depth: usize) -> Queue {
        Queue {
            done: vec![0; depth].into_boxed_slice(),
            oldest: 0,
            free: [0; UNITS],
            ready: [0; REGISTERS],
            complete: [0; REGISTERS],
        }
    }

    /// Queues an instruction that issues at `now`, or as soon as there is room.
    fn push(&mut self, now: u64, unit: Unit, cost: Cost, spans: &Spans, chaining: bool) -> Queued {
        let issued = now.max(self.done[self.oldest]);
        // Waits for the destination, too: results appear in order.
        let (mut ready, mut complete) = (0, 0);
        for span in spans.sources.iter().chain([&spans.target]).flatten() {
            for r in span.registers() {
                ready = self.ready[r].max(ready);
                complete = self.complete[r].max(complete);
            }
        }
        let unit = unit as usize;
        let start = issued.max(self.free[unit]).max(ready);
        let done = (start + cost.startup + cost.body).max(complete + 1);
        let ready = if chaining { start + cost.startup + cost.first } else { done };
        for r in spans.target.iter().flat_map(|s| s.registers()) {
            self.ready[r] = ready;
            self.complete[r] = done;
        }
        self.free[unit] = start + cost.body.max(1);
        // Completion is reported in order.
        let last = self.done.len() - 1;
        let newest = if self.oldest == 0 { last } else { self.oldest - 1 };
        self.done[self.oldest] = done.max(self.done[newest]);
        self.oldest = if self.oldest == last { 0 } else { self.oldest + 1 };
        Queued { issued, done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{insn, params, r, t, vector};
    use capvec_isa::Op;
    use capvec_sim::vector::{VType, Vector as State};

    /// A unit and the state that it works on.
    struct Rig {
        unit: VectorUnit,
        data: DataSide,
        v: State,
    }

    impl Rig {
        fn new(p: Vector) -> Rig {
            let unit = VectorUnit::new(p, 256);
            Rig { unit, data: DataSide::new(params().data), v: State::new(256) }
        }

        /// SEW, log2 of LMUL and vl of the instructions that follow.
        fn vset(&mut self, sew: u32, lmul: i8, vl: u64) -> &mut Rig {
            self.v.vtype = VType { vill: false, sew, lmul, vta: true, vma: true };
            self.v.vl = vl;
            self
        }

        /// Cycles beyond the first.
        fn run_at(&mut self, now: u32, i: Insn, accesses: &[Access]) -> u64 {
            let seen = Seen { accesses, vl: self.v.vl, vtype: self.v.vtype };
            let stall = self.unit.execute(t(now) as u64, &i, &seen, &mut self.data);
            (stall.memory + stall.other) / TICKS as u64
        }

        fn run(&mut self, i: Insn) -> u64 {
            self.run_at(0, i, &[])
        }
    }

    /// Cycles of `vector()` for startup, registers read and granules written, less the issue cycle.
    fn moves(reads: u64, granules: u64) -> u64 {
        10 + 2 * reads + granules - 1
    }

    #[test]
    fn elements_over_the_datapath() {
        let mut rig = Rig::new(vector());
        let add = r(Op::VaddVv, 8, 16, 24);
        // VLEN 256: 8 words are a register, two beats of 128 bits, four granules of 64.
        assert_eq!(rig.vset(32, 0, 8).run(add), 2 + moves(2, 4));
        assert_eq!(rig.vset(32, 0, 3).run(add), 1 + moves(2, 2));
        assert_eq!(rig.vset(32, 2, 32).run(add), 8 + moves(8, 16));
        assert_eq!(rig.vset(32, 2, 9).run(add), 3 + moves(4, 5), "vl counts, not LMUL");
        assert_eq!(rig.vset(32, 2, 0).run(add), moves(2, 0));
    }

    #[test]
    fn operands_of_other_widths() {
        let mut rig = Rig::new(vector());
        let wide = r(Op::VwadduVv, 8, 16, 24);
        // 8 half-words: sources of a register each, the result of 256 bits.
        assert_eq!(rig.vset(16, 0, 8).run(wide), 2 + moves(2, 4));
        let compare = r(Op::VmseqVv, 1, 16, 24);
        assert_eq!(rig.vset(32, 2, 32).run(compare), 8 + moves(8, 1), "32 bits are written");
        let masked = insn(Op::VaddVv, |d| (d.rd, d.rs1, d.rs2, d.vm) = (8, 16, 24, false));
        assert_eq!(rig.vset(32, 0, 8).run(masked), 2 + moves(3, 4));
        let macc = r(Op::VmaccVv, 8, 16, 24);
        assert_eq!(rig.vset(32, 0, 8).run(macc), 2 + moves(3, 4));
        let whole = r(Op::Vmv4rV, 8, 0, 16);
        assert_eq!(rig.vset(8, 0, 1).run(whole), 8 + moves(4, 16));
        let scalar = r(Op::VmvXS, 5, 0, 16);
        assert_eq!(rig.vset(32, 2, 32).run(scalar), 1 + moves(1, 0) + 7);
    }

    #[test]
    fn element_groups() {
        let mut rig = Rig::new(vector());
        let aes = r(Op::VaesemVs, 8, 0, 16);
        // One group; then LMUL 4 with 8 groups: 4, and 2 for each of 7 further ones. The key is one register.
        assert_eq!(rig.vset(32, 0, 4).run(aes), 4 + moves(2, 2));
        assert_eq!(rig.vset(32, 2, 32).run(aes), 4 + 7 * 2 + moves(5, 16));
        let sha = r(Op::Vsha2clVv, 8, 16, 24);
        assert_eq!(rig.vset(32, 0, 4).run(sha), 4 + moves(3, 2));
        assert_eq!(rig.vset(64, 0, 4).run(sha), 6 + moves(3, 4), "groups of 256 bits");
        assert_eq!(rig.vset(64, 1, 8).run(sha), 6 + 4 + moves(6, 8));
        let sm3 = r(Op::Vsm3cVi, 8, 0, 16);
        assert_eq!(rig.vset(32, 0, 8).run(sm3), 4 + moves(2, 4), "groups of 256 bits");
    }

    #[test]
    fn memory_accesses() {
        let mut rig = Rig::new(vector());
        let one = |addr, size| [Access { addr, size, store: false }];
        let load = r(Op::Vle32V, 8, 10, 0);
        assert_eq!(rig.vset(32, 0, 8).run_at(0, load, &one(0x100, 32)), 4 + moves(0, 4));
        assert_eq!(rig.run_at(0, load, &one(0x104, 32)), 5 + moves(0, 4), "five of 64 bits");
        let elements: Vec<Access> =
            (0..8).map(|k| Access { addr: 0x100 + 4 * k, size: 4, store: false }).collect();
        assert_eq!(rig.run_at(0, load, &elements), 4 + moves(0, 4), "however they are reported");
        let strided = r(Op::Vlse32V, 8, 10, 11);
        assert_eq!(rig.run_at(0, strided, &elements), 8 * 3 + moves(0, 4));
        let indexed = r(Op::Vluxei16V, 8, 10, 16);
        assert_eq!(rig.run_at(0, indexed, &elements), 8 * 3 + moves(1, 4));
        // Three fields: 24 elements in three registers.
        let segment = insn(Op::Vle32V, |d| (d.rd, d.rs1, d.aux) = (8, 10, 2));
        assert_eq!(rig.run_at(0, segment, &one(0x100, 96)), 24 * 3 + moves(0, 12));
        let store = r(Op::Vse32V, 0, 10, 0);
        assert_eq!(rig.run_at(0, store, &one(0x100, 32)), 4 + moves(1, 0));
    }

    /// 10 cycles of startup, one cycle per beat, none for moving registers.
    fn queued(queue: usize, chaining: bool) -> Rig {
        let p = Vector { blocking: false, queue, chaining, read: 0, write: 0, ..vector() };
        let mut rig = Rig::new(p);
        rig.vset(32, 2, 32);
        rig
    }

    /// When `r` can be read after `insns`, which issue one per cycle.
    fn ready(rig: &mut Rig, insns: &[Insn], r: usize) -> u64 {
        for (k, i) in insns.iter().enumerate() {
            assert_eq!(rig.run_at(k as u32, *i, &[]), 0, "the queue has room");
        }
        rig.unit.queue.complete[r] / TICKS as u64
    }

    #[test]
    fn dependent_instructions_wait_or_chain() {
        let first = r(Op::VaddVv, 8, 16, 20);
        let next = r(Op::VmulVv, 12, 8, 20);
        // 8 beats each: the first is done at 18, when the second starts; with chaining it starts at the first beat,
        // at 11.
        assert_eq!(ready(&mut queued(8, false), &[first, next], 12), 18 + 18);
        assert_eq!(ready(&mut queued(8, true), &[first, next], 12), 11 + 18);
        // Another functional unit, independent: starts when it issues, at 1.
        let other = r(Op::VmulVv, 12, 24, 20);
        assert_eq!(ready(&mut queued(8, false), &[first, other], 12), 1 + 18);
        // The same functional unit: after the 8 beats of the first; startup overlaps.
        let same = r(Op::VaddVv, 12, 24, 20);
        assert_eq!(ready(&mut queued(8, false), &[first, same], 12), 8 + 18);
        // Each register of a group counts separately: v11 is the last of v8..v11.
        let last = insn(Op::VmvXS, |d| (d.rd, d.rs2) = (5, 11));
        let mut rig = queued(8, false);
        rig.run_at(0, first, &[]);
        assert_eq!(rig.run_at(1, last, &[]), 18 + 11 + 7 - 2, "x registers are waited for");
    }

    #[test]
    fn a_full_queue_holds_issue_up() {
        let mut rig = queued(2, false);
        let add = r(Op::VaddVv, 8, 16, 20);
        assert_eq!(rig.run_at(0, add, &[]), 0);
        assert_eq!(rig.run_at(1, add, &[]), 0);
        assert_eq!(rig.run_at(2, add, &[]), 16, "until the first is done, at 18");
        rig.unit.switch();
        assert_eq!(rig.run_at(3, add, &[]), 0);
    }
}
