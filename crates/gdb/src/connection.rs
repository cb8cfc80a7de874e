//! The socket to gdb. It is read and written with calls that a confined thread may make.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;

/// Bytes that are read at once.
const CHUNK: usize = 4096;
/// What gdb sends for Ctrl-C, and for the packets that it receives (manual of gdb, "Remote Protocol").
const INTERRUPT: u8 = 3;
const ACKNOWLEDGEMENTS: &[u8] = b"+-";

/// A connection to gdb.
pub struct Connection {
    socket: OwnedFd,
    input: VecDeque<u8>,
    /// The other end has closed the connection.
    ended: bool,
    output: Vec<u8>,
}

impl Connection {
    /// A connection over this stream socket.
    pub fn new(socket: OwnedFd) -> Connection {
        Connection { socket, input: VecDeque::new(), ended: false, output: Vec::new() }
    }

    /// Whether there is input, or the other end has closed the connection, within this time.
    pub fn has_input(&self, milliseconds: u32) -> bool {
        if !self.input.is_empty() || self.ended {
            return true;
        }
        let limit = Timespec { tv_sec: 0, tv_nsec: i64::from(milliseconds.min(999)) * 1_000_000 };
        let mut fds = [PollFd::new(&self.socket, PollFlags::IN)];
        poll(&mut fds, Some(&limit)).is_ok_and(|n| n > 0)
    }

    /// The next byte, after `has_input`; `None` at the end of the input.
    ///
    /// # Errors
    /// The connection is broken.
    pub fn next_byte(&mut self) -> io::Result<Option<u8>> {
        if self.input.is_empty() {
            self.read()?;
        }
        Ok(self.input.pop_front())
    }

    /// Whether gdb wants a running guest to stop, or has gone. Packets wait until the guest stops; acknowledgements need no
    /// answer.
    pub fn interrupts(&mut self) -> bool {
        if self.input.is_empty() && !self.ended && self.has_input(0) && self.read().is_err() {
            self.ended = true;
        }
        while self.input.front().is_some_and(|b| ACKNOWLEDGEMENTS.contains(b)) {
            self.input.pop_front();
        }
        self.input.front().map_or(self.ended, |b| *b == INTERRUPT)
    }

    /// Sends what is to be sent, waiting this long for gdb to read; returns whether all of it is sent. If gdb never reads, a
    /// call that waits for it would never return.
    ///
    /// # Errors
    /// The connection is broken.
    pub fn send(&mut self, milliseconds: u32) -> io::Result<bool> {
        let limit = Timespec { tv_sec: 0, tv_nsec: i64::from(milliseconds.min(999)) * 1_000_000 };
        while !self.output.is_empty() {
            let mut fds = [PollFd::new(&self.socket, PollFlags::OUT)];
            match poll(&mut fds, Some(&limit)) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(Errno::INTR) => return Ok(false),
                Err(e) => return Err(e.into()),
            }
            // A socket that is ready takes this many bytes without waiting.
            let chunk = &self.output[..self.output.len().min(CHUNK)];
            match rustix::io::write(&self.socket, chunk) {
                Ok(n) => drop(self.output.drain(..n)),
                Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(true)
    }

    /// Reads what there is, or waits for it.
    fn read(&mut self) -> io::Result<()> {
        let mut chunk = [0; CHUNK];
        while !self.ended {
            match rustix::io::read(&self.socket, &mut chunk) {
                Ok(0) => self.ended = true,
                Ok(n) => {
                    self.input.extend(&chunk[..n]);
                    break;
                }
                Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(())
    }
}

impl gdbstub::conn::Connection for Connection {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.output.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send(0).map(drop)
    }
}
