//! The vector crypto unit's RTL (`rtl/zvku`) in lockstep with the simulator.
//!
//! [`Model`] is the unit as Verilator makes it, behind a C ABI. [`Core`] stands around it for the vector core: registers,
//! beats of operands and results, stalls. [`stimulus`] makes random instructions, and [`lockstep`] runs them on both.

pub mod core;
mod library;
pub mod lockstep;
mod model;
pub mod stimulus;
mod verilator;

pub use crate::core::Core;
pub use model::{EXTENSIONS, Inputs, Model, Outputs, Parameters, Source, lint};
pub use verilator::Verilator;
