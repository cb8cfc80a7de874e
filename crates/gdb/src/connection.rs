//! The socket to gdb. It is read and written with calls that a confined thread may make.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;

/// Bytes that are read at once.
const CHUNK: usize = 4096;

/// A connection to gdb.
pub struct Connection {
    socket: OwnedFd,
    input: VecDeque<u8>,
    output: Vec<u8>,
}

impl Connection {
    /// A connection over this stream socket.
    pub fn new(socket: OwnedFd) -> Connection {
        Connection { socket, input: VecDeque::new(), output: Vec::new() }
    }

    /// Whether there is input, or the other end has closed the connection, within this time.
    pub fn has_input(&self, milliseconds: u32) -> bool {
        if !self.input.is_empty() {
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
        while self.input.is_empty() {
            let mut chunk = [0; CHUNK];
            match rustix::io::read(&self.socket, &mut chunk) {
                Ok(0) => return Ok(None),
                Ok(n) => self.input.extend(&chunk[..n]),
                Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(self.input.pop_front())
    }
}

impl gdbstub::conn::Connection for Connection {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.output.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut left = &self.output[..];
        while !left.is_empty() {
            match rustix::io::write(&self.socket, left) {
                Ok(n) => left = &left[n..],
                Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
        self.output.clear();
        Ok(())
    }
}
