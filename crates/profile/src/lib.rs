//! Profiles: the instructions and modelled cycles of a run, by function and by call path. Nothing is sampled: engines
//! report every call, return and crossing from one function into another with their exact counters
//! (`capvec_sim::calls`), so the sum over a profile's nodes is the run's total.

#![warn(missing_docs)]

pub mod annotate;
mod image;
mod locate;
pub mod output;
mod recorder;
pub mod regions;
mod stack;
mod symbols;
mod tree;
mod unmodelled;

pub use locate::Locator;
pub use recorder::{Recorder, Shared};
pub use symbols::detached;
pub use tree::{Count, Function, Node, Profile};
