//! Named pipes (fifo(7)): the name exists on the host, the queue only in the emulation.

use std::cell::Cell;
use std::rc::Rc;

use super::PipeEnd;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::channel::Channel;
use crate::fs::events::Events;
use crate::fs::object::{FileObject, IoctlArg, Pipe, Pollable, Recorded};
use crate::fs::path::located::{Dir, HostNode};
use crate::fs::stat::{Stat, StatFs};
use crate::fs::vfs::Vfs;
use crate::fs::watch::{EventSource, Opened};

/// An open named pipe.
struct Fifo {
    vfs: Vfs,
    place: Dir,
    channel: Rc<Channel>,
    end: PipeEnd,
    /// While the open waits for the other side: how often the other side had been opened before.
    waits: Cell<Option<u64>>,
    /// Index of the other side in `Channel::opened`.
    other: usize,
    _opened: Opened,
}

impl FileObject for Fifo {
    fn stat(&self) -> Result<Stat> {
        self.vfs.stat_place(&self.place)
    }

    fn label(&self) -> Vec<u8> {
        self.place.path().to_vec()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.end.read(buf)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.end.write(data)
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        self.end.ioctl(command, arg)
    }

    fn statfs(&self) -> StatFs {
        self.place.mount.statfs()
    }

    fn reopen(&self, flags: u32) -> Result<Box<dyn FileObject>> {
        self.end.reopen(flags)
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

impl Pollable for Fifo {
    fn poll_ready(&self) -> Events {
        self.end.poll_ready()
    }

    fn generation(&self) -> u64 {
        self.end.generation()
    }
}

impl Recorded for Fifo {
    fn note_unlocked(&self) {
        self.vfs.shared.note_activity();
    }

    fn event_source(&self) -> Option<EventSource> {
        self.vfs.event_source(&self.place)
    }
}

impl Pipe for Fifo {
    fn pipe_size(&self, set: Option<usize>) -> Result<usize> {
        self.end.pipe_size(set)
    }

    fn is_opening(&self) -> bool {
        let now = self.channel.opened[self.other].get();
        if self.waits.get().is_some_and(|before| before != now) {
            self.waits.set(None);
        }
        self.waits.get().is_some()
    }
}

impl Vfs {
    /// Opens a named pipe. Until the other side is open, `Pipe::is_opening` is true.
    ///
    /// # Errors
    /// `ENXIO` for a non-blocking writer without a reader; `EACCES` if this guest has not made the pipe: the other side
    /// of such a pipe is a process of the host, which the guest's queue does not reach.
    pub(crate) fn open_fifo(
        &self,
        node: &HostNode,
        place: &Dir,
        flags: u32,
    ) -> Result<Box<dyn FileObject>> {
        if !node.inode().is_guest_fifo() {
            return Err(Errno::EACCES);
        }
        let channel = node.inode().channel(&self.shared)?;
        let (reads, waits) = (flags & o::ACCMODE == o::RDONLY, flags & o::NONBLOCK == 0);
        let both = flags & o::ACCMODE == o::RDWR;
        let alone = !both && if reads { &channel.writers } else { &channel.readers }.get() == 0;
        if alone && !reads && !waits {
            return Err(Errno::ENXIO);
        }
        let other = usize::from(reads);
        let before = channel.opened[other].get();
        let end = PipeEnd::new(&channel, flags);
        channel.changed();
        let waits = Cell::new((alone && waits).then_some(before));
        let (vfs, place) = (self.clone(), Rc::clone(place));
        let _opened = Opened::new(&node.inode().watched);
        Ok(Box::new(Fifo { vfs, place, channel, end, waits, other, _opened }))
    }
}
