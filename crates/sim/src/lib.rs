//! The simulator: a RISC-V hart, its memory, the semantics of every instruction of the table, and the
//! reference interpreter.

#![warn(missing_docs)]

pub mod alignment;
pub mod block;
pub mod calls;
mod config;
pub mod crypto;
pub mod csr;
mod csr_access;
pub mod debug;
pub mod engine;
mod exec;
pub mod fp;
pub mod hart;
pub mod host;
pub mod insn;
pub mod interp;
pub mod machine;
pub mod mem;
pub mod mode;
mod privilege;
#[cfg(feature = "sabotage")]
pub mod sabotage;
pub mod step;
#[doc(hidden)]
pub mod testing;
pub mod timing;
pub mod trap;
pub mod vector;

pub use engine::{Engine, Stop};
pub use exec::{Semantics, install};
pub use hart::{Config, Hart};
pub use interp::Interpreter;
pub use mem::Memory;
pub use trap::{Cause, Trap, Why};
