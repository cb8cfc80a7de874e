//! Records what a model observes of a run, and replays it through models with other parameters: the same instructions, other
//! cycles.
//!
//! A replay is exact if the run does not depend on time; [`Process`] has what is needed to judge that. It calls the same front
//! end, data memory and vector unit as an engine does, in the same order.

mod engine;
mod log;
mod passage;
mod recording;
mod replayed;
mod resolved;

pub use engine::engine;
pub use passage::Counter;
pub use recording::{Process, Recording};
pub use replayed::Replay;
pub use resolved::{Resolution, Shapes};
