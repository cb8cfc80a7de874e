//! The core of `rtl/core` as built by Verilator, with memory around it, in lockstep with the simulator.

mod compare;
mod cosim;
mod disassembly;
mod memory;
mod ports;
pub mod stimulus;
pub mod vector_stimulus;

pub use cosim::{Cosim, Ended};
pub use memory::{Bus, Touched};
pub use ports::{Model, Parameters};
