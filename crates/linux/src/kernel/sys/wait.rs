//! Waiting for children.

use super::Args;
use super::info::rusage;
use crate::base::errno::Errno;
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Restart, Wait};
use crate::process::{Ended, Life, Process};
use crate::signal::{Detail, SigInfo, code, sig};

/// Options (`include/uapi/linux/wait.h`).
mod option {
    pub const NOHANG: u32 = 1;
    pub const STOPPED: u32 = 2;
    pub const EXITED: u32 = 4;
    pub const CONTINUED: u32 = 8;
    pub const NOWAIT: u32 = 0x100_0000;
    /// `__WNOTHREAD`, `__WALL`, `__WCLONE`: accepted without effect. Children belong to a process, not to a thread.
    pub const CLONE: u32 = 0xe000_0000;
}

/// The children to wait for.
#[derive(Clone, Copy)]
enum Which {
    Any,
    Pid(i32),
    Group(i32),
}

impl Which {
    fn is(self, p: &Process) -> bool {
        match self {
            Which::Any => true,
            Which::Pid(pid) => p.pid == pid,
            Which::Group(group) => p.pgid == group,
        }
    }
}

/// A state change of a child.
struct Change {
    pid: i32,
    uid: u32,
    code: i32,
    /// Exit code or signal.
    status: i32,
    /// Status word of `wait4`.
    word: i32,
    cycles: u64,
}

/// The change that a child has to report.
fn change(k: &Kernel, p: &Process, options: u32) -> Option<Change> {
    let (code, status, word) = match (p.life, p.unreported) {
        (Life::Zombie(how), _) if options & option::EXITED != 0 => match how {
            Ended::Code(c) => (code::CLD_EXITED, c as i32, how.word()),
            Ended::Signal(s) => (code::CLD_KILLED, s, how.word()),
        },
        (Life::Stopped(s), Some(_)) if options & option::STOPPED != 0 => {
            (code::CLD_STOPPED, s, s << 8 | 0x7f)
        }
        (Life::Running, Some(_)) if options & option::CONTINUED != 0 => {
            (code::CLD_CONTINUED, sig::CONT, 0xffff)
        }
        _ => return None,
    };
    let cycles = k.cpu_time().process_cycles(p.pid) + p.child_cycles;
    Some(Change { pid: p.pid, uid: p.cred.uid.real, code, status, word, cycles })
}

/// Finds a change; without one, waits, or returns `None` with `WNOHANG`.
fn find_change(
    k: &mut Kernel,
    which: Which,
    options: u32,
) -> Result<Option<Change>, crate::kernel::Abort> {
    let me = k.thread().pid;
    let mut children =
        k.tasks.processes.values().filter(|p| p.ppid == me && which.is(p)).peekable();
    if children.peek().is_none() {
        return Err(Errno::ECHILD.into());
    }
    match children.find_map(|p| change(k, p, options)) {
        Some(found) => {
            if options & option::NOWAIT == 0 {
                reap(k, &found);
            }
            Ok(Some(found))
        }
        None if options & option::NOHANG != 0 => Ok(None),
        None => k.wait(Wait::Child, Restart::Restartable).map(|_| None),
    }
}

/// Marks a change as reported; reaps a zombie.
fn reap(k: &mut Kernel, c: &Change) {
    let Some(p) = k.tasks.processes.get_mut(&c.pid) else { return };
    p.unreported = None;
    if !p.is_alive() {
        k.tasks.processes.remove(&c.pid);
        k.process_mut().child_cycles += c.cycles;
    }
}

pub fn wait4(k: &mut Kernel, a: &Args) -> Sys {
    let options = a.word(2);
    let known = option::NOHANG | option::STOPPED | option::CONTINUED | option::CLONE;
    if options & !known != 0 {
        return Err(Errno::EINVAL.into());
    }
    let which = match a.int(0) {
        -1 => Which::Any,
        0 => Which::Group(k.process().pgid),
        i32::MIN => return Err(Errno::ESRCH.into()),
        group @ ..0 => Which::Group(-group),
        pid => Which::Pid(pid),
    };
    let Some(c) = find_change(k, which, options | option::EXITED)? else { return Ok(0) };
    if a.raw(1) != 0 {
        k.guest().put(a.raw(1), c.word)?;
    }
    if a.raw(3) != 0 {
        let usage = rusage(k, c.cycles, 0);
        k.guest().write(a.raw(3), &usage)?;
    }
    Ok(c.pid as u64)
}

pub fn waitid(k: &mut Kernel, a: &Args) -> Sys {
    const P_ALL: u32 = 0;
    const P_PID: u32 = 1;
    const P_PGID: u32 = 2;
    let options = a.word(3);
    let states = option::STOPPED | option::EXITED | option::CONTINUED;
    let known = option::NOHANG | option::NOWAIT | option::CLONE | states;
    if options & !known != 0 || options & states == 0 {
        return Err(Errno::EINVAL.into());
    }
    let which = match (a.word(0), a.int(1)) {
        (P_ALL, _) => Which::Any,
        (P_PID, pid @ 1..) => Which::Pid(pid),
        (P_PGID, 0) => Which::Group(k.process().pgid),
        (P_PGID, group @ 1..) => Which::Group(group),
        _ => return Err(Errno::EINVAL.into()),
    };
    let found = find_change(k, which, options)?;
    if a.raw(2) != 0 {
        let bytes = match &found {
            None => [0; crate::signal::SIGINFO_SIZE],
            Some(c) => {
                let detail =
                    Detail::Child((c.pid, c.uid), c.status, k.devices.clock.ticks(c.cycles));
                SigInfo { signal: sig::CHLD, code: c.code, detail }.encode()
            }
        };
        k.guest().write(a.raw(2), &bytes)?;
    }
    if a.raw(4) != 0 {
        let usage = rusage(k, found.map_or(0, |c| c.cycles), 0);
        k.guest().write(a.raw(4), &usage)?;
    }
    Ok(0)
}
