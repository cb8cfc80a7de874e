//! The tests of this crate are one program, because each program costs a link with the whole simulator.

mod calls;
mod common;
mod confine;
mod engines;
mod fs_layers;
mod host_time;
mod hostile;
mod layers;
mod load;
mod memory;
mod processor;
mod programs;
mod signals;
