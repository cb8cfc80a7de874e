//! Calls that take a path.

use super::Args;
use crate::base::errno::Errno;
use crate::fs::TimeArg;
use crate::fs::abi::{at, limit, o};
use crate::kernel::{Kernel, Sys};
use crate::process::thread::{Restart, Wait};

fn open(k: &mut Kernel, dirfd: i32, path: u64, flags: u32, mode: u32) -> Sys {
    let file = match k.thread_mut().opening.take() {
        Some(file) => file,
        None => {
            let path = k.guest().path(path)?;
            let file = k.with_caller(|vfs, c| vfs.openat(c, dirfd, &path, flags, mode))?;
            if flags & (o::TRUNC | o::PATH) == o::TRUNC {
                k.profiler.emptied(&file, &k.files.vfs);
            }
            file
        }
    };
    if file.object().pipe().is_opening() {
        // For waiters on the other side, it counts as open.
        k.thread_mut().opening = Some(file);
        return k.wait(Wait::Files, Restart::Restartable);
    }
    k.install(file, flags)
}

pub fn openat(k: &mut Kernel, a: &Args) -> Sys {
    open(k, a.int(0), a.raw(1), a.word(2), a.word(3))
}

/// `openat2`: `struct open_how` of flags, mode, resolve. Restrictions of the resolution are refused, not ignored.
pub fn openat2(k: &mut Kernel, a: &Args) -> Sys {
    if a.raw(3) < 24 {
        return Err(Errno::EINVAL.into());
    }
    let [flags, mode, resolve] = k.guest().get_words(a.raw(2))?;
    if resolve != 0 || flags > u32::MAX as u64 {
        return Err(Errno::EINVAL.into());
    }
    open(k, a.int(0), a.raw(1), flags as u32, mode as u32)
}

pub fn newfstatat(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    let stat = k.with_caller(|vfs, c| vfs.stat_at(c, a.int(0), &path, a.word(3)))?;
    k.guest().write(a.raw(2), &stat.encode_stat())?;
    Ok(0)
}

pub fn statx(k: &mut Kernel, a: &Args) -> Sys {
    // A null path means an empty one since Linux 6.11.
    let path = if a.raw(1) == 0 { Vec::new() } else { k.guest().path(a.raw(1))? };
    let flags = a.word(2) & !at::STATX_SYNC_TYPE;
    let stat = k.with_caller(|vfs, c| vfs.stat_at(c, a.int(0), &path, flags))?;
    k.guest().write(a.raw(4), &stat.encode_statx())?;
    Ok(0)
}

pub fn statfs(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(0))?;
    let fs = k.with_caller(|vfs, c| vfs.statfs(c, &path))?;
    k.guest().write(a.raw(1), &fs.encode())?;
    Ok(0)
}

pub fn readlinkat(k: &mut Kernel, a: &Args) -> Sys {
    if a.int(3) <= 0 {
        return Err(Errno::EINVAL.into());
    }
    let path = k.guest().path(a.raw(1))?;
    k.files.vfs.take_transfers();
    let target = k.with_caller(|vfs, c| vfs.readlinkat(c, a.int(0), &path))?;
    let n = target.len().min(a.int(3) as usize);
    k.guest().write(a.raw(2), &target[..n])?;
    if let Some(held) = k.files.vfs.take_transfers().pop() {
        k.profiler.scattered(held, k.hart.mem.id(), (&[(a.raw(2), n as u64)], 0), n as u64);
    }
    Ok(n as u64)
}

pub fn faccessat(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    k.with_caller(|vfs, c| vfs.faccessat(c, a.int(0), &path, a.word(2), 0))?;
    Ok(0)
}

pub fn faccessat2(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    k.with_caller(|vfs, c| vfs.faccessat(c, a.int(0), &path, a.word(2), a.word(3)))?;
    Ok(0)
}

pub fn mkdirat(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    k.with_caller(|vfs, c| vfs.mkdirat(c, a.int(0), &path, a.word(2)))?;
    Ok(0)
}

pub fn mknodat(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    k.with_caller(|vfs, c| vfs.mknodat(c, a.int(0), &path, a.word(2)))?;
    Ok(0)
}

pub fn unlinkat(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    k.with_caller(|vfs, c| vfs.unlinkat(c, a.int(0), &path, a.word(2)))?;
    Ok(0)
}

pub fn symlinkat(k: &mut Kernel, a: &Args) -> Sys {
    let target = k.guest().text(a.raw(0), limit::PATH_MAX, Errno::ENAMETOOLONG)?;
    let (path, len) = (k.guest().path(a.raw(2))?, target.len() as u64);
    k.files.vfs.take_transfers();
    k.with_caller(|vfs, c| vfs.symlinkat(c, &target, a.int(1), &path))?;
    k.profiler.wrote(&k.files.vfs, k.hart.mem.id(), (&[(a.raw(0), len)], 0), len);
    Ok(0)
}

pub fn linkat(k: &mut Kernel, a: &Args) -> Sys {
    let (old, new) = (k.guest().path(a.raw(1))?, k.guest().path(a.raw(3))?);
    k.with_caller(|vfs, c| vfs.linkat(c, (a.int(0), &old), (a.int(2), &new), a.word(4)))?;
    Ok(0)
}

pub fn renameat2(k: &mut Kernel, a: &Args) -> Sys {
    let (old, new) = (k.guest().path(a.raw(1))?, k.guest().path(a.raw(3))?);
    k.with_caller(|vfs, c| vfs.renameat2(c, (a.int(0), &old), (a.int(2), &new), a.word(4)))?;
    Ok(0)
}

fn chmod(k: &mut Kernel, a: &Args, flags: u32) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    k.with_caller(|vfs, c| vfs.fchmodat(c, a.int(0), &path, a.word(2), flags))?;
    Ok(0)
}

pub fn fchmodat(k: &mut Kernel, a: &Args) -> Sys {
    chmod(k, a, 0)
}

pub fn fchmodat2(k: &mut Kernel, a: &Args) -> Sys {
    chmod(k, a, a.word(3))
}

pub fn fchmod(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.file(a.int(0))?;
    k.with_caller(|vfs, c| vfs.fchmod(c, &file, a.word(1)))?;
    Ok(0)
}

pub fn fchownat(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(1))?;
    let to = (a.word(2), a.word(3));
    k.with_caller(|vfs, c| vfs.fchownat(c, a.int(0), &path, to, a.word(4)))?;
    Ok(0)
}

pub fn fchown(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.file(a.int(0))?;
    k.with_caller(|vfs, c| vfs.fchown(c, &file, (a.word(1), a.word(2))))?;
    Ok(0)
}

pub fn utimensat(k: &mut Kernel, a: &Args) -> Sys {
    let path = match a.raw(1) {
        0 => None,
        p => Some(k.guest().path(p)?),
    };
    let times = match a.raw(2) {
        0 => [TimeArg::Now; 2],
        p => {
            let [s0, n0, s1, n1] = k.guest().get_words(p)?;
            let time = |s: u64, n| TimeArg::from_guest(s as i64, n);
            [time(s0, n0)?, time(s1, n1)?]
        }
    };
    k.with_caller(|vfs, c| vfs.utimensat(c, a.int(0), path.as_deref(), times, a.word(3)))?;
    Ok(0)
}

pub fn truncate(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(0))?;
    k.with_caller(|vfs, c| vfs.truncate(c, &path, a.raw(1) as i64))?;
    k.profiler.cut(&k.files.vfs);
    Ok(0)
}

pub fn chdir(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(0))?;
    let dir = k.with_caller(|vfs, c| vfs.chdir(c, &path))?;
    k.process().fs.borrow_mut().cwd = dir;
    Ok(0)
}

pub fn fchdir(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.file(a.int(0))?;
    let dir = k.with_caller(|vfs, c| vfs.fchdir(c, &file))?;
    k.process().fs.borrow_mut().cwd = dir;
    Ok(0)
}

pub fn getcwd(k: &mut Kernel, a: &Args) -> Sys {
    let mut path = k.files.vfs.getcwd(&k.fs_context().cwd)?;
    path.push(0);
    if (path.len() as u64) > a.raw(1) {
        return Err(Errno::ERANGE.into());
    }
    k.guest().write(a.raw(0), &path)?;
    Ok(path.len() as u64)
}

pub fn umask(k: &mut Kernel, a: &Args) -> Sys {
    let new = a.word(0) & 0o777;
    Ok(std::mem::replace(&mut k.process().fs.borrow_mut().umask, new) as u64)
}

/// There is nothing above the guest's `/` to go to.
pub fn chroot(k: &mut Kernel, a: &Args) -> Sys {
    let path = k.guest().path(a.raw(0))?;
    let flags = o::RDONLY | o::DIRECTORY;
    k.with_caller(|vfs, c| vfs.openat(c, at::FDCWD, &path, flags, 0))?;
    Err(Errno::EPERM.into())
}

/// Extended attributes: no file system here supports them.
pub fn no_attributes(_: &mut Kernel, _: &Args) -> Sys {
    Err(Errno::EOPNOTSUPP.into())
}
