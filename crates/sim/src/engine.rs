//! The interface of engines, which run a hart's instructions for the system emulation.

use crate::calls::Observer;
use crate::debug::{Controls, Pause};
use crate::hart::Hart;
use crate::trap::Trap;

/// Why an engine returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget is used up, at a block boundary.
    Budget,
    /// An instruction trapped; `Hart::pc` is its address, and it did not retire.
    Trap(Trap),
    /// For the debugger, before or after any instruction; see `Engine::debug`.
    Paused(Pause),
}

/// Counts of retired instructions.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// Retired instructions, by `Op`.
    pub by_op: Vec<u64>,
}

/// Runs a hart's instructions.
pub trait Engine {
    /// Runs until at least `budget` more instructions have retired, or until a trap. Stops only at block boundaries,
    /// so apart from that a run does not depend on how it is divided into calls.
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop;

    /// Drops everything about an address space, which no longer exists. `space` is its `Memory::id`.
    fn forget(&mut self, space: u64);

    /// Switches to another context of the same address space: pipeline state is lost.
    fn switch(&mut self);

    /// Switches to another address space: caches and predictors are lost, too.
    fn change_space(&mut self);

    /// Reports calls to the observer from now on. Called before the engine has run anything. Returns false if the engine
    /// cannot report them.
    fn report_calls(&mut self, _: Box<dyn Observer>) -> bool {
        false
    }

    /// Pauses runs as these controls demand from now on; earlier ones no longer apply. Returns false if the engine cannot be
    /// debugged. A run that starts where the last one was paused executes at least one instruction. With a budget of 0, it
    /// executes only the rest of a block in which the last run was paused.
    fn debug(&mut self, _: &Controls) -> bool {
        false
    }

    /// Counts of retired instructions, if the engine was made to keep them.
    fn histogram(&self) -> Option<Histogram>;
}
