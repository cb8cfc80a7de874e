//! The engine: the reference interpreter's blocks and semantics, with the shadow beside them.

use crate::checker::{Checker, State};
use capvec_profile::Shared;
use capvec_sim::block::{self, Block, Built};
use capvec_sim::calls::Log;
use capvec_sim::engine::Histogram;
use capvec_sim::interp::OBSERVED;
use capvec_sim::timing::Plan;
use capvec_sim::{Engine, Hart, Stop};
use std::collections::HashMap;
use std::rc::Rc;

/// Blocks of one address space.
#[derive(Default)]
struct Blocks {
    /// `Memory::code_version` and `Memory::decoding_version`.
    versions: (u64, u64),
    all: HashMap<u64, Rc<Block>>,
}

/// The engine of a check.
struct Checking {
    checker: Checker,
    calls: Log,
    spaces: HashMap<u64, Blocks>,
}

impl Checker {
    /// The engine. RV64 only.
    pub fn engine(&self) -> Box<dyn Engine> {
        let recorder = Rc::clone(&self.0.borrow().recorder);
        Box::new(Checking {
            checker: self.clone(),
            calls: Log::new(Box::new(Shared(recorder))),
            spaces: HashMap::new(),
        })
    }
}

impl Checking {
    /// The block at `h.pc`.
    fn block(&mut self, h: &mut Hart) -> Result<Rc<Block>, Stop> {
        let blocks = self.spaces.entry(h.mem.id()).or_default();
        let versions = (h.mem.code_version(), h.mem.decoding_version());
        if blocks.versions != versions {
            blocks.all.clear();
            blocks.versions = versions;
        }
        if let Some(found) = blocks.all.get(&h.pc) {
            return Ok(Rc::clone(found));
        }
        let Built { insns, end, source } = match block::build(&h.mem, &h.config, OBSERVED, h.pc) {
            Ok(built) => built,
            Err(trap) => {
                h.trap = trap;
                return Err(Stop::Trap(trap));
            }
        };
        let block =
            Rc::new(Block { start: h.pc, end, insns, source, plan: Plan::default(), entered: 0 });
        blocks.all.insert(h.pc, Rc::clone(&block));
        Ok(block)
    }

    /// Runs a block; the error is the trap that ended it.
    fn execute(&mut self, state: &mut State, h: &mut Hart, b: &Block) -> Result<(), Stop> {
        h.pc = b.end;
        for (k, i) in b.insns.iter().enumerate() {
            let pc = b.start + u64::from(i.offset) * 2;
            let mut flush = || self.calls.flush();
            if state.execute(h, i, pc, &mut flush).is_err() {
                h.instret += k as u64;
                h.cycles += k as u64;
                let trap = h.raised_at(pc, i);
                state.trapped(h, &trap, &mut flush);
                return Err(Stop::Trap(trap));
            }
        }
        h.instret += b.insns.len() as u64;
        h.cycles += b.insns.len() as u64;
        self.calls.after(b, h);
        Ok(())
    }
}

impl Engine for Checking {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let shared = Rc::clone(&self.checker.0);
        let mut state = shared.borrow_mut();
        state.begin(h);
        let until = h.instret.saturating_add(budget);
        let stop = loop {
            let b = match self.block(h) {
                Ok(b) => b,
                Err(stop) => break stop,
            };
            state.arrive(h, b.start);
            if let Err(stop) = self.execute(&mut state, h, &b) {
                break stop;
            }
            if h.instret >= until {
                break Stop::Budget;
            }
        };
        self.calls.flush();
        h.mem.record_changes(true);
        stop
    }

    fn forget(&mut self, space: u64) {
        self.spaces.remove(&space);
    }

    fn switch(&mut self) {}

    fn change_space(&mut self) {}

    fn histogram(&self) -> Option<Histogram> {
        None
    }
}
