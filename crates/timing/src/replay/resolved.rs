//! A recording as cores see it that have the same caches and branch predictors, whatever these cost.

use super::recording::{ENTER_SPACE, Recording, SWITCH};
use crate::cache::{Geometry, Lines};
use crate::data_side::Found;
use crate::first_order::FirstOrder;
use crate::front_end::Redirection;
use crate::params::{Params, Tables};
use crate::schedule::{VECTOR, plan};
use crate::vector::VectorUnit;
use capvec_sim::hart::Access;
use capvec_sim::timing::{Plan, Seen};
use std::collections::HashMap;

/// What decides where hits and misses are: caches, branch history, and how data memory is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shapes {
    fetch: Geometry,
    history: u64,
    tables: Tables,
    data: Geometry,
    /// The second-level cache and the TLB.
    second: [Geometry; 2],
    write_back: bool,
    width: u64,
    /// Bits of the vector unit's path to memory; whether that goes through the cache, and whether misaligned elements are
    /// emulated.
    vector: Option<(u64, bool, bool)>,
}

impl Params {
    /// What decides where a core's hits and misses are.
    pub fn shapes(&self) -> Shapes {
        Shapes {
            fetch: self.fetch.cache,
            history: self.branch.history,
            tables: self.branch.tables,
            data: self.data.cache,
            second: [self.data.second.cache, self.data.second.tlb],
            write_back: self.data.write_back,
            width: self.data.width,
            vector: self.vector.as_ref().map(|v| (v.memory, v.cached, v.emulated.is_some())),
        }
    }
}

/// What an instruction with a dynamic cost finds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Finds {
    /// A scalar one, for each of its accesses.
    Scalar(Vec<Found>),
    /// A vector one, with its accesses relative to a multiple of all widths, if the unit uses the data cache.
    Vector(Lines, Vec<Access>),
}

/// A passage, with what it finds.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Resolved {
    /// Index of the passage.
    pub passage: u32,
    pub redirection: Option<Redirection>,
    /// Instruction-cache misses.
    pub fetched: Lines,
    /// By instruction with a dynamic cost.
    pub finds: Vec<Finds>,
}

/// A recording as cores with these shapes see it.
pub struct Resolution<'a> {
    pub(super) recording: &'a Recording,
    pub(super) resolved: Vec<Resolved>,
    /// By process, as in the recording; without addresses, and empty for processes that read no counter.
    pub(super) words: Vec<Vec<u32>>,
}

/// Works it out.
struct Resolver<'a> {
    recording: &'a Recording,
    /// By block.
    plans: Vec<Plan>,
    model: FirstOrder,
    /// Aligns relative addresses: a power of two.
    unit: u64,
    numbers: HashMap<Resolved, u32>,
    resolved: Vec<Resolved>,
    /// By passage: what was found last.
    recent: Vec<u32>,
    /// What the current passage finds.
    current: Resolved,
    accesses: Vec<Access>,
}

impl<'a> Resolution<'a> {
    /// The recording as this model sees it, which has not counted anything yet.
    pub fn new(recording: &'a Recording, model: FirstOrder) -> Resolution<'a> {
        let code = recording.code.iter();
        let memory = model.params.vector.as_ref().map_or(8, |v| v.memory);
        let mut resolver = Resolver {
            recording,
            plans: code.map(|c| plan(&model.params, &c.insns)).collect(),
            unit: (memory / 8).max(8),
            model,
            numbers: HashMap::new(),
            resolved: Vec::new(),
            recent: vec![u32::MAX; recording.passages.len()],
            current: Resolved {
                passage: 0,
                redirection: None,
                fetched: Lines::default(),
                finds: Vec::new(),
            },
            accesses: Vec::new(),
        };
        let processes = recording.processes.iter();
        let words = processes.map(|p| match p.reads.is_empty() {
            true => Vec::new(),
            false => resolver.process(&p.words),
        });
        let words = words.collect();
        Resolution { recording, resolved: resolver.resolved, words }
    }
}

impl Resolver<'_> {
    fn process(&mut self, words: &[u32]) -> Vec<u32> {
        let (mut words, mut all) = (words.iter().copied(), Vec::new());
        while let Some(word) = words.next() {
            match word {
                SWITCH => self.model.front.switch(),
                ENTER_SPACE => {
                    self.model.front.clear();
                    self.model.data.clear();
                }
                passage => {
                    self.passage(passage, &mut words);
                    all.push(self.number());
                    continue;
                }
            }
            all.push(word);
        }
        all
    }

    /// What the passage finds.
    fn passage(&mut self, number: u32, lows: &mut impl Iterator<Item = u32>) {
        let p = &self.recording.passages[number as usize];
        let code = &self.recording.code[p.code as usize];
        let (front, plan) = (&mut self.model.front, &self.plans[p.code as usize]);
        self.current.passage = number;
        self.current.redirection = front.redirection(p.sequential);
        front.leave(plan.exit, code.end());
        let second = &mut self.model.data.second;
        self.current.fetched = front.find_lines(code.start(), code.end(), second);
        self.current.finds.clear();
        let mut shapes = p.accesses.iter();
        for (dynamic, observed) in plan.costs.dynamic().zip(&p.observed) {
            let shapes = shapes.by_ref().take(observed.accesses as usize);
            let all = shapes.map(|s| s.at(lows.next().unwrap_or_default()));
            let data = &mut self.model.data;
            self.current.finds.push(if dynamic.note == VECTOR {
                self.accesses.clear();
                self.accesses.extend(all);
                let seen =
                    Seen { accesses: &self.accesses, vl: observed.vl, vtype: observed.vtype() };
                let insn = &code.insns[dynamic.index as usize];
                let probes = |v: &VectorUnit| v.is_cached() && v.emulation(insn, &seen).is_none();
                let lines = match self.model.vector.as_ref().is_some_and(probes) {
                    true => data.find_vector(&self.accesses),
                    false => Lines::default(),
                };
                Finds::Vector(lines, relative(&self.accesses, self.unit))
            } else {
                Finds::Scalar(all.map(|a| data.find(&a)).collect())
            });
        }
    }

    /// The number of what the current passage finds.
    fn number(&mut self) -> u32 {
        let recent = &mut self.recent[self.current.passage as usize];
        if self.resolved.get(*recent as usize) == Some(&self.current) {
            return *recent;
        }
        let next = self.resolved.len() as u32;
        *recent = *self.numbers.entry(self.current.clone()).or_insert(next);
        if *recent == next {
            self.resolved.push(self.current.clone());
        }
        *recent
    }
}

/// Far above 0, so that accesses before the first one have addresses, too.
const BASE: u64 = 1 << 48;

/// The accesses, moved by a multiple of `unit` so that they do not depend on where they are otherwise.
fn relative(accesses: &[Access], unit: u64) -> Vec<Access> {
    let base = accesses.first().map_or(0, |a| a.addr & !(unit - 1));
    let moved = |a: &Access| Access { addr: a.addr.wrapping_sub(base).wrapping_add(BASE), ..*a };
    accesses.iter().map(moved).collect()
}
