//! File locks: of whole files (`flock`) and of byte ranges (`fcntl`).

use super::Args;
use crate::base::errno::Errno;
use crate::fs::abi::fcntl as cmd;
use crate::fs::{FLOCK_SIZE, FileRef, LockOwner, LockWait, Locked, Locker, fcntl_lock};
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Restart, Thread, Wait, Wake};

/// `flock(fd, operation)`.
pub fn flock(k: &mut Kernel, a: &Args) -> Sys {
    const SHARED: u32 = 1;
    const EXCLUSIVE: u32 = 2;
    const DO_NOT_WAIT: u32 = 4;
    const UNLOCK: u32 = 8;
    let file = k.file(a.int(0))?;
    let wanted = match a.word(1) & !DO_NOT_WAIT {
        SHARED => Some(false),
        EXCLUSIVE => Some(true),
        UNLOCK => None,
        _ => return Err(Errno::EINVAL.into()),
    };
    match file.lock(wanted) {
        Ok(()) => Ok(0),
        Err(Errno::EAGAIN) if a.word(1) & DO_NOT_WAIT == 0 => {
            k.wait(Wait::Files, Restart::Restartable)
        }
        Err(e) => Err(e.into()),
    }
}

/// The lock commands of `fcntl`; `None` for any other.
pub fn fcntl(k: &mut Kernel, file: &FileRef, command: u32, arg: u64) -> Option<Sys> {
    match command {
        cmd::GETLK | cmd::OFD_GETLK | cmd::SETLK | cmd::OFD_SETLK => {}
        cmd::SETLKW | cmd::OFD_SETLKW => {}
        _ => return None,
    }
    Some(record_lock(k, file, command, arg))
}

fn record_lock(k: &mut Kernel, file: &FileRef, command: u32, arg: u64) -> Sys {
    k.thread_mut().lock_wait = None;
    let mut flock = [0; FLOCK_SIZE];
    k.guest().copy(arg, &mut flock)?;
    // Type and whence, start and length, process; the rest is padding.
    for (at, len) in [(0, 4), (8, 16), (24, 4)] {
        k.tasks.reads.note(arg.wrapping_add(at), len);
    }
    let locker = Locker { table: k.process().fds.borrow().number(), pid: k.thread().pid };
    match fcntl_lock(file, command, &mut flock, locker)? {
        Locked::Done => {
            if matches!(command, cmd::GETLK | cmd::OFD_GETLK) {
                k.guest().write(arg, &flock)?;
            }
            Ok(0)
        }
        Locked::Blocked(wait) if matches!(command, cmd::SETLKW | cmd::OFD_SETLKW) => {
            if is_deadlock(k, &wait) {
                return Err(Errno::EDEADLK.into());
            }
            k.thread_mut().lock_wait = Some(wait);
            k.wait(Wait::Files, Restart::Restartable)
        }
        Locked::Blocked(_) => Err(Errno::EAGAIN.into()),
    }
}

/// Whether the wait would close a cycle of owners that wait for each other. As on Linux, locks of open file
/// descriptions do not count, since it is unknown which process will release them.
fn is_deadlock(k: &Kernel, wanted: &LockWait) -> bool {
    let waits = |t: &Thread| t.call.is_some_and(|call| call.wake != Wake::Signal);
    let waiting: Vec<&LockWait> = k
        .tasks
        .threads
        .values()
        .filter(|t| waits(t))
        .filter_map(|t| t.lock_wait.as_ref())
        .collect();
    let is_table = |owner: &LockOwner| matches!(owner, LockOwner::Table(_));
    let mut seen: Vec<LockOwner> = Vec::new();
    let mut next: Vec<LockOwner> = wanted.blocker().into_iter().collect();
    while let Some(owner) = next.pop().filter(|_| is_table(&wanted.owner())) {
        if owner == wanted.owner() {
            return true;
        }
        if is_table(&owner) && !seen.contains(&owner) {
            seen.push(owner);
            let of_owner = waiting.iter().filter(|wait| wait.owner() == owner);
            next.extend(of_owner.filter_map(|wait| wait.blocker()));
        }
    }
    false
}
