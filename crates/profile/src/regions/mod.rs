//! Regions of a run: the instructions and cycles of a function with everything it calls, of the code between two marks, or of the code
//! between two readings of counters.
//!
//! The reference interpreter runs the program, with a core model that counts what is executed (`engine`), or the translating engine counts in
//! sets (`sorted`). Instructions and cycles are exact: they are the differences that the counters would show.

mod counts;
mod engine;
mod model;
mod sorted;
mod state;
mod text;
mod threads;
mod wanted;
mod within;

pub use counts::{Counts, Lengths};
pub use engine::RegionEngine;
pub use sorted::SortedRegions;
pub use text::{json, text};
pub use wanted::{COUNTERS, MARKS, Wanted};

/// A region and what it executed.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// What it executed.
    pub counts: Counts,
}
