//! The lock commands of fcntl(2) on `struct flock` (fs/locks.c of Linux).

use std::rc::Rc;

use super::OpenFile;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{fcntl as cmd, seek};
use crate::fs::locks::FileLocks;
use crate::fs::locks::record_lock::{END, LockOwner, RecordLock, Span};

/// Size of `struct flock` on riscv64.
pub const FLOCK_SIZE: usize = 32;

/// Lock types.
const RDLCK: u16 = 0;
const WRLCK: u16 = 1;
const UNLCK: u16 = 2;

/// The process that asks for a lock.
#[derive(Clone, Copy, Debug)]
pub struct Locker {
    /// The number of its file descriptor table.
    pub table: u64,
    /// The process.
    pub pid: i32,
}

/// The result of a request.
pub enum Locked {
    /// It is done; `GETLK` has changed its argument.
    Done,
    /// Another owner's lock conflicts.
    Blocked(LockWait),
}

/// A lock that its owner waits for.
pub struct LockWait {
    locks: Rc<FileLocks>,
    lock: RecordLock,
}

impl LockWait {
    /// The owner that waits.
    #[must_use]
    pub fn owner(&self) -> LockOwner {
        self.lock.owner
    }

    /// The owner of the conflicting lock.
    #[must_use]
    pub fn blocker(&self) -> Option<LockOwner> {
        self.locks.ranges.conflict(&self.lock).map(|lock| lock.owner)
    }
}

/// The bytes that `l_whence`, `l_start` and `l_len` name.
fn span(file: &OpenFile, whence: u16, start: i64, len: i64) -> Result<Span> {
    let base = match u32::from(whence) {
        seek::SET => 0,
        // A file without positions counts as being at its start.
        seek::CUR => file.lseek(0, seek::CUR).unwrap_or(0) as i64,
        seek::END => file.stat()?.size as i64,
        _ => return Err(Errno::EINVAL),
    };
    let first = base.checked_add(start).ok_or(Errno::EOVERFLOW)?;
    let (first, last) = match len {
        0 => (first, END),
        1.. => (first, first.max(0).checked_add(len - 1).ok_or(Errno::EOVERFLOW)?),
        // The bytes before.
        _ => (first.checked_add(len).ok_or(Errno::EINVAL)?, first.wrapping_sub(1)),
    };
    if first < 0 { Err(Errno::EINVAL) } else { Ok(Span { first, last }) }
}

/// Executes a lock command.
///
/// # Errors
/// `EINVAL` for an invalid lock type, origin or range; `EOVERFLOW`; `EBADF` when the file's access mode does not allow
/// the lock; `ENOLCK` beyond the guest's memory.
pub fn fcntl_lock(
    file: &OpenFile,
    command: u32,
    flock: &mut [u8; FLOCK_SIZE],
    locker: Locker,
) -> Result<Locked> {
    let long = |at: usize| i64::from_le_bytes(std::array::from_fn(|i| flock[at + i]));
    let kind = u16::from_le_bytes([flock[0], flock[1]]);
    let whence = u16::from_le_bytes([flock[2], flock[3]]);
    let ask = matches!(command, cmd::GETLK | cmd::OFD_GETLK);
    let by_description = matches!(command, cmd::OFD_GETLK | cmd::OFD_SETLK | cmd::OFD_SETLKW);
    if file.is_path() {
        return Err(Errno::EBADF);
    }
    if command == cmd::GETLK && kind == UNLCK {
        return Err(Errno::EINVAL);
    }
    let span = span(file, whence, long(8), long(16))?;
    match kind {
        RDLCK if !ask && !file.readable() => return Err(Errno::EBADF),
        WRLCK if !ask && !file.writable() => return Err(Errno::EBADF),
        RDLCK | WRLCK | UNLCK => {}
        _ => return Err(Errno::EINVAL),
    }
    let pid = i32::from_le_bytes(std::array::from_fn(|i| flock[24 + i]));
    if by_description && pid != 0 {
        return Err(Errno::EINVAL);
    }
    let owner = if by_description {
        LockOwner::Description(file.number())
    } else {
        LockOwner::Table(locker.table)
    };
    let lock = RecordLock { owner, pid: locker.pid, exclusive: kind == WRLCK, span };
    let Some(locks) = file.locks() else {
        if ask {
            flock[..2].copy_from_slice(&UNLCK.to_le_bytes());
        }
        return Ok(Locked::Done);
    };
    if ask {
        let found = match kind {
            UNLCK => locks.ranges.own_lock(owner, span),
            _ => locks.ranges.conflict(&lock),
        };
        report(flock, found);
    } else if kind != UNLCK && locks.ranges.conflict(&lock).is_some() {
        return Ok(Locked::Blocked(LockWait { locks: Rc::clone(locks), lock }));
    } else if locks.ranges.set(&lock, kind != UNLCK)? {
        file.object().recorded().note_unlocked();
    }
    Ok(Locked::Done)
}

/// Writes the lock that `GETLK` has found; if there is none, only the type changes.
fn report(flock: &mut [u8; FLOCK_SIZE], found: Option<RecordLock>) {
    let Some(RecordLock { owner, pid, exclusive, span }) = found else {
        flock[..2].copy_from_slice(&UNLCK.to_le_bytes());
        return;
    };
    let kind = if exclusive { WRLCK } else { RDLCK };
    let len = if span.last == END { 0 } else { span.last - span.first + 1 };
    // A description belongs to no process.
    let pid = if matches!(owner, LockOwner::Description(_)) { -1 } else { pid };
    flock[..2].copy_from_slice(&kind.to_le_bytes());
    flock[2..4].copy_from_slice(&(seek::SET as u16).to_le_bytes());
    flock[8..16].copy_from_slice(&span.first.to_le_bytes());
    flock[16..24].copy_from_slice(&len.to_le_bytes());
    flock[24..28].copy_from_slice(&pid.to_le_bytes());
}
