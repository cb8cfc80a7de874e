//! Text for people and programs: foreign text made safe to show, words for a shell, fields of a CSV, the digits of figures, names of
//! registers, and the name that was probably meant.
//!
//! Depends on no other crate of capvec, so that every crate can use it.

#![warn(missing_docs)]

pub mod abi;
pub mod csv;
pub mod digits;
pub mod escape;
pub mod file;
pub mod shell;
pub mod suggest;
