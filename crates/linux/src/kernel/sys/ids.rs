//! Process IDs, process groups and sessions.

use super::Args;
use crate::base::errno::Errno;
use crate::fs::FileRef;
use crate::kernel::{Kernel, Sys};
use crate::process::Process;

/// Terminal control calls that concern process groups (`include/uapi/asm-generic/ioctls.h`).
const TIOCSCTTY: u32 = 0x540e;
const TIOCGPGRP: u32 = 0x540f;
const TIOCSPGRP: u32 = 0x5410;
const TIOCGSID: u32 = 0x5429;

pub fn getpid(k: &mut Kernel, _: &Args) -> Sys {
    Ok(k.thread().pid as u64)
}

pub fn gettid(k: &mut Kernel, _: &Args) -> Sys {
    Ok(k.tasks.current as u64)
}

pub fn getppid(k: &mut Kernel, _: &Args) -> Sys {
    Ok(k.process().ppid as u64)
}

/// The process with this number; 0 is the caller.
fn named(k: &Kernel, pid: i32) -> Result<&Process, Errno> {
    let pid = if pid == 0 { k.thread().pid } else { pid };
    k.tasks.processes.get(&pid).ok_or(Errno::ESRCH)
}

pub fn getpgid(k: &mut Kernel, a: &Args) -> Sys {
    Ok(named(k, a.int(0))?.pgid as u64)
}

pub fn getsid(k: &mut Kernel, a: &Args) -> Sys {
    Ok(named(k, a.int(0))?.sid as u64)
}

pub fn setpgid(k: &mut Kernel, a: &Args) -> Sys {
    let me = k.process();
    let (my_pid, my_sid) = (me.pid, me.sid);
    let target = named(k, a.int(0))?;
    let group = if a.int(1) == 0 { target.pid } else { a.int(1) };
    if group < 0 {
        return Err(Errno::EINVAL.into());
    }
    let child = target.ppid == my_pid;
    if target.pid != my_pid && !child {
        return Err(Errno::ESRCH.into());
    }
    if child && target.has_execed {
        return Err(Errno::EACCES.into());
    }
    let exists = k.tasks.processes.values().any(|p| p.pgid == group && p.sid == my_sid);
    if target.sid != my_sid || target.sid == target.pid || (group != target.pid && !exists) {
        return Err(Errno::EPERM.into());
    }
    let pid = target.pid;
    if let Some(p) = k.tasks.processes.get_mut(&pid) {
        p.pgid = group;
    }
    Ok(0)
}

pub fn setsid(k: &mut Kernel, _: &Args) -> Sys {
    let pid = k.thread().pid;
    if k.tasks.processes.values().any(|p| p.pgid == pid) {
        return Err(Errno::EPERM.into());
    }
    let p = k.process_mut();
    (p.sid, p.pgid) = (pid, pid);
    Ok(pid as u64)
}

/// The terminal calls that concern process groups; `None` for any other.
pub fn terminal_ioctl(k: &mut Kernel, file: &FileRef, command: u32, arg: u64) -> Option<Sys> {
    if !matches!(command, TIOCGPGRP | TIOCSPGRP | TIOCSCTTY | TIOCGSID) {
        return None;
    }
    Some(on_terminal(k, file, command, arg))
}

fn on_terminal(k: &mut Kernel, file: &FileRef, command: u32, arg: u64) -> Sys {
    if !file.object().host_stream().is_terminal() {
        return Err(Errno::ENOTTY.into());
    }
    match command {
        TIOCGPGRP => k.guest().put(arg, k.tasks.foreground)?,
        TIOCGSID => k.guest().put(arg, k.process().sid)?,
        TIOCSPGRP => {
            let group: i32 = k.guest().get(arg)?;
            if !k.tasks.processes.values().any(|p| p.pgid == group) {
                return Err(Errno::ESRCH.into());
            }
            k.tasks.foreground = group;
        }
        // TIOCSCTTY: there is one terminal.
        _ => {}
    }
    Ok(0)
}
