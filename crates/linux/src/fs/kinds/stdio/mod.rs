//! The host's standard streams.

mod terminal;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{self, SeekFrom};
use rustix::{io, termios};

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{ioctl, o, poll, s, seek};
use crate::fs::events::Events;
use crate::fs::inode::{Inode, InodeRef};
use crate::fs::object::{FileObject, HostStream, IoctlArg, Mappable, Pollable, Positioned};
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::path::located::Dir;
use crate::fs::stat::Stat;
use crate::fs::vfs::Vfs;

/// A writer that pauses for this long is taken to have sent everything for now.
const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
/// The longest time for which one read gathers input.
const GATHERED: Duration = Duration::from_secs(1);

/// How to write a stream whose reader may be slow.
#[derive(Clone)]
enum Sink {
    /// Through a separate description that does not block. Other processes may share the original one, so its flags
    /// are left alone.
    Own(Rc<OwnedFd>),
    /// In pieces that fit the room that the host reports.
    Pieces,
}

/// A host stream: regular file, pipe, socket or terminal. Reading may block the host's thread.
pub(crate) struct Stream {
    fd: Rc<OwnedFd>,
    kind: u32,
    /// The guest's device that represents a character device of the host.
    device: Option<Dir>,
    terminal: bool,
    /// `None` if writing never blocks.
    sink: Option<Sink>,
    inode: Rc<Inode>,
    vfs: Vfs,
}

impl Stream {
    pub fn new(vfs: &Vfs, fd: OwnedFd) -> Result<Stream> {
        let stat = fs::fstat(&fd)?;
        let kind = stat.st_mode & s::IFMT;
        let terminal = termios::isatty(&fd);
        let device = match kind {
            // `None` when a bind covers /dev.
            s::IFCHR => vfs.device_place(if terminal { "tty" } else { "null" }).ok(),
            _ => None,
        };
        let inode = vfs.inodes.record(&stat)?;
        let sink = Self::sink(vfs, &fd, kind, terminal)?;
        Ok(Stream { fd: Rc::new(fd), kind, device, terminal, sink, inode, vfs: vfs.clone() })
    }

    fn sink(vfs: &Vfs, fd: &OwnedFd, kind: u32, terminal: bool) -> Result<Option<Sink>> {
        let writes = fs::fcntl_getfl(fd)? & fs::OFlags::RWMODE != fs::OFlags::RDONLY;
        if !writes || !(terminal || matches!(kind, s::IFIFO | s::IFSOCK)) {
            return Ok(None);
        }
        // A socket cannot be opened again, and the user may lack the right to open the terminal.
        let own = vfs.host_fds.reopen(fd.as_fd(), o::WRONLY);
        Ok(Some(own.map_or(Sink::Pieces, |fd| Sink::Own(Rc::new(fd)))))
    }

    fn is_writable_within(&self, step: Timespec) -> bool {
        let mut fds = [PollFd::new(&*self.fd, PollFlags::OUT)];
        rustix::event::poll(&mut fds, Some(&step)).is_ok_and(|n| n > 0)
    }

    /// Where a write at this offset goes: to the end of the file, if the host's description appends.
    fn target(&self, offset: u64) -> Result<u64> {
        let appends = fs::fcntl_getfl(&*self.fd)?.contains(fs::OFlags::APPEND);
        if appends { Ok(fs::fstat(&*self.fd)?.st_size.max(0) as u64) } else { Ok(offset) }
    }

    fn has_input_within(&self, step: Timespec) -> bool {
        let mut fds = [PollFd::new(&*self.fd, PollFlags::IN)];
        rustix::event::poll(&mut fds, Some(&step)).is_ok_and(|n| n > 0)
    }

    fn regular(&self) -> Result<()> {
        if self.kind == s::IFREG { Ok(()) } else { Err(Errno::ESPIPE) }
    }
}

impl FileObject for Stream {
    fn stat(&self) -> Result<Stat> {
        if let Some(device) = &self.device {
            return self.vfs.stat_place(device);
        }
        Ok(Stat { rdev: 0, ..self.inode.stat(&fs::fstat(&*self.fd)?, 0, 0) })
    }

    fn label(&self) -> Vec<u8> {
        let ino = || self.stat().map_or(0, |stat| stat.ino);
        match (&self.device, self.kind) {
            (Some(device), _) => device.path().to_vec(),
            // Linux shows files outside the root directory like this.
            (None, s::IFREG) => b"(unreachable)/stdio".to_vec(),
            (None, s::IFSOCK) => format!("socket:[{}]", ino()).into_bytes(),
            (None, _) => format!("pipe:[{}]", ino()).into_bytes(),
        }
    }

    /// From a pipe, reads until the writer pauses: how its data is cut into pieces depends on the writer's pace, which
    /// the guest should not see.
    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.inode.sync_mapped(|| Ok(fs::tell(&*self.fd)?), buf.len())?;
        let mut done = io::retry_on_intr(|| io::read(&*self.fd, &mut *buf))?;
        let started = Instant::now();
        while self.is_host_pipe()
            && (1..buf.len()).contains(&done)
            && started.elapsed() < GATHERED
            && self.has_input_within(PAUSE)
        {
            match io::read(&*self.fd, &mut buf[done..]) {
                Ok(n) if n > 0 => done += n,
                // The next call sees the end or the error again.
                _ => break,
            }
        }
        Ok(done)
    }

    /// To a slow reader, writes as much as it takes and checks meanwhile whether the run must stop.
    fn write(&self, data: &[u8]) -> Result<usize> {
        let Some(sink) = self.sink.as_ref().filter(|_| !data.is_empty()) else {
            let synced =
                self.inode.sync_mapped(|| self.target(fs::tell(&*self.fd)?), data.len())?;
            return synced.written(io::retry_on_intr(|| io::write(&*self.fd, data))?);
        };
        loop {
            let put = match sink {
                Sink::Own(fd) => io::write(fd, data),
                Sink::Pieces if !self.is_writable_within(PAUSE) => Err(io::Errno::AGAIN),
                // The room that the host guarantees when it reports the pipe writable (pipe(7), PIPE_BUF).
                Sink::Pieces => io::write(&*self.fd, &data[..data.len().min(4096)]),
            };
            match put {
                Err(io::Errno::AGAIN | io::Errno::INTR) => {
                    self.vfs.shared.platform().ensure_running()?;
                    self.is_writable_within(PAUSE);
                }
                put => return Ok(put?),
            }
        }
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        match command {
            ioctl::FIONREAD => {
                let n = io::ioctl_fionread(&*self.fd)?.min(i32::MAX as u64) as i32;
                arg.write(&n.to_le_bytes())?;
            }
            _ if self.terminal => self.terminal_ioctl(command, arg)?,
            _ => return Err(Errno::ENOTTY),
        }
        Ok(0)
    }

    /// The same description of the host, with its position and access mode.
    fn reopen(&self, flags: u32) -> Result<Box<dyn FileObject>> {
        let host = fs::fcntl_getfl(&*self.fd)? & fs::OFlags::RWMODE;
        let allowed = match flags & o::ACCMODE {
            o::RDONLY => host != fs::OFlags::WRONLY,
            o::WRONLY => host != fs::OFlags::RDONLY,
            _ => host == fs::OFlags::RDWR,
        };
        if !allowed {
            return Err(Errno::EACCES);
        }
        Ok(Box::new(Stream {
            fd: Rc::clone(&self.fd),
            device: self.device.clone(),
            sink: self.sink.clone(),
            inode: Rc::clone(&self.inode),
            vfs: self.vfs.clone(),
            ..*self
        }))
    }

    fn positioned(&self) -> &dyn Positioned {
        self
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }

    fn mappable(&self) -> &dyn Mappable {
        self
    }

    fn host_stream(&self) -> &dyn HostStream {
        self
    }
}

impl Positioned for Stream {
    fn pread(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        self.regular()?;
        self.inode.sync_mapped(|| Ok(offset), buf.len())?;
        Ok(io::pread(&*self.fd, buf, offset)?)
    }

    fn pwrite(&self, data: &[u8], offset: u64) -> Result<usize> {
        self.regular()?;
        let synced = self.inode.sync_mapped(|| self.target(offset), data.len())?;
        synced.written(io::pwrite(&*self.fd, data, offset)?)
    }

    fn seek(&self, offset: i64, whence: u32) -> Result<u64> {
        self.regular()?;
        let from = match whence {
            seek::SET => SeekFrom::Start(u64::try_from(offset).map_err(|_| Errno::EINVAL)?),
            seek::CUR => SeekFrom::Current(offset),
            seek::END => SeekFrom::End(offset),
            _ => return Err(Errno::EINVAL),
        };
        Ok(fs::seek(&*self.fd, from)?)
    }

    fn truncate(&self, size: u64) -> Result<()> {
        self.regular().map_err(|_| Errno::EINVAL)?;
        self.inode.sync_mapped(|| Ok(size.saturating_sub(1)), 1)?;
        fs::ftruncate(&*self.fd, size)?;
        self.inode.truncated(size)
    }

    fn sync(&self) -> Result<()> {
        self.regular().map_err(|_| Errno::EINVAL)
    }
}

impl Pollable for Stream {
    fn poll_ready(&self) -> Events {
        let mut fds = [PollFd::new(&*self.fd, PollFlags::IN | PollFlags::OUT)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        match rustix::event::poll(&mut fds, Some(&now)) {
            Ok(_) => {
                let got = u32::from(fds[0].revents().bits());
                let readable = if got & poll::IN != 0 { Events::IN.0 } else { 0 };
                let writable = if got & poll::OUT != 0 { Events::OUT.0 } else { 0 };
                Events(readable | writable | (got & (poll::ERR | poll::HUP)))
            }
            // The read or write that follows reports the error.
            Err(_) => Events::ALWAYS,
        }
    }

    fn host_wait(&self) -> Option<BorrowedFd<'_>> {
        self.may_block().then(|| self.fd.as_fd())
    }
}

impl Mappable for Stream {
    fn mapped_inode(&self) -> Option<InodeRef> {
        (self.kind == s::IFREG).then(|| InodeRef(Rc::clone(&self.inode)))
    }
}

impl HostStream for Stream {
    fn is_terminal(&self) -> bool {
        self.terminal
    }

    fn may_block(&self) -> bool {
        self.kind != s::IFREG
    }

    fn is_host_pipe(&self) -> bool {
        matches!(self.kind, s::IFIFO | s::IFSOCK)
    }
}

impl Vfs {
    /// A host stream as an open file of the guest: usually a duplicate of the host's descriptor 0,
    /// 1 or 2. The access mode is the host's.
    ///
    /// # Errors
    /// Those of the host, if the descriptor is not open.
    pub fn stdio(&self, fd: OwnedFd) -> Result<FileRef> {
        let mode = fs::fcntl_getfl(&fd)? & fs::OFlags::RWMODE;
        let flags = match mode {
            fs::OFlags::WRONLY => o::WRONLY,
            fs::OFlags::RDWR => o::RDWR,
            _ => o::RDONLY,
        };
        // This fails for a terminal other than the controlling one.
        if termios::isatty(&fd) && termios::tcgetpgrp(&fd).is_ok() {
            self.shared.note_controlling_terminal();
        }
        Ok(OpenFile::new(Box::new(Stream::new(self, fd)?), flags))
    }
}
