//! Cores that execute the same instructions with the same hits and misses, and differ only in what these cost: the driver runs on
//! two of them, and what it did is replayed on all.
//!
//! The figures are those of runs on each core. A replay is taken only if nothing of it can depend on time, both runs did the same,
//! and the replays on both cores give exactly what the driver printed there. Otherwise each core measures for itself.

mod family;
mod reads;

pub use family::{FEWEST, Family, Member};
