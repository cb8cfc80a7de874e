//! User-mode Linux for the simulator: processes, threads, signals, memory, files and time of a riscv64
//! system, over one modelled hart.
//!
//! A [`Machine`] is made from [`Options`] and an engine. One host thread runs everything. The guest's threads take
//! turns after a number of retired instructions, time is modelled cycles, and random bytes come from a seed, so a
//! run repeats to the last instruction.

#![warn(missing_docs)]

mod base;
pub mod fs;
mod kernel;
mod load;
mod machine;
mod net;
mod netlink;
mod process;
mod signal;
mod space;
mod sysv_ipc;

pub use base::errno;
pub use fs::Bind;
pub use kernel::run::{Notice, Notify, Status};
pub use kernel::sys::name_of as call_name;
pub use kernel::tracing::requests::{Event, ResumeRequest};
pub use kernel::{ClockMode, Concealed, Net};
pub use load::{ElfError, Unopened};
pub use machine::confine::{ConfineError, confine};
pub use machine::options::{Input, LoadError, Options, Output};
pub use machine::{Exit, Machine};
pub use signal::Fault;
