//! The tests of this crate are one program, because each program costs a link with the whole simulator.

mod alignment;
mod crypto;
mod fp;
mod rig;
mod rv32;
mod v_int;
mod vmem;
