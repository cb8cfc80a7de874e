//! Core files from measured or modelled tables of instructions: `capvec cores import`.
//!
//! A table says what single instructions take, by SEW and LMUL. What it does not say is taken from another core, and the
//! file says so at each parameter.

mod classes;
mod file;
mod form;
mod llvm_mca;
mod rvv_bench;
mod step_cost;
mod timing;

pub use file::{Imported, Vlen, import};
pub use form::Form;

#[cfg(test)]
mod tests;
