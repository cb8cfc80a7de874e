//! User-mode Linux for the simulator: processes, threads, signals, memory, files and time of a riscv64
//! system, over one modelled hart.
//!
//! A [`Machine`] is made from [`Options`] and an engine. One host thread runs everything. The guest's threads take
//! turns after a number of retired instructions, time is modelled cycles, and random bytes come from a seed, so a
//! run repeats to the last instruction.
//!
//! The guest's files are kept apart from the host's by `openat2` and `seccomp`, so the host must be Linux. On other hosts,
//! `elsewhere` takes the place of all modules but `interface`, and no machine can be made.

#![warn(missing_docs)]

#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "most is for the kernel"))]
mod base;
mod interface;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
pub mod fs;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod load;
#[cfg(target_os = "linux")]
mod machine;
#[cfg(target_os = "linux")]
mod net;
#[cfg(target_os = "linux")]
mod netlink;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod signal;
#[cfg(target_os = "linux")]
mod space;
#[cfg(target_os = "linux")]
mod sysv_ipc;

pub use base::errno;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Machine, call_name, confine};
pub use interface::{
    Bind, ClockMode, Concealed, ConfineError, ElfError, Event, Exit, Fault, Input, LoadError, Net,
    Notice, Notify, Options, Output, ResumeRequest, SetupError, Status, Unopened, check_host,
};
#[cfg(target_os = "linux")]
pub use kernel::sys::name_of as call_name;
#[cfg(target_os = "linux")]
pub use machine::{Machine, confine::confine};
