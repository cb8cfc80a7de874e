//! The engine: the reference interpreter's blocks and semantics, and updates of the shadow. While no register is secret,
//! another engine runs the program, which is stopped where that may change.

use crate::checker::{Checker, State};
use crate::numbers::NumberMap;
use crate::secret_code::SHORTEST;
use crate::unchecked::Unchecked;
use capvec_profile::Shared;
use capvec_sim::block::{self, Block, Built};
use capvec_sim::calls::Log;
use capvec_sim::engine::Histogram;
use capvec_sim::insn::Insn;
use capvec_sim::interp;
use capvec_sim::timing::Plan;
use capvec_sim::{Engine, Hart, Stop};
use std::rc::Rc;

/// Blocks of one address space.
#[derive(Default)]
struct Blocks {
    /// `Memory::code_version`, `Memory::decoding_version` and `Functions::version`.
    versions: (u64, u64, u64),
    all: NumberMap<u64, Rc<Block>>,
}

/// The engine of a check.
struct Checking {
    checker: Checker,
    calls: Log,
    spaces: NumberMap<u64, Blocks>,
    unchecked: Option<Unchecked>,
}

impl Checker {
    /// The engine. `unchecked` runs what touches no secret; it needs to be able to stop at addresses.
    pub fn engine(&self, unchecked: Option<Box<dyn Engine>>) -> Box<dyn Engine> {
        let observer = || Box::new(Shared(Rc::clone(&self.0.borrow().recorder)));
        let (calls, unchecked) =
            (Log::new(observer()), unchecked.and_then(|e| Unchecked::new(e, observer())));
        Box::new(Checking { checker: self.clone(), calls, spaces: NumberMap::default(), unchecked })
    }
}

impl Checking {
    /// The block at `h.pc`. It ends before the next function that matters, into which control may fall.
    fn block(&mut self, state: &State, h: &mut Hart) -> Result<Rc<Block>, Stop> {
        let blocks = self.spaces.entry(h.mem.id()).or_default();
        let functions = &state.functions;
        let versions = (h.mem.code_version(), h.mem.decoding_version(), functions.version);
        if blocks.versions != versions {
            blocks.all.clear();
            blocks.versions = versions;
        }
        if let Some(found) = blocks.all.get(&h.pc) {
            return Ok(Rc::clone(found));
        }
        let handlers = interp::table(h.config.xlen, true);
        let Built { mut insns, mut end, source } =
            match block::build(&h.mem, &h.config, handlers, h.pc) {
                Ok(built) => built,
                Err(trap) => {
                    h.trap = trap;
                    return Err(Stop::Trap(trap));
                }
            };
        let address = |i: &Insn| h.pc + u64::from(i.offset) * SHORTEST;
        let next = |i: &Insn| functions.watches(state.space, address(i));
        if let Some(k) = insns.iter().skip(1).position(next) {
            end = address(&insns[k + 1]);
            insns = insns[..=k].into();
        }
        let block =
            Rc::new(Block { start: h.pc, end, insns, source, plan: Plan::default(), entered: 0 });
        blocks.all.insert(h.pc, Rc::clone(&block));
        Ok(block)
    }

    /// Runs a block; the error is the trap that ended it.
    fn execute(&mut self, state: &mut State, h: &mut Hart, b: &Block) -> Result<(), Stop> {
        h.pc = b.end;
        let at = |i: &Insn| b.start + u64::from(i.offset) * SHORTEST;
        let secret = state.is_secret_code(b.start, b.end);
        for (k, i) in b.insns.iter().enumerate() {
            let pc = at(i);
            let mut flush = || self.calls.flush();
            if secret {
                state.fetch(h, pc, b.insns.get(k + 1).map_or(b.end, at), &mut flush);
            }
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
            if let Some(unchecked) = &mut self.unchecked
                && unchecked.may_run(&mut state)
            {
                self.calls.flush();
                match unchecked.run(&mut state, h, until - h.instret) {
                    Some(Stop::Trap(trap)) => {
                        state.trapped(h, &trap, &mut || {});
                        break Stop::Trap(trap);
                    }
                    Some(stop) => break stop,
                    None if h.instret >= until => break Stop::Budget,
                    None => {}
                }
            }
            let b = match self.block(&state, h) {
                Ok(b) => b,
                Err(stop) => {
                    let flush = &mut || self.calls.flush();
                    state.fetch(h, h.pc, h.pc.saturating_add(SHORTEST), flush);
                    break stop;
                }
            };
            state.arrive(h, b.start, &mut || self.calls.flush());
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
        if let Some(unchecked) = &mut self.unchecked {
            unchecked.engine.forget(space);
        }
    }

    fn switch(&mut self) {
        if let Some(unchecked) = &mut self.unchecked {
            unchecked.engine.switch();
        }
    }

    fn change_space(&mut self) {
        if let Some(unchecked) = &mut self.unchecked {
            unchecked.engine.change_space();
        }
    }

    fn histogram(&self) -> Option<Histogram> {
        None
    }
}
