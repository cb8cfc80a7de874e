//! The tests of this crate are one program, because each program costs a link with the whole simulator.

mod cleared;
mod common;
mod hart;
mod lockstep;
mod mutants;
mod parameters;
mod scripts;
mod style;
mod unit;
mod zkr;
