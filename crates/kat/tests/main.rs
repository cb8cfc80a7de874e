//! The tests of this crate are one program, because each program costs a link with the whole simulator.

mod capvec;
mod packaged;
mod provider;
mod startup;
