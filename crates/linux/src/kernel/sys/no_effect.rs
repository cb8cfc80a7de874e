//! Argument checks of calls that succeed without effect. For each such call, `idle` in the table of system calls says
//! what Linux would do, and why no effect is right here.

use super::Args;
use super::mmap;
use crate::base::errno::{Errno, Result};
use crate::fs::FileRef;
use crate::fs::abi::s;
use crate::kernel::Kernel;

/// The argument check of such a call, and the number of its arguments: Linux acts on all of them.
pub struct Check(pub usize, pub fn(&mut Kernel, &Args) -> Result<()>);

/// No check.
pub const PLAIN: Check = Check(0, |_, _| Ok(()));

/// The open file of the first argument.
fn open(k: &Kernel, a: &Args) -> Result<FileRef> {
    let file = k.file(a.int(0))?;
    if file.is_path() { Err(Errno::EBADF) } else { Ok(file) }
}

fn valid(fine: bool) -> Result<()> {
    if fine { Ok(()) } else { Err(Errno::EINVAL) }
}

/// `syncfs(fd)`.
pub const OPEN: Check = Check(1, |k, a| open(k, a).map(drop));

/// `fadvise64(fd, offset, length, advice)`.
pub const ADVICE: Check = Check(4, |k, a| {
    /// `POSIX_FADV_NOREUSE`.
    const LAST: u32 = 5;
    if open(k, a)?.stat()?.file_type() == s::IFIFO {
        return Err(Errno::ESPIPE);
    }
    valid(a.raw(2) as i64 >= 0 && a.word(3) <= LAST)
});

/// `readahead(fd, offset, count)`.
pub const READAHEAD: Check = Check(3, |k, a| {
    let file = open(k, a)?;
    if !file.readable() {
        return Err(Errno::EBADF);
    }
    valid(file.stat()?.file_type() == s::IFREG)
});

/// `sync_file_range(fd, offset, length, flags)`.
pub const RANGE: Check = Check(4, |k, a| {
    /// Before, write, after.
    const FLAGS: u32 = 7;
    let file = open(k, a)?;
    let (offset, len) = (a.raw(1) as i64, a.raw(2) as i64);
    valid(
        a.word(3) & !FLAGS == 0
            && offset >= 0
            && offset.checked_add(len).is_some_and(|e| e >= offset),
    )?;
    match file.stat()?.file_type() {
        s::IFREG | s::IFBLK | s::IFDIR | s::IFLNK => Ok(()),
        _ => Err(Errno::ESPIPE),
    }
});

/// `mlock(address, length)`, `munlock`.
pub const MAPPED: Check = Check(2, |k, a| mmap::check_mapped(k, a));

/// `mlock2(address, length, flags)`.
pub const MAPPED_FLAGS: Check = Check(3, |k, a| {
    /// `MLOCK_ONFAULT`.
    const ONFAULT: u32 = 1;
    valid(a.word(2) & !ONFAULT == 0)?;
    mmap::check_mapped(k, a)
});

/// `mlockall(flags)`.
pub const ALL_MEMORY: Check = Check(1, |_, a| {
    /// `MCL_ONFAULT`, and all flags.
    const ONFAULT: u32 = 4;
    const FLAGS: u32 = 7;
    valid(a.word(0) & !FLAGS == 0 && a.word(0) != 0 && a.word(0) != ONFAULT)
});

/// `setpriority(which, who, nice)`.
pub const PRIORITY: Check = Check(3, |_, a| valid(a.word(0) <= 2));

/// `ioprio_set(which, who, priority)`, `ioprio_get`.
pub const IO_PRIORITY: Check = Check(3, |_, a| valid((1..=3).contains(&a.word(0))));
