//! The tests of this crate are one program, because each program costs a link with the whole simulator.

mod cores;
mod misaligned;
mod replay;
mod schema;
mod settings;
mod small_programs;
