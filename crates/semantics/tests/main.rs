//! The tests of the crate from outside, as one program.

mod docs;
mod errors;
mod generated;
mod hostile;
mod keccak;
mod language;
mod meaning;
mod memory;
mod operators;
mod support;
