//! Differential testing of the simulator against QEMU: random programs over the whole instruction table run
//! here and there, and everything that they leave is compared.
//!
//! A batch is one static ELF executable with a thousand programs (`link`). The harness in it runs each from
//! many states, one after the other, and leaves a digest of all that the runs leave (`harness`). Where digests
//! differ, the run and the instruction that make the difference are found by records of everything
//! (`isolate`), held against the known differences (`known`), and shrunk (`shrink`).

mod asm;
pub mod campaign;
mod case;
mod coverage;
mod elf;
mod generate;
mod harness;
mod isolate;
pub mod known;
mod layout;
mod link;
mod operands;
mod pool;
mod record;
pub mod regression;
pub mod run;
#[cfg(feature = "sabotage")]
pub mod sabotage;
mod scratch;
pub mod show;
mod shrink;
pub mod spike;
pub mod target;
mod values;
