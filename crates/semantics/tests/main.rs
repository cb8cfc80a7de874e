//! The tests of the crate from outside, as one program.
#![allow(clippy::unwrap_used)]
mod generated;
mod hostile;
mod keccak;
mod language;
mod operators;
mod support;
