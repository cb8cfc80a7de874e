//! Replays a recorded run through a model.

use super::passage::{Code, Counter, Observed, Passage, Shape};
use super::recording::{ENTER_SPACE, Recording, SWITCH};
use crate::first_order::{FirstOrder, Stall};
use crate::front_end::Extent;
use crate::reader::TICKS;
use crate::schedule::VECTOR;
use crate::vector::Prepared;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Exit, Plan, Seen, Timing};

/// Where replayed cycles begin: so far from 0 that the model's differences of times stay positive.
const START: u64 = 1 << 40;

/// What happens in a passage after its block is entered.
enum Step {
    /// A scalar instruction accesses memory once.
    Access(Shape),
    /// A vector instruction, prepared for any address, issues so many ticks after the block's start.
    Vector(u64, Box<Prepared>, Option<Shape>),
    /// Anything else, by its observations.
    Any(Box<Any>),
}

/// An instruction with a dynamic cost.
struct Any {
    issue: u64,
    note: u8,
    insn: Insn,
    observed: Observed,
    accesses: Box<[Shape]>,
}

/// A passage, as a model sees it.
struct Passed {
    extent: Extent,
    exit: Exit,
    sequential: bool,
    steps: Box<[Step]>,
    /// Ticks of issuing the instructions that retired.
    issue: u64,
    /// `cycle` is read.
    cycle: bool,
}

/// A model that replays a recording.
pub struct Replay<'a> {
    recording: &'a Recording,
    model: FirstOrder,
    passages: Vec<Passed>,
}

impl<'a> Replay<'a> {
    /// A replay through this model, which has not counted anything yet.
    pub fn new(recording: &'a Recording, model: FirstOrder) -> Replay<'a> {
        let plan = |c: &Code| model.plan(c.start(), &c.insns);
        let plans: Vec<Plan> = recording.code.iter().map(plan).collect();
        let passed = |p: &Passage| {
            let code = p.code as usize;
            passed(&model, &recording.code[code], &plans[code], p)
        };
        let passages = recording.passages.iter().map(passed).collect();
        Replay { recording, model, passages }
    }

    /// What each read of `cycle` by this process would give; only their differences have a meaning.
    pub fn cycles(&mut self, process: usize) -> Vec<u64> {
        let Replay { recording, model, passages } = self;
        let words = &mut recording.processes[process].words.iter().copied();
        let (mut now, mut reads) = (START, Vec::new());
        while let Some(word) = words.next() {
            match word {
                SWITCH => model.switch(),
                ENTER_SPACE => {
                    model.change_space();
                    // It drops the part of a cycle that has not been reported.
                    now -= now % u64::from(TICKS);
                }
                passage => {
                    let p = &passages[passage as usize];
                    now += model.front.enter(p.extent, p.exit, p.sequential);
                    if p.cycle {
                        reads.push(now / u64::from(TICKS));
                    }
                    for step in &p.steps {
                        now += replay(model, step, now, words);
                    }
                    now += p.issue;
                }
            }
        }
        reads
    }
}

/// Ticks of a step of a block that was entered at tick `now`, later by the ticks of the steps before this one.
#[inline(always)]
fn replay(
    model: &mut FirstOrder,
    step: &Step,
    now: u64,
    lows: &mut impl Iterator<Item = u32>,
) -> u64 {
    let mut access = |shape: &Shape| shape.at(lows.next().unwrap_or_default());
    match step {
        Step::Access(shape) => {
            let memory = model.data.scalar(&[access(shape)]);
            model.exposed_stall(Stall { memory, other: 0 })
        }
        Step::Vector(issue, prepared, shape) => {
            let access = shape.as_ref().map(access);
            let Some(unit) = &mut model.vector else { return 0 };
            let stall = unit.finish(now + issue, prepared, access.as_slice(), &mut model.data);
            model.exposed_stall(stall)
        }
        Step::Any(any) => {
            let accesses: Vec<Access> = any.accesses.iter().map(access).collect();
            let (vl, vtype) = (any.observed.vl, any.observed.vtype());
            let seen = Seen { accesses: &accesses, vl, vtype };
            model.ticks(now + any.issue, any.note, &any.insn, &seen)
        }
    }
}

fn passed(model: &FirstOrder, code: &Code, plan: &Plan, p: &Passage) -> Passed {
    let mut accesses = p.accesses.iter().copied();
    let steps = plan.dynamic.iter().zip(&p.observed).map(|(dynamic, observed)| Any {
        issue: u64::from(dynamic.issue) * u64::from(TICKS),
        note: dynamic.note,
        insn: code.insns[dynamic.index as usize],
        observed: *observed,
        accesses: accesses.by_ref().take(observed.accesses as usize).collect(),
    });
    let ticks = |n: &u32| u64::from(*n) * u64::from(TICKS);
    Passed {
        extent: Extent::new(code.start(), code.end(), plan),
        exit: plan.exit,
        sequential: p.sequential,
        steps: steps.map(|any| step(model, any)).collect(),
        issue: plan.cumulative.get(p.retired as usize).map_or(0, ticks),
        cycle: code.counter == Some(Counter::Cycle) && p.retired > 0,
    }
}

/// The fastest way to replay an instruction.
fn step(model: &FirstOrder, any: Any) -> Step {
    let shape = match &any.accesses[..] {
        [] => None,
        [shape] => Some(*shape),
        _ => return Step::Any(any.into()),
    };
    if let (true, Some(shape)) = (any.note != VECTOR, shape) {
        return Step::Access(shape);
    }
    let unit = model.vector.as_ref().filter(|unit| any.note == VECTOR && !unit.emulates());
    let access = shape.map(|s| Access { addr: 0, ..s.at(0) });
    let (vl, vtype) = (any.observed.vl, any.observed.vtype());
    let seen = Seen { accesses: access.as_slice(), vl, vtype };
    match unit.and_then(|unit| unit.prepare_at_any_address(&any.insn, &seen)) {
        Some(prepared) => Step::Vector(any.issue, prepared.into(), shape),
        None => Step::Any(any.into()),
    }
}
