//! Tests of this crate.

mod output;
mod recorder;
mod symbols;
