//! A core model that counts what regions execute.

use super::state::{Block, Regions};
use super::wanted::Mark;
use crate::Recorder;
use crate::unmodelled::unmodelled;
use capvec_sim::calls::Transfer;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Plan, Seen, Timing};
use capvec_timing::FirstOrder;
use std::cell::RefCell;
use std::rc::Rc;

/// The model. Without one, each instruction counts as one cycle.
pub struct Counting {
    pub model: Option<FirstOrder>,
    pub regions: Rc<RefCell<Regions>>,
    /// Knows where functions are.
    pub recorder: Rc<RefCell<Recorder>>,
}

impl Counting {
    fn block(&self, start: u64, insns: &[Insn], plan: &Plan) -> Block {
        let (function, address) = self.recorder.borrow_mut().place(start);
        let mut regions = self.regions.borrow_mut();
        let inside = regions.wanted().functions.iter().map(|f| *f == function.name).collect();
        let marks: Vec<(usize, Mark)> =
            insns.iter().enumerate().filter_map(|(k, i)| Some((k, Mark::of(i)?))).collect();
        if marks.iter().any(|(_, m)| *m == Mark::Counter) {
            let name = format!("{}+{:#x}", function.name, address.wrapping_sub(function.address));
            regions.names.insert(start, name);
        }
        let before = |k| plan.costs.before(k);
        Block {
            ops: insns.iter().map(Insn::op).collect(),
            cycles: (0..insns.len()).map(|k| u64::from(before(k + 1) - before(k))).collect(),
            inside,
            calls: insns.last().is_some_and(|i| Transfer::of(i) == Transfer::Call),
            marks,
            place: start,
        }
    }
}

impl Timing for Counting {
    fn plan(&self, start: u64, insns: &[Insn]) -> Plan {
        let plan = match &self.model {
            Some(model) => model.plan(start, insns),
            None => unmodelled(insns.len()),
        };
        let block = self.block(start, insns, &plan);
        self.regions.borrow_mut().decoded(start, block);
        plan
    }

    fn enter(&mut self, start: u64, end: u64, plan: &Plan, sequential: bool) -> u64 {
        let enter = |model: &mut FirstOrder| model.enter(start, end, plan, sequential);
        let cost = self.model.as_mut().map_or(0, enter);
        self.regions.borrow_mut().enter(start, cost);
        cost
    }

    fn execute(&mut self, now: u64, what: Dynamic, insn: &Insn, seen: &Seen<'_>) -> u64 {
        let cycles = self.model.as_mut().map_or(0, |m| m.execute(now, what, insn, seen));
        let vector = insn.op().row().class.uses_vector_registers();
        self.regions.borrow_mut().about(what.index, |counts| {
            counts.cycles += cycles;
            if vector {
                counts.vector(seen.vtype, seen.vl);
            }
        });
        cycles
    }

    fn switch(&mut self) {
        self.model.iter_mut().for_each(Timing::switch);
    }

    fn change_space(&mut self) {
        self.model.iter_mut().for_each(Timing::change_space);
    }
}
