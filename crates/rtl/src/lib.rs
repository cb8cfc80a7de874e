//! The RTL of the vector crypto unit (`rtl/zvku`) and of the core around it (`rtl/core`), in lockstep with the simulator.
//!
//! [`Model`] is the unit as built by Verilator, called through C functions. [`Core`] takes the place of the vector core around
//! it: registers, beats of operands and results, stalls. [`stimulus`] generates random instructions, and [`lockstep`] runs them
//! on the unit and the simulator. [`hart`] is the core, which runs programs.

#![warn(missing_docs)]

mod build;
pub mod hart;
pub mod lockstep;
pub mod model;
pub mod mutate;
mod ports;
pub mod stimulus;
pub mod vector_core;
mod verilator;

pub use crate::vector_core::Core;
pub use build::{Design, Source};
pub use ports::{DRAFTS, EXTENSIONS, Inputs, Model, Outputs, Parameters};
pub use verilator::Verilator;
