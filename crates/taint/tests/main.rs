//! Tests of this crate.

mod mutation;
mod soundness;
mod state;
mod tester;
