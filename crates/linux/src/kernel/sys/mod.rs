//! The system calls of riscv64 Linux.

mod cred;
mod fd;
mod futex;
mod hwprobe;
mod ids;
mod info;
mod inotify;
mod interface;
mod lock;
mod mm;
mod nothing;
mod path;
mod poll;
mod prctl;
mod process;
mod rw;
mod sched;
mod signal;
mod signalfd;
mod socket;
mod sysv;
mod table;
mod time;
mod timer;
pub mod vector;
mod wait;

pub use info::{HOSTNAME, RELEASE, VERSION};

use crate::kernel::{Abort, Kernel, Sys};
use crate::process::thread::Call;
use nothing::Check;
use sysv::{msg, sem, shm};
use table::Run;

/// The arguments of a system call.
#[derive(Clone, Copy, Debug)]
pub struct Args(pub [u64; 6]);

impl Args {
    /// As a register holds it: pointers and lengths.
    pub fn raw(&self, i: usize) -> u64 {
        self.0[i]
    }

    /// As `int`: descriptors and numbers.
    pub fn int(&self, i: usize) -> i32 {
        self.0[i] as i32
    }

    /// As `unsigned int`: flags.
    pub fn word(&self, i: usize) -> u32 {
        self.0[i] as u32
    }
}

/// Executes a system call of the current thread.
pub type Handler = fn(&mut Kernel, &Args) -> Sys;

/// Makes system call `number`; `None` if there is none, or this system lacks it.
pub fn call(k: &mut Kernel, number: u64, a: &Args) -> Option<Sys> {
    match &table::entry(number)?.run {
        Run::Lacks => None,
        Run::Calls(handler) => Some(handler(k, a)),
        Run::Idle(check, _) => Some(check.0(k, a).map(|()| 0).map_err(Abort::Errno)),
    }
}

/// A system call's name, if Linux has one of this number.
pub fn known_name(number: u64) -> Option<&'static str> {
    table::entry(number).map(|e| e.name)
}

/// A system call's name, for messages.
pub fn name_of(number: u64) -> &'static str {
    known_name(number).unwrap_or("an unknown system call")
}

/// What a system call has left to do when a signal handler ends its wait.
pub fn interrupted(k: &Kernel, call: &Call) {
    if known_name(call.number).is_some_and(|n| matches!(n, "nanosleep" | "clock_nanosleep")) {
        time::store_remaining(k, call);
    }
}

/// For calls that need a privilege that the guest does not have.
fn refuse(_: &mut Kernel, _: &Args) -> Sys {
    Err(crate::base::errno::Errno::EPERM.into())
}

/// For calls that programs try and do without: known, deliberately absent, and not worth a report.
fn absent(_: &mut Kernel, _: &Args) -> Sys {
    Err(crate::base::errno::Errno::ENOSYS.into())
}
