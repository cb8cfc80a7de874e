//! Tests of this crate.

mod soundness;
mod state;
