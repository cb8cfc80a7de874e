//! The system calls of riscv64 Linux.

mod cred;
mod fd;
mod futex;
mod hwprobe;
mod ids;
mod info;
mod inotify;
mod mm;
mod msg;
mod path;
mod poll;
mod prctl;
mod process;
mod rw;
mod sched;
mod sem;
mod shm;
mod signal;
mod socket;
mod sysv;
mod table;
mod time;
mod timer;
mod unix;
pub mod vector;
mod wait;

pub use info::{HOSTNAME, RELEASE, VERSION};

use crate::kernel::{Kernel, Sys};
use crate::thread::Call;

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

/// What implements system call `number`.
pub fn handler(number: u64) -> Option<Handler> {
    table::entry(number).and_then(|e| e.run)
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

/// For calls that succeed without effect here.
fn accept(_: &mut Kernel, _: &Args) -> Sys {
    Ok(0)
}

/// For calls that need a privilege that the guest does not have.
fn refuse(_: &mut Kernel, _: &Args) -> Sys {
    Err(crate::errno::Errno::EPERM.into())
}

/// For calls that programs try and do without: known, deliberately absent, and not worth a report.
fn absent(_: &mut Kernel, _: &Args) -> Sys {
    Err(crate::errno::Errno::ENOSYS.into())
}
