//! A core model that notes what it costs.

use super::{Costs, Line};
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Plan, Seen, Timing};
use capvec_timing::InOrder;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A block that has been decoded.
pub struct Noted {
    /// Its first address.
    pub start: u64,
    /// Addresses of its instructions, relative to the first, and their bytes.
    pub places: Vec<(u64, u64)>,
    cumulative: Box<[u32]>,
    /// How often all of it retired.
    entered: u64,
    /// By number of instructions: how often only that many of it retired.
    partly: Vec<u64>,
    /// What was not static.
    extra: Vec<Costs>,
}

impl Noted {
    /// Counts and costs of instruction `k`.
    pub fn line(&self, k: usize) -> Line {
        let count = self.entered + self.partly[k + 1..].iter().sum::<u64>();
        let mut costs = self.extra[k];
        costs.issue += count * u64::from(self.cumulative[k + 1] - self.cumulative[k]);
        Line { word: 0, count, costs }
    }
}

/// What has been noted.
#[derive(Default)]
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
}

impl Notes {
    /// The engine left the last block early: this many instructions of the blocks that were entered did not retire.
    pub fn left_early(&mut self, missing: u64) {
        let Some(block) = self.blocks.get_mut(self.current) else { return };
        block.entered -= 1;
        let retired = block.places.len() - missing as usize;
        block.partly[retired] += 1;
        self.previous = None;
    }

    /// Control does not come from a block.
    pub fn interrupt(&mut self) {
        self.previous = None;
    }

    fn plan(&mut self, start: u64, insns: &[Insn], plan: &Plan) {
        let n = insns.len();
        self.known.insert((self.space, start), self.blocks.len());
        self.blocks.push(Noted {
            start,
            places: insns.iter().map(|i| (u64::from(i.offset) * 2, i.bytes())).collect(),
            cumulative: plan.cumulative.clone(),
            entered: 0,
            partly: vec![0; n + 1],
            extra: vec![Costs::default(); n],
        });
    }

    fn enter(&mut self, start: u64, redirect: u64, fetch: u64) {
        let Some(&at) = self.known.get(&(self.space, start)) else { return };
        self.current = at;
        let block = &mut self.blocks[at];
        block.entered += 1;
        block.extra[0].fetch += fetch;
        self.entered += block.places.len() as u64;
        let cause = match self.previous.replace(at) {
            Some(previous) => self.blocks[previous].extra.last_mut(),
            None => self.blocks[at].extra.first_mut(),
        };
        cause.into_iter().for_each(|costs| costs.redirect += redirect);
    }

    fn execute(&mut self, index: u8, vector: bool, cycles: u64) {
        let extra = self.blocks.get_mut(self.current).and_then(|b| b.extra.get_mut(index as usize));
        if let Some(extra) = extra {
            *(if vector { &mut extra.vector } else { &mut extra.data }) += cycles;
        }
    }
}

/// The model. Without one, a cycle is an instruction.
pub struct Noting {
    pub model: Option<InOrder>,
    pub notes: Rc<RefCell<Notes>>,
}

impl Timing for Noting {
    fn plan(&self, start: u64, insns: &[Insn]) -> Plan {
        let plan = match &self.model {
            Some(model) => model.plan(start, insns),
            None => Plan {
                cumulative: (0..=insns.len() as u32).collect(),
                // The interpreter forgets the accesses of these.
                dynamic: (0..insns.len() as u8)
                    .map(|index| Dynamic { index, note: 0, issue: 0 })
                    .collect(),
                ..Plan::default()
            },
        };
        self.notes.borrow_mut().plan(start, insns, &plan);
        plan
    }

    fn enter(&mut self, start: u64, end: u64, plan: &Plan, sequential: bool) -> u64 {
        let enter = |model: &mut InOrder| model.enter_parts(start, end, plan, sequential);
        let (redirect, fetch) = self.model.as_mut().map_or((0, 0), enter);
        self.notes.borrow_mut().enter(start, redirect, fetch);
        redirect + fetch
    }

    fn execute(&mut self, now: u64, what: Dynamic, insn: &Insn, seen: &Seen<'_>) -> u64 {
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
