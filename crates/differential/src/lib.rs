//! Differential testing of the simulator against QEMU: runs random programs over the whole instruction table on both
//! and compares everything that they leave.
//!
//! A batch is one static ELF executable with hundreds of programs (`link`). Its harness runs each from many states and
//! leaves a digest of what all the runs leave (`harness`). Where digests differ, complete results identify the run
//! and the instruction (`isolate`); the difference is then checked against the known ones (`known_differences`) and
//! shrunk (`shrink`).
//!
//! `spike` compares with the commit log of riscv-isa-sim ("Spike"), instruction by instruction.

#![warn(missing_docs)]

mod asm;
pub mod both_sides;
pub mod campaign;
mod case;
mod coverage;
mod elf;
mod generate;
mod harness;
mod initial_states;
mod isolate;
mod job_result;
pub mod known_differences;
mod layout;
mod link;
mod operands;
pub mod regression;
#[cfg(feature = "sabotage")]
pub mod sabotage;
mod scratch;
pub mod show;
mod shrink;
pub mod signals;
pub mod spike;
pub mod tally;
pub mod target;
mod values;
