//! Runs code that touches no secret, at the speed of an engine that checks nothing.
//!
//! No register is secret then, and pages with secrets are hidden from the engine: it stops at the first access to one.

use crate::checker::State;
use capvec_sim::calls::Observer;
use capvec_sim::debug::Controls;
use capvec_sim::mem::{Hidden, PAGE};
use capvec_sim::{Cause, Engine, Hart, Stop, Trap};

/// The engine runs again after this many blocks in a row that accessed no page with secrets.
const CALM: u32 = 256;

/// The engine, and when it may run.
pub struct Unchecked {
    pub engine: Box<dyn Engine>,
    controls: Controls,
    calm: u32,
}

impl Unchecked {
    /// `None` if the engine cannot do what is needed.
    pub fn new(mut engine: Box<dyn Engine>, observer: Box<dyn Observer>) -> Option<Unchecked> {
        let controls = Controls::default();
        let able = engine.debug(&controls) && engine.report_calls(observer);
        able.then_some(Unchecked { engine, controls, calm: CALM })
    }

    /// Whether it may run from the start of this block on.
    pub fn may_run(&mut self, state: &mut State) -> bool {
        self.calm = if state.shadow.take_touched() { 0 } else { self.calm.saturating_add(1) };
        self.calm > CALM && state.is_quiet()
    }

    /// Runs until something may become secret: `None`. Otherwise returns why the run has stopped.
    pub fn run(&mut self, state: &mut State, h: &mut Hart, budget: u64) -> Option<Stop> {
        let stops = state.stops(h);
        if stops != self.controls.breakpoints {
            self.controls.breakpoints = stops;
            self.engine.debug(&self.controls);
        }
        let pages = state.shadow.pages().iter();
        let hidden: Vec<Hidden> = pages.filter_map(|page| h.mem.hide(*page)).collect();
        let stop = self.engine.run(h, budget);
        let secret = matches!(stop, Stop::Trap(trap) if accesses(&hidden, &trap));
        hidden.into_iter().for_each(|page| h.mem.show(page));
        if !secret && !matches!(stop, Stop::Paused(_)) {
            return Some(stop);
        }
        // It may have stopped within a block: the checker executes the rest.
        self.engine.switch();
        self.calm = 0;
        None
    }
}

/// Whether the trap is an access to one of these pages.
fn accesses(hidden: &[Hidden], trap: &Trap) -> bool {
    let access = matches!(trap.cause, Cause::LoadPage | Cause::StorePage);
    access && hidden.iter().any(|page| page.addr() == trap.tval / PAGE * PAGE)
}
