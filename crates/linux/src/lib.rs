//! User-mode Linux for the simulator: processes, threads, signals, memory, files and time of a riscv64
//! system, over one modelled hart.
//!
//! A [`Machine`] is made from [`Options`] and an engine, and run. One host thread runs everything. Threads
//! of the guest take turns by retired instructions, time is modelled cycles, random bytes come from a seed:
//! so a run can be repeated to the last instruction.

mod charge;
pub mod clock;
mod confine;
mod cred;
pub mod errno;
mod exec;
mod fault;
pub mod fs;
mod futex;
mod idle;
mod ipc;
mod kernel;
mod life;
mod limits;
mod load;
mod machine;
mod net;
mod netlink;
mod notice;
mod options;
mod process;
mod process_timers;
mod procfs;
mod sched;
mod signal;
mod space;
mod stream;
mod sys;
mod thread;
mod timers;
mod trap;
mod uaccess;

pub use confine::{ConfineError, confine};
pub use fs::Bind;
pub use kernel::Status;
pub use load::{ElfError, Unopened};
pub use machine::{Exit, Machine};
pub use notice::Notice;
pub use options::{ClockMode, Concealed, Input, LoadError, Net, Notify, Options, Output};
