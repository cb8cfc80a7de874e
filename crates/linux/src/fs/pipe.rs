//! Pipes and stream socket pairs, wholly inside the emulation.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::abi::{ioctl, limit, o, poll, s};
use super::file::{Events, FileObject, FileRef, IoctlArg, OpenFile};
use super::shared::Shared;
use super::stat::Stat;
use super::vfs::Vfs;
use crate::errno::{Errno, Result};

/// Capacity of a new pipe, as on Linux.
const CAPACITY: usize = 65536;
/// Least and greatest capacity (`/proc/sys/fs/pipe-max-size`).
const MIN_CAPACITY: usize = 4096;
const MAX_CAPACITY: usize = 1 << 20;

/// A queue of bytes with counted ends.
struct Channel {
    bytes: RefCell<VecDeque<u8>>,
    capacity: Cell<usize>,
    readers: Cell<usize>,
    writers: Cell<usize>,
    generation: Cell<u64>,
    ino: u64,
    shared: Rc<Shared>,
}

impl Channel {
    fn new(shared: &Rc<Shared>) -> Rc<Channel> {
        Rc::new(Channel {
            bytes: RefCell::default(),
            capacity: Cell::new(CAPACITY),
            readers: Cell::new(0),
            writers: Cell::new(0),
            generation: Cell::new(0),
            ino: shared.fresh_ino(),
            shared: Rc::clone(shared),
        })
    }

    fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
        self.shared.note_activity();
    }

    fn len(&self) -> usize {
        self.bytes.borrow().len()
    }

    fn room(&self) -> usize {
        self.capacity.get().saturating_sub(self.len())
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let mut bytes = self.bytes.borrow_mut();
        if bytes.is_empty() {
            return if self.writers.get() == 0 { Ok(0) } else { Err(Errno::EAGAIN) };
        }
        let n = buf.len().min(bytes.len());
        for (to, from) in buf.iter_mut().zip(bytes.drain(..n)) {
            *to = from;
        }
        drop(bytes);
        self.changed();
        Ok(n)
    }

    /// Writes of up to `PIPE_BUF` bytes are all or nothing.
    fn write(&self, data: &[u8]) -> Result<usize> {
        if self.readers.get() == 0 {
            return Err(Errno::EPIPE);
        }
        if data.is_empty() {
            return Ok(0);
        }
        let room = self.room();
        if room == 0 || (data.len() <= limit::PIPE_BUF && room < data.len()) {
            return Err(Errno::EAGAIN);
        }
        let n = data.len().min(room);
        self.bytes.borrow_mut().extend(&data[..n]);
        self.changed();
        Ok(n)
    }

    fn read_events(&self) -> Events {
        let mut events = Events::default();
        if self.len() > 0 {
            events = events.with(Events::IN.0);
        }
        if self.writers.get() == 0 {
            events = events.with(poll::HUP);
        }
        events
    }

    fn write_events(&self) -> Events {
        let mut events = Events::default();
        if self.room() >= limit::PIPE_BUF {
            events = events.with(Events::OUT.0);
        }
        if self.readers.get() == 0 {
            events = events.with(poll::ERR);
        }
        events
    }

    fn resize(&self, size: usize) -> Result<usize> {
        if size > MAX_CAPACITY {
            return Err(Errno::EPERM);
        }
        let size = size.max(MIN_CAPACITY).next_power_of_two();
        if size < self.len() {
            return Err(Errno::EBUSY);
        }
        self.capacity.set(size);
        self.changed();
        Ok(size)
    }
}

/// A counted hold on one end of a channel.
struct Reader(Rc<Channel>);
struct Writer(Rc<Channel>);

impl Reader {
    fn new(channel: &Rc<Channel>) -> Reader {
        channel.readers.set(channel.readers.get() + 1);
        Reader(Rc::clone(channel))
    }
}

impl Writer {
    fn new(channel: &Rc<Channel>) -> Writer {
        channel.writers.set(channel.writers.get() + 1);
        Writer(Rc::clone(channel))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.readers.set(self.0.readers.get() - 1);
        self.0.changed();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.writers.set(self.0.writers.get() - 1);
        self.0.changed();
    }
}

/// Attributes of a pipe or socket without a name.
fn anonymous_stat(shared: &Shared, kind: u32, ino: u64) -> Stat {
    let now = shared.platform().now();
    let (atime, mtime, ctime) = (now, now, now);
    Stat { ino, mode: kind, nlink: 1, atime, mtime, ctime, ..Stat::default() }
}

/// Answers `FIONREAD`.
fn fionread(command: u32, arg: &mut dyn IoctlArg, len: usize) -> Result<i64> {
    if command != ioctl::FIONREAD {
        return Err(Errno::ENOTTY);
    }
    arg.write(&(len.min(i32::MAX as usize) as i32).to_le_bytes())?;
    Ok(0)
}

/// One end of a pipe, or both for `O_RDWR` on a reopened one.
struct PipeEnd {
    channel: Rc<Channel>,
    reader: Option<Reader>,
    writer: Option<Writer>,
}

impl PipeEnd {
    fn new(channel: &Rc<Channel>, flags: u32) -> PipeEnd {
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

    fn poll_ready(&self) -> Events {
        let read = self.reader.as_ref().map_or(Events::default(), |r| r.0.read_events());
        let write = self.writer.as_ref().map_or(Events::default(), |w| w.0.write_events());
        read.with(write.0)
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

    fn pipe_size(&self, set: Option<usize>) -> Result<usize> {
        match set {
            Some(size) => self.channel.resize(size),
            None => Ok(self.channel.capacity.get()),
        }
    }

    fn generation(&self) -> u64 {
        self.channel.generation.get()
    }

    fn reopen(&self, flags: u32) -> Result<Box<dyn FileObject>> {
        Ok(Box::new(PipeEnd::new(&self.channel, flags)))
    }
}

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
    /// `pipe2`: the reading and the writing end.
    ///
    /// # Errors
    /// `EINVAL` for a flag other than `O_CLOEXEC`, `O_NONBLOCK` and `O_DIRECT`'s packet mode,
    /// which is not supported.
    pub fn pipe(&self, flags: u32) -> Result<(FileRef, FileRef)> {
        if flags & !(o::CLOEXEC | o::NONBLOCK) != 0 {
            return Err(Errno::EINVAL);
        }
        let channel = Channel::new(&self.shared);
        let end = |access| {
            OpenFile::new(Box::new(PipeEnd::new(&channel, access)), access | (flags & o::NONBLOCK))
        };
        Ok((end(o::RDONLY), end(o::WRONLY)))
    }

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
