//! Stream socket pairs, wholly inside the emulation.

use std::cell::RefCell;
use std::rc::Rc;

use super::abi::{limit, o, poll, s};
use super::channel::{Channel, Reader, Writer, anonymous_stat, fionread};
use super::file::{FileRef, OpenFile};
use super::object::{Events, FileObject, IoctlArg};
use super::stat::Stat;
use super::vfs::Vfs;
use crate::errno::{Errno, Result};

/// One end of a stream socket pair.
struct SocketEnd {
    input: Rc<Channel>,
    output: Rc<Channel>,
    reader: RefCell<Option<Reader>>,
    writer: RefCell<Option<Writer>>,
    ino: u64,
}

impl SocketEnd {
    fn new(input: &Rc<Channel>, output: &Rc<Channel>) -> SocketEnd {
        SocketEnd {
            input: Rc::clone(input),
            output: Rc::clone(output),
            reader: RefCell::new(Some(Reader::new(input))),
            writer: RefCell::new(Some(Writer::new(output))),
            ino: input.shared.fresh_ino(),
        }
    }
}

impl FileObject for SocketEnd {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat(&self.input.shared, s::IFSOCK | 0o777, self.ino))
    }

    fn label(&self) -> Vec<u8> {
        format!("socket:[{}]", self.ino).into_bytes()
    }

    fn poll_ready(&self) -> Events {
        let shut_in = self.input.writers.get() == 0 || self.reader.borrow().is_none();
        let shut_out = self.output.readers.get() == 0 || self.writer.borrow().is_none();
        let mut events = Events::default();
        if self.input.len() > 0 || shut_in {
            events = events.with(Events::IN.0);
        }
        if shut_in {
            events = events.with(poll::RDHUP);
        }
        if shut_in && shut_out {
            events = events.with(poll::HUP);
        }
        if shut_out || self.output.room() >= limit::PIPE_BUF {
            events = events.with(Events::OUT.0);
        }
        events
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        if self.reader.borrow().is_none() { Ok(0) } else { self.input.read(buf) }
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        if self.writer.borrow().is_none() { Err(Errno::EPIPE) } else { self.output.write(data) }
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        fionread(command, arg, self.input.len())
    }

    fn shutdown(&self, how: u32) -> Result<()> {
        const RD: u32 = 0;
        const WR: u32 = 1;
        const RDWR: u32 = 2;
        if how > RDWR {
            return Err(Errno::EINVAL);
        }
        if how != WR {
            self.reader.replace(None);
        }
        if how != RD {
            self.writer.replace(None);
        }
        Ok(())
    }

    fn generation(&self) -> u64 {
        self.input.generation.get() + self.output.generation.get()
    }
}

impl Vfs {
    /// `socketpair(AF_UNIX, SOCK_STREAM)`; `flags` are `SOCK_NONBLOCK` and `SOCK_CLOEXEC`, which
    /// equal the `O_*` flags.
    ///
    /// # Errors
    /// `EINVAL` for another flag.
    pub fn socketpair(&self, flags: u32) -> Result<(FileRef, FileRef)> {
        if flags & !(o::CLOEXEC | o::NONBLOCK) != 0 {
            return Err(Errno::EINVAL);
        }
        let (a, b) = (Channel::new(&self.shared), Channel::new(&self.shared));
        let kept = o::RDWR | (flags & o::NONBLOCK);
        let first = OpenFile::new(Box::new(SocketEnd::new(&a, &b)), kept);
        let second = OpenFile::new(Box::new(SocketEnd::new(&b, &a)), kept);
        Ok((first, second))
    }
}
