//! What runs instructions: the interface that the system emulation sees.

use crate::hart::Hart;
use crate::trap::Trap;

/// Why an engine returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget is used up, at a block's boundary.
    Budget,
    /// An instruction trapped; `Hart::pc` is its address, and it did not retire.
    Trap(Trap),
}

/// Counts of executed instructions, by what the table says of them.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// Retired, by `Op`.
    pub by_op: Vec<u64>,
}

/// Runs a hart's instructions.
pub trait Engine {
    /// Runs until at least `budget` more instructions have retired, or a trap. Stops at block boundaries
    /// only, so a run does not depend on how it is cut into calls beyond that.
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop;

    /// The address space is gone.
    fn forget(&mut self, space: u64);

    /// Another context goes on.
    fn switch(&mut self);

    /// Another address space begins or goes on.
    fn change_space(&mut self);

    /// What has executed, if the engine was asked to count it.
    fn histogram(&self) -> Option<Histogram>;
}
