//! Annotation: for each instruction, how often it was executed, and what its cycles were spent on.
//!
//! The reference interpreter runs the program, with a core model that notes each of its costs. The sum over all
//! instructions is the run's cycles.

mod engine;
mod listing;
mod misaligned;
mod notes;

pub use engine::Annotator;
pub use listing::{Listing, Unknown};

use std::ops::AddAssign;

/// Cycles of an instruction, by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Issue, including waits for the results of earlier instructions.
    pub issue: u64,
    /// Waiting for instructions to be fetched, charged to the first instruction of a block.
    pub fetch: u64,
    /// Redirections, charged to the branch or jump that causes them, or to the first instruction after a trap.
    pub redirect: u64,
    /// Data accesses of scalar instructions.
    pub data: u64,
    /// Waiting for the vector unit, including its accesses.
    pub vector: u64,
}

impl Costs {
    /// All cycles.
    pub fn total(&self) -> u64 {
        self.issue + self.fetch + self.redirect + self.data + self.vector
    }
}

impl AddAssign for Costs {
    fn add_assign(&mut self, other: Costs) {
        self.issue += other.issue;
        self.fetch += other.fetch;
        self.redirect += other.redirect;
        self.data += other.data;
        self.vector += other.vector;
    }
}

/// What is known about an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its bits.
    pub word: u32,
    /// How often it retired.
    pub count: u64,
    /// Its cycles.
    pub costs: Costs,
    /// Its accesses that were not aligned; the elements of vector instructions count one by one.
    pub misaligned: u64,
}
