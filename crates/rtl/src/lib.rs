//! The RTL of the vector crypto unit (`rtl/zvku`) and of the core around it (`rtl/core`), in lockstep with the simulator.
//!
//! [`Model`] is the unit as built by Verilator, called through C functions. [`Harness`] takes the place of the vector core
//! around it: registers, beats of operands and results, stalls. [`stimulus`] generates random instructions, and [`lockstep`] runs them
//! on the unit and the simulator. [`hart`] is the core, which runs programs.

#![warn(missing_docs)]

mod build;
mod code;
mod compared;
pub mod figures;
pub mod harness;
pub mod hart;
pub mod lockstep;
pub mod model;
pub mod mutant_schemata;
pub mod mutate;
mod ports;
mod published;
pub mod stimulus;
pub mod style;
mod terms;
mod verilator;
pub mod zkr;

pub use crate::harness::Harness;
pub use build::{Design, Source};
pub use compared::Compared;
pub use ports::{DRAFTS, EXTENSIONS, Inputs, Model, Outputs, Parameters};
pub use verilator::Verilator;

use anyhow::{Result, ensure};
use std::path::PathBuf;

/// Names a checkout of capvec other than the one that the program was built from.
const CHECKOUT: &str = "CAPVEC_CHECKOUT";

/// The checkout that the program was built from. Packages name a place that does not depend on where they were built.
const BUILT_FROM: &str = match option_env!("CAPVEC_BUILT_FROM") {
    Some(place) => place,
    None => concat!(env!("CARGO_MANIFEST_DIR"), "/../.."),
};

/// The checkout of capvec with `rtl/` and `crypto/`.
///
/// # Errors
/// There is no checkout; the message says how to name one.
pub fn checkout() -> Result<PathBuf> {
    let named = std::env::var_os(CHECKOUT).filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let root = named.unwrap_or_else(|| PathBuf::from(BUILT_FROM));
    ensure!(
        root.join("rtl/core/zvcore.sv").is_file(),
        "there is no rtl/core in {}; set {CHECKOUT} to a checkout of capvec",
        root.display()
    );
    Ok(root)
}
