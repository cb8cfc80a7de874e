//! The system calls of riscv64 Linux.

mod args;
mod call_table;
mod clone;
mod cred;
mod execve;
mod exit;
mod fd;
mod futex;
mod hwprobe;
mod ids;
mod info;
mod inotify;
mod interface;
mod lock;
mod mmap;
mod no_effect;
mod path;
mod poll;
mod prctl;
mod read_write;
mod refused;
mod sched;
mod signal;
mod signalfd;
mod socket;
mod sysv;
mod time;
mod timer;
mod wait;

pub use args::Args;
pub use call_table::{known_name, name_of};
pub use info::{HOSTNAME, RELEASE, VERSION};

use crate::kernel::{Abort, Kernel, Sys};
use crate::process::thread::Call;
use call_table::{Run, entry};
use no_effect::Check;

/// Executes system call `number`; `None` if it does not exist, or is not implemented.
pub fn call(k: &mut Kernel, number: u64, a: &Args) -> Option<Sys> {
    match &entry(number)?.run {
        Run::Lacks => None,
        Run::Calls(handler) => Some(handler(k, a)),
        Run::Idle(Check(arguments, check), _) => {
            a.use_all(*arguments);
            Some(check(k, a).map(|()| 0).map_err(Abort::Errno))
        }
    }
}

/// Completes a system call whose wait a signal handler has ended.
pub fn interrupted(k: &Kernel, call: &Call) {
    let relative = call.args[1] as u32 & time::ABSTIME == 0;
    match known_name(call.number) {
        Some("nanosleep") => time::store_remaining(k, call, call.args[1]),
        Some("clock_nanosleep") if relative => time::store_remaining(k, call, call.args[3]),
        _ => {}
    }
}
