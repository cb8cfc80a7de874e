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
mod no_effect;
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
use no_effect::Check;
use sysv::{msg, sem, shm};
use table::Run;

/// The arguments of a system call.
#[derive(Clone, Copy, Debug)]
pub struct Args(pub [u64; 6]);

impl Args {
    /// The whole register: pointers and lengths.
    pub fn raw(&self, i: usize) -> u64 {
        self.0[i]
    }

    /// An `int`: descriptors and numbers.
    pub fn int(&self, i: usize) -> i32 {
        self.0[i] as i32
    }

    /// An `unsigned int`: flags.
    pub fn word(&self, i: usize) -> u32 {
        self.0[i] as u32
    }
}

/// Executes a system call of the current thread.
pub type Handler = fn(&mut Kernel, &Args) -> Sys;

/// Executes system call `number`; `None` if it does not exist, or is not implemented.
pub fn call(k: &mut Kernel, number: u64, a: &Args) -> Option<Sys> {
    match &table::entry(number)?.run {
        Run::Lacks => None,
        Run::Calls(handler) => Some(handler(k, a)),
        Run::Idle(check, _) => Some(check.0(k, a).map(|()| 0).map_err(Abort::Errno)),
    }
}

/// The name of a system call, if Linux has one with this number.
pub fn known_name(number: u64) -> Option<&'static str> {
    table::entry(number).map(|e| e.name)
}

/// The name of a system call, for messages.
pub fn name_of(number: u64) -> &'static str {
    known_name(number).unwrap_or("an unknown system call")
}

/// Completes a system call whose wait a signal handler has ended.
pub fn interrupted(k: &Kernel, call: &Call) {
    if known_name(call.number).is_some_and(|n| matches!(n, "nanosleep" | "clock_nanosleep")) {
        time::store_remaining(k, call);
    }
}

/// For calls that need a privilege that the guest never has.
fn refuse(_: &mut Kernel, _: &Args) -> Sys {
    Err(crate::base::errno::Errno::EPERM.into())
}

/// For calls that programs try but do not need: deliberately not implemented, and not reported.
fn absent(_: &mut Kernel, _: &Args) -> Sys {
    Err(crate::base::errno::Errno::ENOSYS.into())
}
