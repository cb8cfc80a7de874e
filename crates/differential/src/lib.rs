//! Differential testing of the simulator against QEMU: random programs over the whole instruction table run
//! here and there, and everything that they leave is compared.
//!
//! A batch is one static ELF executable with thousands of cases (`link`). The harness in it loads a case's
//! state, runs its instructions, and stores the state (`harness`). What differs is brought down to one
//! instruction (`isolate`), held against the known differences (`known`), and shrunk (`shrink`).

mod asm;
pub mod campaign;
mod case;
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
mod scratch;
pub mod show;
mod shrink;
pub mod target;
mod values;
