//! Replays a resolved recording through a model.

use super::passage::Counter;
use super::recording::{ENTER_SPACE, SWITCH};
use super::resolved::{Finds, Resolution, Resolved};
use crate::first_order::FirstOrder;
use crate::front_end::{Extent, Words};
use crate::inline::static_ticks;
use crate::reader::TICKS;
use crate::vector::Prepared;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Plan, Seen, Timing};

/// Where replayed cycles begin: so far from 0 that the model's differences of times stay positive.
const START: u64 = 1 << 40;

/// What happens in a passage after its block is entered, beyond its static ticks.
enum Step {
    /// A stall of so many ticks that can overlap fetching.
    Stall(u64),
    /// A vector instruction issues so many ticks after the block's start, without the stalls before it; its misses take so many.
    Vector(u64, Box<Prepared>, u64),
}

/// How fetching of a block's words goes.
enum Fetching {
    /// After a redirection.
    Redirected(Words),
    /// In sequence: issue takes longer by so many ticks.
    Ahead(i64),
}

/// A resolved passage, as the model charges it.
struct Charged {
    /// Ticks of the redirection and of instruction-cache misses.
    lost: u64,
    fetching: Fetching,
    steps: Box<[Step]>,
    /// Ticks of issuing the instructions that retired, and of data accesses that do not overlap fetching.
    ticks: u64,
    reads_cycle: bool,
}

/// A model that replays a recording.
pub struct Replay<'a> {
    words: &'a [Vec<u32>],
    model: FirstOrder,
    charged: Vec<Charged>,
}

impl<'a> Replay<'a> {
    /// A replay through this model, which has not counted anything yet and has the shapes of the resolution.
    pub fn new(resolution: &'a Resolution<'_>, model: FirstOrder) -> Replay<'a> {
        let recording = resolution.recording;
        let mut plans: Vec<Option<Plan>> = recording.code.iter().map(|_| None).collect();
        let charged = resolution.resolved.iter().map(|r| {
            let number = recording.passages[r.passage as usize].code as usize;
            let code = &recording.code[number];
            let plan = &*plans[number].get_or_insert_with(|| model.plan(code.start(), &code.insns));
            charge(&model, resolution, plan, r)
        });
        let charged = charged.collect();
        Replay { words: &resolution.words, model, charged }
    }

    /// What each read of `cycle` by this process would give; only their differences have a meaning.
    pub fn cycles(&mut self, process: usize) -> Vec<u64> {
        let Replay { words, model, charged } = self;
        let (mut now, mut reads) = (START, Vec::new());
        for word in &words[process] {
            match *word {
                SWITCH => model.switch(),
                ENTER_SPACE => {
                    model.change_space();
                    // It drops the part of a cycle that has not been reported.
                    now -= now % u64::from(TICKS);
                }
                number => {
                    let c = &charged[number as usize];
                    let words = match c.fetching {
                        Fetching::Redirected(words) => words,
                        Fetching::Ahead(ahead) => model.front.after_lead(ahead),
                    };
                    model.front.set_words(words);
                    now += c.lost + words.cost;
                    if c.reads_cycle {
                        reads.push(now / u64::from(TICKS));
                    }
                    for step in &c.steps {
                        now += replay(model, step, now);
                    }
                    now += c.ticks;
                }
            }
        }
        reads
    }
}

/// Ticks of a step of a block that was entered at tick `now`, later by the stalls before this step.
#[inline(always)]
fn replay(model: &mut FirstOrder, step: &Step, now: u64) -> u64 {
    match step {
        Step::Stall(ticks) => model.front.stall(*ticks),
        Step::Vector(issue, prepared, misses) => {
            let Some(unit) = &mut model.vector else { return 0 };
            let stall = unit.complete(now + issue, prepared, &[], *misses);
            model.exposed_stall(stall)
        }
    }
}

fn charge(model: &FirstOrder, resolution: &Resolution<'_>, plan: &Plan, r: &Resolved) -> Charged {
    let passage = &resolution.recording.passages[r.passage as usize];
    let code = &resolution.recording.code[passage.code as usize];
    let extent = Extent::new(code.start(), code.end(), plan);
    let (front, params) = (&model.front, &model.params);
    let fetching = match r.redirection {
        Some(_) => Fetching::Redirected(front.redirected(extent)),
        None => Fetching::Ahead(front.ahead(extent)),
    };
    let redirected = r.redirection.map_or(0, |r| params.branch.ticks(r));
    // Data accesses that do not overlap fetching delay what follows, as issue does.
    let (mut memory, mut steps) = (0, Vec::new());
    let stores = &mut passage.accesses.iter().map(|a| a.store);
    for ((dynamic, observed), finds) in plan.costs.dynamic().zip(&passage.observed).zip(&r.finds) {
        let stores = stores.take(observed.accesses as usize);
        match finds {
            Finds::Scalar(found) => {
                let ticks: u64 = stores.zip(found).map(|(s, f)| params.data.ticks(s, *f)).sum();
                match params.fetch.shared {
                    true => memory += ticks,
                    false if ticks > 0 => steps.push(Step::Stall(ticks)),
                    false => {}
                }
            }
            Finds::Vector(lines, accesses) => {
                stores.for_each(drop);
                let seen = Seen { accesses, vl: observed.vl, vtype: observed.vtype() };
                let issue = u64::from(dynamic.issue) * u64::from(TICKS) + memory;
                let misses = params.data.line_ticks(*lines);
                let insn = &code.insns[dynamic.index as usize];
                steps.extend(vector(model, insn, &seen, issue, misses));
            }
        }
    }
    Charged {
        lost: redirected + front.line_ticks(r.fetched, &model.data.second),
        fetching,
        steps: steps.into(),
        ticks: static_ticks(plan, passage.retired as usize) + memory,
        reads_cycle: code.counter == Some(Counter::Cycle) && passage.retired > 0,
    }
}

/// A vector instruction; `None` if it does not stall.
fn vector(
    model: &FirstOrder,
    insn: &Insn,
    seen: &Seen<'_>,
    issue: u64,
    misses: u64,
) -> Option<Step> {
    let unit = model.vector.as_ref()?;
    if let Some(ticks) = unit.emulation(insn, seen) {
        return Some(Step::Stall(ticks));
    }
    let prepared = unit.prepare(insn, seen)?;
    let misses = if unit.probes(&prepared) { misses } else { 0 };
    Some(Step::Vector(issue, prepared.into(), misses))
}
