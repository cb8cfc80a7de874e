//! A core model that notes what it costs.

use super::{Costs, Line};
use crate::Recorder;
use crate::unmodelled::unmodelled;
use capvec_sim::alignment;
use capvec_sim::calls::Transfer;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Plan, Seen, StaticCosts, Timing};
use capvec_timing::FirstOrder;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A block that has been decoded.
pub struct Noted {
    /// Its first address.
    pub start: u64,
    /// Addresses of its instructions, relative to the first, and their bytes.
    pub places: Vec<(u64, u64)>,
    cycles: StaticCosts,
    /// How often all of it retired.
    entered: u64,
    /// Entry `n`: how often only its first `n` instructions retired.
    partly: Vec<u64>,
    /// Costs that were not static, by instruction.
    extra: Vec<Costs>,
    misaligned: Vec<u64>,
    /// For a block of the function [`Noting::below`]: whether it ends with a call.
    calls: Option<bool>,
}

impl Noted {
    /// Counts and costs of instruction `k`.
    pub fn line(&self, k: usize) -> Line {
        let count = self.entered + self.partly[k + 1..].iter().sum::<u64>();
        let mut costs = self.extra[k];
        costs.issue += count * u64::from(self.cycles.before(k + 1) - self.cycles.before(k));
        Line { word: 0, count, costs, misaligned: self.misaligned[k] }
    }
}

/// What has been noted.
pub struct Notes {
    /// All blocks, in the order in which they were decoded.
    pub blocks: Vec<Noted>,
    /// The block at an address of an address space.
    known: HashMap<(u64, u64), usize>,
    /// The address space.
    pub space: u64,
    /// The block that was entered last.
    current: usize,
    /// The block from which control came, if its last instruction is charged for a redirection.
    previous: Option<usize>,
    /// Instructions of the blocks that were entered since the engine began to run.
    pub entered: u64,
    /// Whether what is executed is noted.
    on: bool,
}

impl Notes {
    /// Nothing noted yet. `on`: everything is noted from the start, not only what a function calls.
    pub fn new(on: bool) -> Notes {
        let (blocks, known) = Default::default();
        Notes { blocks, known, space: 0, current: 0, previous: None, entered: 0, on }
    }

    /// The current block, if it is noted. The function itself is not, only what it calls.
    fn noted(&mut self) -> Option<&mut Noted> {
        self.blocks.get_mut(self.current).filter(|b| self.on && b.calls.is_none())
    }

    /// The engine left the last block early: this many instructions of the blocks that were entered did not retire.
    pub fn left_early(&mut self, missing: u64) {
        if let Some(block) = self.noted() {
            block.entered -= 1;
            let retired = block.places.len() - missing as usize;
            block.partly[retired] += 1;
        }
        self.previous = None;
    }

    /// The next block is not entered from another one, so its first instruction is charged for a redirection.
    pub fn interrupt(&mut self) {
        self.previous = None;
    }

    fn plan(&mut self, start: u64, insns: &[Insn], plan: &Plan, calls: Option<bool>) {
        let n = insns.len();
        self.known.insert((self.space, start), self.blocks.len());
        self.blocks.push(Noted {
            start,
            places: insns.iter().map(|i| (u64::from(i.offset) * 2, i.bytes())).collect(),
            cycles: plan.costs.clone(),
            entered: 0,
            partly: vec![0; n + 1],
            extra: vec![Costs::default(); n],
            misaligned: vec![0; n],
            calls,
        });
    }

    fn enter(&mut self, start: u64, redirect: u64, fetch: u64) {
        let Some(&at) = self.known.get(&(self.space, start)) else { return };
        self.current = at;
        self.entered += self.blocks[at].places.len() as u64;
        self.on = self.blocks[at].calls.unwrap_or(self.on);
        let Some(block) = self.noted() else {
            self.previous = None;
            return;
        };
        block.entered += 1;
        block.extra[0].fetch += fetch;
        let cause = match self.previous.replace(at) {
            Some(previous) => self.blocks[previous].extra.last_mut(),
            None => self.blocks[at].extra.first_mut(),
        };
        cause.into_iter().for_each(|costs| costs.redirect += redirect);
    }

    fn execute(&mut self, index: u8, vector: bool, cycles: u64) {
        if let Some(extra) = self.noted().and_then(|b| b.extra.get_mut(index as usize)) {
            *(if vector { &mut extra.vector } else { &mut extra.data }) += cycles;
        }
    }

    fn misaligned(&mut self, index: u8, accesses: u64) {
        if let Some(of) = self.noted().and_then(|b| b.misaligned.get_mut(index as usize)) {
            *of += accesses;
        }
    }
}

/// The model. Without one, each instruction counts as one cycle.
pub struct Noting {
    pub model: Option<FirstOrder>,
    pub notes: Rc<RefCell<Notes>>,
    /// Knows where functions are.
    pub recorder: Rc<RefCell<Recorder>>,
    /// If set, only what this function calls is noted.
    pub below: Option<&'static str>,
}

impl Noting {
    /// Whether these instructions end with a call; `None` if they are not of the function [`Noting::below`].
    fn calls(&self, start: u64, insns: &[Insn]) -> Option<bool> {
        let below = self.below?;
        let inside = self.recorder.borrow_mut().place(start).0.name == below;
        inside.then(|| insns.last().is_some_and(|i| Transfer::of(i) == Transfer::Call))
    }
}

impl Timing for Noting {
    fn plan(&self, start: u64, insns: &[Insn]) -> Plan {
        let plan = match &self.model {
            Some(model) => model.plan(start, insns),
            None => unmodelled(insns.len()),
        };
        self.notes.borrow_mut().plan(start, insns, &plan, self.calls(start, insns));
        plan
    }

    fn enter(&mut self, start: u64, end: u64, plan: &Plan, sequential: bool) -> u64 {
        let enter = |model: &mut FirstOrder| model.enter_parts(start, end, plan, sequential);
        let (redirect, fetch) = self.model.as_mut().map_or((0, 0), enter);
        self.notes.borrow_mut().enter(start, redirect, fetch);
        redirect + fetch
    }

    fn execute(&mut self, now: u64, what: Dynamic, insn: &Insn, seen: &Seen<'_>) -> u64 {
        let misaligned = alignment::misaligned(insn.op(), seen.vtype, seen.accesses);
        if misaligned > 0 {
            self.notes.borrow_mut().misaligned(what.index, misaligned);
        }
        let Some(model) = &mut self.model else { return 0 };
        let cycles = model.execute(now, what, insn, seen);
        let vector = insn.op().row().class.is_vector();
        self.notes.borrow_mut().execute(what.index, vector, cycles);
        cycles
    }

    fn switch(&mut self) {
        self.notes.borrow_mut().interrupt();
        self.model.iter_mut().for_each(Timing::switch);
    }

    fn change_space(&mut self) {
        self.notes.borrow_mut().interrupt();
        self.model.iter_mut().for_each(Timing::change_space);
    }
}
