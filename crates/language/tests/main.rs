//! The tests of the crate from outside, as one program.

mod docs;
mod errors;
mod generated;
mod hostile;
mod keccak;
mod language;
mod loads_stores;
mod meaning;
mod operators;
mod ranges;
mod support;
