//! The core of `rtl/core` as built by Verilator, with memory around it, in lockstep with the simulator.

mod compare;
mod cosim;
mod counters;
mod csr_writes;
pub mod directed;
mod disassembly;
mod flight;
mod memory;
mod ports;
mod seed;
pub mod stimulus;
pub mod vector_stimulus;

pub(crate) use cosim::simulated;
pub use cosim::{Cosim, Ended};
pub use memory::{Access, Bus};
pub use ports::{DIRECTORIES, DLEN, DLENS, Model, Parameters, VLEN, VLENS};
