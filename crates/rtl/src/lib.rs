//! The RTL of the vector crypto unit (`rtl/zvku`) and of the core around it (`rtl/core`), in lockstep with the simulator.
//!
//! [`Model`] is the unit as Verilator makes it, behind a C ABI. [`Core`] stands around it for the vector core: registers,
//! beats of operands and results, stalls. [`stimulus`] makes random instructions, and [`lockstep`] runs them on both.
//! [`hart`] is the core, which runs programs.

mod build;
pub mod core;
pub mod hart;
mod library;
pub mod lockstep;
mod model;
pub mod mutate;
pub mod stimulus;
mod verilator;

pub use crate::core::Core;
pub use build::{Design, Source};
pub use model::{EXTENSIONS, Inputs, Model, Outputs, Parameters};
pub use verilator::Verilator;
