//! The core of `rtl/core` as Verilator makes it, with memory around it, and in lockstep with the simulator.

mod compare;
mod cosim;
mod memory;
mod model;
pub mod stimulus;
pub mod vectors;

pub use cosim::{Cosim, Ended};
pub use memory::{Bus, Touched};
pub use model::{Model, Parameters};
