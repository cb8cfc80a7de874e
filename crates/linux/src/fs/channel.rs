//! Queues of bytes between processes of the guest, under pipes and socket pairs.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{limit, poll};
use crate::fs::events::Events;
use crate::fs::locks::FileLocks;
use crate::fs::shared_state::{KERNEL, Shared, StoredByte};
use crate::fs::stat::Stat;

/// Capacity of a new pipe, as on Linux.
const CAPACITY: usize = 65536;
/// Minimum and maximum capacity (`/proc/sys/fs/pipe-max-size`).
const MIN_CAPACITY: usize = 4096;
const MAX_CAPACITY: usize = 1 << 20;

/// A queue of bytes with counted ends.
pub(crate) struct Channel {
    bytes: RefCell<VecDeque<u8>>,
    pub capacity: Cell<usize>,
    pub readers: Cell<usize>,
    pub writers: Cell<usize>,
    pub generation: Cell<u64>,
    /// How often it was opened for reading and for writing.
    pub opened: [Cell<u64>; 2],
    /// Bytes that have been read from it, and written to it.
    moved: [Cell<u64>; 2],
    pub ino: u64,
    /// The locks of a pipe without a name; a named pipe has those of its inode.
    pub locks: Rc<FileLocks>,
    pub shared: Rc<Shared>,
    /// See `StoredByte::object`.
    number: u64,
    /// Memory for its capacity.
    charge: Charge,
}

impl Channel {
    /// An empty queue, whose capacity is charged to the guest's memory.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(shared: &Rc<Shared>) -> Result<Rc<Channel>> {
        Ok(Rc::new(Channel {
            bytes: RefCell::default(),
            capacity: Cell::new(CAPACITY),
            readers: Cell::new(0),
            writers: Cell::new(0),
            generation: Cell::new(0),
            opened: [Cell::new(0), Cell::new(0)],
            moved: [Cell::new(0), Cell::new(0)],
            number: shared.transfers.fresh(),
            ino: shared.fresh_ino(),
            locks: FileLocks::new(shared.charge(0)?),
            shared: Rc::clone(shared),
            charge: shared.charge(CAPACITY as u64)?,
        }))
    }

    pub fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
        self.shared.note_activity();
    }

    /// `n` bytes are about to be read (`end` 0) or written (1).
    fn note_moved(&self, end: usize, n: usize) {
        let position = self.moved[end].get();
        self.shared.transfers.note(|| Some(StoredByte { object: (KERNEL, self.number), position }));
        self.moved[end].set(position + n as u64);
    }

    pub fn len(&self) -> usize {
        self.bytes.borrow().len()
    }

    pub fn room(&self) -> usize {
        self.capacity.get().saturating_sub(self.len())
    }

    pub fn read(&self, buf: &mut [u8]) -> Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        let mut bytes = self.bytes.borrow_mut();
        if bytes.is_empty() {
            return if self.writers.get() == 0 { Ok(0) } else { Err(Errno::EAGAIN) };
        }
        let n = buf.len().min(bytes.len());
        self.note_moved(0, n);
        for (to, from) in buf.iter_mut().zip(bytes.drain(..n)) {
            *to = from;
        }
        drop(bytes);
        self.changed();
        Ok(n)
    }

    /// Writes of up to `PIPE_BUF` bytes are all or nothing.
    pub fn write(&self, data: &[u8]) -> Result<usize> {
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
        self.note_moved(1, n);
        let mut bytes = self.bytes.borrow_mut();
        let needed = bytes.len() + n;
        if needed > bytes.capacity() {
            // Twice as much as before, but not more than is charged.
            let whole = needed.max(2 * bytes.capacity()).min(self.capacity.get());
            let more = whole - bytes.len();
            bytes.reserve_exact(more);
        }
        bytes.extend(&data[..n]);
        drop(bytes);
        self.changed();
        Ok(n)
    }

    pub fn read_events(&self) -> Events {
        let mut events = Events::default();
        if self.len() > 0 {
            events = events.with(Events::IN.0);
        }
        if self.writers.get() == 0 {
            events = events.with(poll::HUP);
        }
        events
    }

    pub fn write_events(&self) -> Events {
        let mut events = Events::default();
        if self.room() >= limit::PIPE_BUF {
            events = events.with(Events::OUT.0);
        }
        if self.readers.get() == 0 {
            events = events.with(poll::ERR);
        }
        events
    }

    pub fn resize(&self, size: usize) -> Result<usize> {
        if size > MAX_CAPACITY {
            return Err(Errno::EPERM);
        }
        let size = size.max(MIN_CAPACITY).next_power_of_two();
        if size < self.len() {
            return Err(Errno::EBUSY);
        }
        self.charge.resize(size as u64)?;
        self.bytes.borrow_mut().shrink_to(size);
        self.capacity.set(size);
        self.changed();
        Ok(size)
    }
}

/// A counted reference to the reading end of a channel.
pub(in crate::fs) struct Reader(Rc<Channel>);

/// A counted reference to the writing end of a channel.
pub(in crate::fs) struct Writer(Rc<Channel>);

impl Reader {
    pub fn new(channel: &Rc<Channel>) -> Reader {
        channel.readers.set(channel.readers.get() + 1);
        channel.opened[0].set(channel.opened[0].get() + 1);
        Reader(Rc::clone(channel))
    }
}

impl Writer {
    pub fn new(channel: &Rc<Channel>) -> Writer {
        channel.writers.set(channel.writers.get() + 1);
        channel.opened[1].set(channel.opened[1].get() + 1);
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
pub(in crate::fs) fn anonymous_stat(shared: &Shared, kind: u32, ino: u64) -> Stat {
    let now = shared.platform().now();
    let (atime, mtime, ctime) = (now, now, now);
    Stat { ino, mode: kind, nlink: 1, atime, mtime, ctime, ..Stat::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::FixedPlatform;
    use crate::fs::stat::Timespec;

    #[test]
    fn a_pipe_is_charged_for_its_buffer() {
        let platform = Rc::new(FixedPlatform::new(Timespec { sec: 0, nsec: 0 }, 1));
        let channel = Channel::new(&Shared::new(platform.clone())).expect("memory");
        let _ends = (Reader::new(&channel), Writer::new(&channel));
        let taken = || channel.bytes.borrow().capacity() as u64;
        for size in [MAX_CAPACITY, MIN_CAPACITY] {
            channel.resize(size).expect("an empty pipe can be resized");
            let mut written = 0;
            while let Ok(n) = channel.write(&vec![1; 12345.min(size - written)]) {
                written += n;
                assert!(taken() <= platform.used(), "{} of {}", taken(), platform.used());
                if written == size {
                    break;
                }
            }
            assert_eq!(channel.read(&mut vec![0; size]), Ok(size));
            channel.resize(MIN_CAPACITY).expect("an empty pipe can be resized");
            assert!(taken() <= platform.used(), "{} of {}", taken(), platform.used());
        }
    }
}
