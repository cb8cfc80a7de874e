//! Pipes, entirely inside the emulation.

mod fifo;

use std::rc::Rc;

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, s};
use crate::fs::channel::{Channel, Reader, Writer, anonymous_stat};
use crate::fs::events::Events;
use crate::fs::locks::FileLocks;
use crate::fs::object::{FileObject, IoctlArg, Pipe, Pollable, Recorded, fionread};
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::stat::Stat;
use crate::fs::vfs::Vfs;

/// One end of a pipe, or both for `O_RDWR` on a reopened one.
pub(in crate::fs) struct PipeEnd {
    channel: Rc<Channel>,
    reader: Option<Reader>,
    writer: Option<Writer>,
}

impl PipeEnd {
    pub fn new(channel: &Rc<Channel>, flags: u32) -> PipeEnd {
        let access = flags & o::ACCMODE;
        PipeEnd {
            channel: Rc::clone(channel),
            reader: (access != o::WRONLY).then(|| Reader::new(channel)),
            writer: (access != o::RDONLY).then(|| Writer::new(channel)),
        }
    }
}

impl FileObject for PipeEnd {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat(&self.channel.shared, s::IFIFO | 0o600, self.channel.ino))
    }

    fn label(&self) -> Vec<u8> {
        format!("pipe:[{}]", self.channel.ino).into_bytes()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.channel.read(buf)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.channel.write(data)
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        fionread(command, arg, self.channel.len())
    }

    fn reopen(&self, flags: u32) -> Result<Box<dyn FileObject>> {
        Ok(Box::new(PipeEnd::new(&self.channel, flags)))
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }

    fn recorded(&self) -> &dyn Recorded {
        self
    }

    fn pipe(&self) -> &dyn Pipe {
        self
    }
}

impl Recorded for PipeEnd {
    fn own_locks(&self) -> Option<&Rc<FileLocks>> {
        Some(&self.channel.locks)
    }

    fn note_unlocked(&self) {
        self.channel.shared.note_activity();
    }
}

impl Pollable for PipeEnd {
    fn poll_ready(&self) -> Events {
        let read = self.reader.as_ref().map_or(Events::default(), |_| self.channel.read_events());
        let write = self.writer.as_ref().map_or(Events::default(), |_| self.channel.write_events());
        read.with(write.0)
    }

    fn generation(&self) -> u64 {
        self.channel.generation.get()
    }
}

impl Pipe for PipeEnd {
    fn pipe_size(&self, set: Option<usize>) -> Result<usize> {
        match set {
            Some(size) => self.channel.resize(size),
            None => Ok(self.channel.capacity.get()),
        }
    }
}

impl Vfs {
    /// `pipe2`: the reading and the writing end.
    ///
    /// # Errors
    /// `EINVAL` for a flag other than `O_CLOEXEC` and `O_NONBLOCK`: the packet mode of `O_DIRECT`
    /// is not supported.
    pub fn pipe(&self, flags: u32) -> Result<(FileRef, FileRef)> {
        if flags & !(o::CLOEXEC | o::NONBLOCK) != 0 {
            return Err(Errno::EINVAL);
        }
        let channel = Channel::new(&self.shared)?;
        let end = |access| {
            OpenFile::new(Box::new(PipeEnd::new(&channel, access)), access | (flags & o::NONBLOCK))
        };
        Ok((end(o::RDONLY), end(o::WRONLY)))
    }
}
