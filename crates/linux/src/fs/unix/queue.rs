//! The queue between two sockets: packets in flight in one direction.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::limit;
use crate::fs::open_file::FileRef;
use crate::fs::shared_state::{KERNEL, Shared, StoredByte};

/// The capacity of a queue in bytes.
pub const CAPACITY: usize = 65536;
/// Bytes that count against the capacity for a packet in addition to its data, and for each open file that it carries:
/// about their cost on the host.
const PACKET: usize = 256;
const FILE: usize = 64;

/// Data with the open files and the sender's address that accompany it.
struct Packet {
    /// The bytes that have not been read.
    data: VecDeque<u8>,
    /// Open files (`SCM_RIGHTS`).
    files: Vec<FileRef>,
    /// The sender's address, if it has one.
    from: Option<Vec<u8>>,
    /// Bytes that count for the packet itself.
    overhead: usize,
}

/// What all queues share.
pub(super) struct Queues {
    pub shared: Rc<Shared>,
    /// Files that were in flight in a queue that has been dropped.
    to_close: RefCell<Vec<FileRef>>,
    closing: Cell<bool>,
}

impl Queues {
    /// No queues.
    pub fn new(shared: &Rc<Shared>) -> Rc<Queues> {
        let (to_close, closing) = (RefCell::default(), Cell::new(false));
        Rc::new(Queues { shared: Rc::clone(shared), to_close, closing })
    }

    /// Closes files that were in flight. Such a file may be a socket with further files in flight, to any depth, so
    /// they are closed in a loop and not recursively.
    fn close_iteratively(&self, files: Vec<FileRef>) {
        self.to_close.borrow_mut().extend(files);
        if self.closing.replace(true) {
            return;
        }
        loop {
            let next = self.to_close.borrow_mut().pop();
            let Some(file) = next else { break };
            drop(file);
        }
        self.closing.set(false);
    }
}

/// Packets in flight.
pub struct Queue {
    packets: RefCell<VecDeque<Packet>>,
    used: Cell<usize>,
    /// Bytes that have been taken from it, and put into it.
    moved: [Cell<u64>; 2],
    /// See `StoredByte::object`.
    number: u64,
    /// Whether the reading side, and the writing side, is still open.
    pub reader: Cell<bool>,
    pub writer: Cell<bool>,
    /// Counts changes.
    pub generation: Cell<u64>,
    all: Rc<Queues>,
    _charge: Charge,
}

impl Drop for Queue {
    fn drop(&mut self) {
        let packets = self.packets.get_mut().drain(..);
        self.all.close_iteratively(packets.flat_map(|p| p.files).collect());
    }
}

/// A received message, or part of a stream.
#[derive(Default)]
pub struct Received {
    /// Bytes copied to the buffer.
    pub len: usize,
    /// Bytes of the message: more if the buffer was too short.
    pub whole: usize,
    /// The open files that it carried.
    pub files: Vec<FileRef>,
    /// The sender's address.
    pub from: Option<Vec<u8>>,
}

impl Queue {
    /// An empty queue, charged to the guest's memory.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(all: &Rc<Queues>) -> Result<Rc<Queue>> {
        Ok(Rc::new(Queue {
            packets: RefCell::default(),
            used: Cell::new(0),
            moved: [Cell::new(0), Cell::new(0)],
            number: all.shared.transfers.fresh(),
            reader: Cell::new(true),
            writer: Cell::new(true),
            generation: Cell::new(0),
            all: Rc::clone(all),
            _charge: all.shared.charge(CAPACITY as u64)?,
        }))
    }

    /// Notes that something has changed.
    pub fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
        self.all.shared.note_activity();
    }

    /// Bytes are about to be taken (`end` 0) or put (1).
    fn note_moved(&self, end: usize) {
        let position = self.moved[end].get();
        self.all
            .shared
            .transfers
            .note(|| Some(StoredByte { object: (KERNEL, self.number), position }));
    }

    /// Whether there is anything to read.
    pub fn has_packets(&self) -> bool {
        !self.packets.borrow().is_empty()
    }

    /// Bytes available to the next read: all, or those of the first message.
    pub fn available(&self, messages: bool) -> usize {
        let packets = self.packets.borrow();
        let lengths = packets.iter().map(|p| p.data.len());
        if messages { lengths.take(1).sum() } else { lengths.sum() }
    }

    /// Whether a writer need not wait.
    pub fn has_room(&self) -> bool {
        self.used.get() + limit::PIPE_BUF + PACKET <= CAPACITY
    }

    /// Sends a whole message, or as much of a stream as there is room for.
    ///
    /// # Errors
    /// `EPIPE` when the reader has closed; `EAGAIN` when there is no room; `EMSGSIZE` beyond the capacity.
    pub fn send(
        &self,
        data: &[u8],
        files: Vec<FileRef>,
        from: Option<Vec<u8>>,
        messages: bool,
    ) -> Result<usize> {
        if !self.reader.get() {
            return Err(Errno::EPIPE);
        }
        let mut packets = self.packets.borrow_mut();
        let joins =
            !messages && files.is_empty() && packets.back().is_some_and(|p| p.files.is_empty());
        let overhead = if joins { 0 } else { PACKET + FILE * files.len() };
        if messages && data.len() + overhead > CAPACITY {
            return Err(Errno::EMSGSIZE);
        }
        // An empty write to a stream has no effect.
        if !messages && data.is_empty() {
            return Ok(0);
        }
        let room = CAPACITY - self.used.get();
        let least = overhead + if messages { data.len() } else { 1 };
        if room < least {
            return Err(Errno::EAGAIN);
        }
        let room = room - overhead;
        let n = data.len().min(room);
        self.note_moved(1);
        self.moved[1].set(self.moved[1].get() + n as u64);
        match packets.back_mut() {
            Some(last) if joins => last.data.extend(&data[..n]),
            _ => {
                let data = data[..n].iter().copied().collect();
                packets.push_back(Packet { data, files, from, overhead });
            }
        }
        drop(packets);
        self.used.set(self.used.get() + n + overhead);
        self.changed();
        Ok(n)
    }

    /// Receives a message, or as much of a stream as there is up to the next open files; with `peek` it stays queued.
    ///
    /// # Errors
    /// `EAGAIN` when the queue is empty.
    pub fn receive(&self, buf: &mut [u8], peek: bool, messages: bool) -> Result<Received> {
        let mut got = Received::default();
        if buf.is_empty() && !messages {
            return Ok(got);
        }
        let mut packets = self.packets.borrow_mut();
        if packets.is_empty() {
            return if self.writer.get() { Err(Errno::EAGAIN) } else { Ok(got) };
        }
        self.note_moved(0);
        for p in packets.iter() {
            if got.whole > 0 && (!p.files.is_empty() || got.len == buf.len()) {
                break;
            }
            let to = &mut buf[got.len..];
            p.data.iter().zip(&mut *to).for_each(|(from, to)| *to = *from);
            got.len += p.data.len().min(to.len());
            got.whole += p.data.len();
            got.files.extend(p.files.iter().cloned());
            got.from = got.from.or_else(|| p.from.clone());
            if messages || !p.files.is_empty() {
                break;
            }
        }
        if !peek {
            let taken = if messages { got.whole } else { got.len };
            self.moved[0].set(self.moved[0].get() + taken as u64);
            let freed =
                if messages { take_message(&mut packets) } else { take(&mut packets, got.len) };
            self.used.set(self.used.get() - freed);
            drop(packets);
            self.changed();
        }
        Ok(got)
    }
}

/// Removes the first message, and returns the room that it took.
fn take_message(packets: &mut VecDeque<Packet>) -> usize {
    packets.pop_front().map_or(0, |p| p.data.len() + p.overhead)
}

/// Removes the first `len` bytes, and returns the room that they took.
fn take(packets: &mut VecDeque<Packet>, len: usize) -> usize {
    let (mut left, mut freed) = (len, 0);
    while let Some(p) = packets.front_mut().filter(|_| left > 0) {
        let n = left.min(p.data.len());
        p.data.drain(..n);
        p.files.clear();
        (left, freed) = (left - n, freed + n);
        if p.data.is_empty() {
            freed += p.overhead;
            packets.pop_front();
        }
    }
    freed
}
