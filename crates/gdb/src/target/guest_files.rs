//! Files of the guest, read-only: gdb reads the program and its libraries through the stub, so that it needs no copy of them.

use super::{Guest, part};
use crate::debuggee::Debuggee;
use gdbstub::common::Pid;
use gdbstub::target::TargetResult;
use gdbstub::target::ext::auxv::Auxv;
use gdbstub::target::ext::exec_file::ExecFile;
use gdbstub::target::ext::host_io::{
    FsKind, HostIo, HostIoClose, HostIoCloseOps, HostIoErrno, HostIoError, HostIoFstat,
    HostIoFstatOps, HostIoOpen, HostIoOpenFlags, HostIoOpenMode, HostIoOpenOps, HostIoPread,
    HostIoPreadOps, HostIoReadlink, HostIoReadlinkOps, HostIoResult, HostIoSetfs, HostIoSetfsOps,
    HostIoStat,
};
use std::collections::BTreeMap;

/// Maximum number of open files: their contents are in memory.
const MAX_OPEN: usize = 64;
/// Maximum number of bytes of all open files.
const MAX_BYTES: usize = 1 << 30;

/// The open files by descriptor.
#[derive(Default)]
pub struct Files {
    open: BTreeMap<u32, Vec<u8>>,
}

fn errno<T, E>(e: HostIoErrno) -> Result<T, HostIoError<E>> {
    Err(HostIoError::Errno(e))
}

impl Files {
    fn get<E>(&self, fd: u32) -> Result<&[u8], HostIoError<E>> {
        self.open.get(&fd).map(Vec::as_slice).map_or_else(|| errno(HostIoErrno::EBADF), Ok)
    }

    /// The lowest free descriptor, if another file of this size may be opened.
    fn free(&self, size: usize) -> Option<u32> {
        let bytes: usize = self.open.values().map(Vec::len).sum();
        let room = self.open.len() < MAX_OPEN && bytes.saturating_add(size) <= MAX_BYTES;
        (1..).find(|fd| !self.open.contains_key(fd)).filter(|_| room)
    }
}

impl<D: Debuggee> HostIo for Guest<'_, D> {
    fn support_open(&mut self) -> Option<HostIoOpenOps<'_, Self>> {
        Some(self)
    }

    fn support_close(&mut self) -> Option<HostIoCloseOps<'_, Self>> {
        Some(self)
    }

    fn support_pread(&mut self) -> Option<HostIoPreadOps<'_, Self>> {
        Some(self)
    }

    fn support_fstat(&mut self) -> Option<HostIoFstatOps<'_, Self>> {
        Some(self)
    }

    fn support_readlink(&mut self) -> Option<HostIoReadlinkOps<'_, Self>> {
        Some(self)
    }

    fn support_setfs(&mut self) -> Option<HostIoSetfsOps<'_, Self>> {
        Some(self)
    }
}

impl<D: Debuggee> HostIoOpen for Guest<'_, D> {
    fn open(
        &mut self,
        name: &[u8],
        flags: HostIoOpenFlags,
        _: HostIoOpenMode,
    ) -> HostIoResult<u32, Self> {
        let writes = HostIoOpenFlags::O_WRONLY | HostIoOpenFlags::O_RDWR | HostIoOpenFlags::O_CREAT;
        if flags.intersects(writes | HostIoOpenFlags::O_TRUNC | HostIoOpenFlags::O_APPEND) {
            return errno(HostIoErrno::EROFS);
        }
        let contents = self.debuggee.system().and_then(|s| s.file(name));
        let Some(contents) = contents else { return errno(HostIoErrno::ENOENT) };
        let Some(fd) = self.files.free(contents.len()) else { return errno(HostIoErrno::EMFILE) };
        self.files.open.insert(fd, contents);
        Ok(fd)
    }
}

impl<D: Debuggee> HostIoClose for Guest<'_, D> {
    fn close(&mut self, fd: u32) -> HostIoResult<(), Self> {
        match self.files.open.remove(&fd) {
            Some(_) => Ok(()),
            None => errno(HostIoErrno::EBADF),
        }
    }
}

impl<D: Debuggee> HostIoPread for Guest<'_, D> {
    fn pread(
        &mut self,
        fd: u32,
        count: usize,
        offset: u64,
        to: &mut [u8],
    ) -> HostIoResult<usize, Self> {
        Ok(part(self.files.get(fd)?, offset, count, to))
    }
}

impl<D: Debuggee> HostIoFstat for Guest<'_, D> {
    fn fstat(&mut self, fd: u32) -> HostIoResult<HostIoStat, Self> {
        let size = self.files.get(fd)?.len() as u64;
        Ok(HostIoStat {
            st_dev: 0,
            st_ino: fd,
            st_mode: HostIoOpenMode::S_IFREG | HostIoOpenMode::S_IRUSR,
            st_nlink: 1,
            st_uid: 0,
            st_gid: 0,
            st_rdev: 0,
            st_size: size,
            st_blksize: 4096,
            st_blocks: size.div_ceil(512),
            st_atime: 0,
            st_mtime: 0,
            st_ctime: 0,
        })
    }
}

impl<D: Debuggee> HostIoReadlink for Guest<'_, D> {
    fn readlink(&mut self, name: &[u8], to: &mut [u8]) -> HostIoResult<usize, Self> {
        match self.debuggee.system().and_then(|s| s.link(name)) {
            Some(target) => Ok(part(&target, 0, target.len(), to)),
            None => errno(HostIoErrno::EINVAL),
        }
    }
}

impl<D: Debuggee> HostIoSetfs for Guest<'_, D> {
    /// There is one file system.
    fn setfs(&mut self, _: FsKind) -> HostIoResult<(), Self> {
        Ok(())
    }
}

impl<D: Debuggee> Auxv for Guest<'_, D> {
    fn get_auxv(&self, offset: u64, length: usize, to: &mut [u8]) -> TargetResult<usize, Self> {
        let auxv = self.debuggee.system().map(|s| s.auxv()).unwrap_or_default();
        Ok(part(&auxv, offset, length, to))
    }
}

impl<D: Debuggee> ExecFile for Guest<'_, D> {
    fn get_exec_file(
        &self,
        _: Option<Pid>,
        offset: u64,
        length: usize,
        to: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let program = self.debuggee.system().map(|s| s.program()).unwrap_or_default();
        Ok(part(&program, offset, length, to))
    }
}
