//! Descriptors.

use super::Args;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{fcntl as cmd, ioctl as request, o};
use crate::fs::{FileRef, IoctlArg};
use crate::kernel::{Kernel, Sys};

/// `F_OWNER_PID` and `F_OWNER_PGRP`.
const OWNER_PROCESS: i32 = 1;
const OWNER_GROUP: i32 = 2;
/// `FD_CLOEXEC`.
const FD_CLOEXEC: u64 = 1;

pub fn close(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.process().fds.borrow_mut().close(a.int(0))?;
    drop(file);
    Ok(0)
}

pub fn close_range(k: &mut Kernel, a: &Args) -> Sys {
    const UNSHARE: u32 = 2;
    const CLOEXEC: u32 = 4;
    if a.word(2) & !(UNSHARE | CLOEXEC) != 0 || a.word(0) > a.word(1) {
        return Err(Errno::EINVAL.into());
    }
    if a.word(2) & UNSHARE != 0 {
        k.tasks.unshare_files()?;
    }
    let cloexec = a.word(2) & CLOEXEC != 0;
    k.process().fds.borrow_mut().close_range(a.word(0), a.word(1), cloexec);
    Ok(0)
}

/// Installs two descriptions and writes their descriptors to `addr`; on an error, installs neither.
pub fn install_pair(k: &Kernel, pair: (FileRef, FileRef), flags: u32, addr: u64) -> Sys {
    let (first, second) = k.process().fds.borrow_mut().insert_pair(pair, flags)?;
    let stored =
        k.guest().put(addr, first).and_then(|()| k.guest().put(addr.wrapping_add(4), second));
    if let Err(e) = stored {
        let mut table = k.process().fds.borrow_mut();
        table.close(first)?;
        table.close(second)?;
        return Err(e.into());
    }
    Ok(0)
}

pub fn dup(k: &mut Kernel, a: &Args) -> Sys {
    Ok(k.process().fds.borrow_mut().dup(a.int(0), 0, false)? as u64)
}

pub fn dup3(k: &mut Kernel, a: &Args) -> Sys {
    let old = k.process().fds.borrow_mut().dup3(a.int(0), a.int(1), a.word(2))?;
    drop(old);
    Ok(a.int(1) as u64)
}

pub fn fcntl(k: &mut Kernel, a: &Args) -> Sys {
    let fd = a.int(0);
    let arg = match a.word(1) {
        cmd::GETFD | cmd::GETFL | cmd::GETOWN | cmd::GETPIPE_SZ => 0,
        _ => a.raw(2),
    };
    let file = k.file(fd)?;
    if let Some(result) = super::lock::fcntl(k, &file, a.word(1), arg) {
        return result;
    }
    let mut table = k.process().fds.borrow_mut();
    Ok(match a.word(1) {
        cmd::DUPFD => table.dup(fd, arg as i32, false)? as u64,
        cmd::DUPFD_CLOEXEC => table.dup(fd, arg as i32, true)? as u64,
        cmd::GETFD => table.cloexec(fd)? as u64,
        cmd::SETFD => {
            table.set_cloexec(fd, arg & FD_CLOEXEC != 0)?;
            0
        }
        cmd::GETFL => file.flags() as u64,
        cmd::SETFL => {
            file.set_flags(arg as u32)?;
            0
        }
        // `struct f_owner_ex`: its type (a thread, a process, a group) and number.
        cmd::SETOWN_EX => {
            let [kind, id]: [i32; 2] = [k.guest().get(arg)?, k.guest().get(arg.wrapping_add(4))?];
            let group = kind == OWNER_GROUP;
            file.set_owner(if group { id.checked_neg().ok_or(Errno::EINVAL)? } else { id });
            0
        }
        cmd::GETOWN_EX => {
            let owner = file.owner();
            k.guest().put(arg, if owner < 0 { OWNER_GROUP } else { OWNER_PROCESS })?;
            k.guest().put(arg.wrapping_add(4), owner.unsigned_abs())?;
            0
        }
        cmd::GETOWN => i64::from(file.owner()) as u64,
        cmd::SETOWN => {
            file.set_owner(arg as i32);
            0
        }
        cmd::GETPIPE_SZ => file.object().pipe().pipe_size(None)? as u64,
        cmd::SETPIPE_SZ => file.object().pipe().pipe_size(Some(arg as u32 as usize))? as u64,
        _ => return Err(Errno::EINVAL.into()),
    })
}

/// The guest memory at the pointer that is an `ioctl`'s argument.
struct Argument<'a>(&'a Kernel, u64);

impl IoctlArg for Argument<'_> {
    fn read(&self, buf: &mut [u8]) -> Result<()> {
        self.0.guest().read(self.1, buf)
    }

    fn write(&mut self, data: &[u8]) -> Result<()> {
        self.0.guest().write(self.1, data)
    }
}

pub fn ioctl(k: &mut Kernel, a: &Args) -> Sys {
    let (fd, command) = (a.int(0), a.word(1));
    let file = k.file(fd)?;
    if matches!(command, request::FIOCLEX | request::FIONCLEX) {
        let on = command == request::FIOCLEX;
        k.process().fds.borrow_mut().set_cloexec(fd, on)?;
        return Ok(0);
    }
    if let Some(result) = super::ids::terminal_ioctl(k, &file, command, a.raw(2)) {
        return result;
    }
    if let Some(result) = super::interface::ioctl(k, &file, command, a.raw(2)) {
        return result;
    }
    Ok(file.ioctl(command, &mut Argument(k, a.raw(2)))? as u64)
}

pub fn pipe2(k: &mut Kernel, a: &Args) -> Sys {
    let flags = a.word(1);
    let pair = k.files.vfs.pipe(flags)?;
    install_pair(k, pair, flags, a.raw(0))
}

pub fn eventfd2(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.files.vfs.eventfd(a.word(0), a.word(1))?;
    k.install(file, a.word(1))
}

pub fn memfd_create(k: &mut Kernel, a: &Args) -> Sys {
    const MFD_CLOEXEC: u32 = 1;
    let name = k.guest().string(a.raw(0), 250, Errno::EINVAL)?;
    let file = k.files.vfs.memfd(&name, a.word(1))?;
    k.install(file, if a.word(1) & MFD_CLOEXEC != 0 { o::CLOEXEC } else { 0 })
}

pub fn fstat(k: &mut Kernel, a: &Args) -> Sys {
    let stat = k.file(a.int(0))?.stat()?;
    k.guest().write(a.raw(1), &stat.encode_stat())?;
    Ok(0)
}

pub fn fstatfs(k: &mut Kernel, a: &Args) -> Sys {
    let file = k.file(a.int(0))?;
    k.guest().write(a.raw(1), &file.object().statfs().encode())?;
    Ok(0)
}

pub fn ftruncate(k: &mut Kernel, a: &Args) -> Sys {
    k.file(a.int(0))?.truncate(a.raw(1) as i64)?;
    k.profiler.cut(&k.files.vfs);
    Ok(0)
}

pub fn fallocate(k: &mut Kernel, a: &Args) -> Sys {
    k.file(a.int(0))?.fallocate(a.word(1), a.raw(2) as i64, a.raw(3) as i64)?;
    Ok(0)
}

pub fn fsync(k: &mut Kernel, a: &Args) -> Sys {
    k.file(a.int(0))?.sync()?;
    Ok(0)
}

pub fn getdents64(k: &mut Kernel, a: &Args) -> Sys {
    const MOST: u64 = 1 << 20;
    let file = k.file(a.int(0))?;
    let len = k.guest().accessible(a.raw(1), a.word(2).into(), capvec_sim::mem::Perm::W)?.min(MOST);
    let mut buf = vec![0; len as usize];
    let n = file.getdents64(&mut buf)?;
    k.guest().write(a.raw(1), &buf[..n])?;
    Ok(n as u64)
}
