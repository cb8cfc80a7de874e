//! The socket as an open file.

use std::rc::Rc;

use super::endpoint::{Kind, Peer, connection};
use super::socket::{Sockets, State, UnixSocket};
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, poll, s};
use crate::fs::channel::anonymous_stat;
use crate::fs::events::Events;
use crate::fs::object::{FileObject, IoctlArg, Pollable, Socket, fionread};
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::stat::Stat;

/// An open file of a socket.
struct SocketFile(Rc<UnixSocket>);

impl UnixSocket {
    /// The socket of an open file.
    #[must_use]
    pub fn of(file: &OpenFile) -> Option<&Rc<UnixSocket>> {
        file.kind().map(|SocketFile(socket)| socket)
    }

    /// Accepts a connection; returns its open file and the address of the other side, if that has one.
    ///
    /// # Errors
    /// `EAGAIN` when there is none; `EINVAL` when it does not listen; `ENOMEM`.
    pub fn accept(&self, flags: u32) -> Result<(FileRef, Option<Vec<u8>>)> {
        let socket = self.next_pending()?;
        let peer = socket.address(true).ok().flatten();
        Ok((open(socket, flags), peer))
    }
}

fn open(socket: Rc<UnixSocket>, flags: u32) -> FileRef {
    socket.sockets.add(&socket);
    OpenFile::new(Box::new(SocketFile(socket)), o::RDWR | (flags & o::NONBLOCK))
}

impl FileObject for SocketFile {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat(&self.0.sockets.queues.shared, s::IFSOCK | 0o777, self.0.ino))
    }

    fn label(&self) -> Vec<u8> {
        format!("socket:[{}]", self.0.ino).into_bytes()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.0.receive(buf, false).map(|r| r.len)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.0.send(data, Vec::new(), None)
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        let len = match &*self.0.state.borrow() {
            State::Connected(end) => end.input.available(self.0.kind.messages()),
            _ => 0,
        };
        fionread(command, arg, len)
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }

    fn socket(&self) -> &dyn Socket {
        self
    }
}

impl Pollable for SocketFile {
    fn poll_ready(&self) -> Events {
        let socket = &self.0;
        let state = socket.state.borrow();
        let end = match &*state {
            State::Connected(end) => end,
            State::Listening { pending, .. } if pending.is_empty() => return Events::default(),
            State::Listening { .. } => return Events::IN,
            State::Idle if socket.kind == Kind::Datagram => return Events::OUT,
            State::Idle => return Events::OUT.with(poll::HUP),
        };
        let shut_in = !end.input.writer.get() || !end.input.reader.get();
        let shut_out = end.output.as_ref().is_some_and(|q| !q.reader.get() || !q.writer.get());
        let mut events = Events::default();
        if end.input.has_packets() || shut_in {
            events = events.with(Events::IN.0);
        }
        if shut_in {
            events = events.with(poll::RDHUP);
        }
        if shut_in && shut_out {
            events = events.with(poll::HUP);
        }
        if shut_out || end.output.as_ref().is_none_or(|q| q.has_room()) {
            events = events.with(Events::OUT.0);
        }
        events
    }

    fn generation(&self) -> u64 {
        let ends = match &*self.0.state.borrow() {
            State::Connected(end) => {
                end.input.generation.get() + end.output.as_ref().map_or(0, |q| q.generation.get())
            }
            _ => 0,
        };
        self.0.generation.get() + ends
    }
}

impl Socket for SocketFile {
    fn shutdown(&self, how: u32) -> Result<()> {
        const RD: u32 = 0;
        const WR: u32 = 1;
        const RDWR: u32 = 2;
        if how > RDWR {
            return Err(Errno::EINVAL);
        }
        match &*self.0.state.borrow() {
            State::Connected(end) => {
                if how != WR {
                    end.input.reader.set(false);
                    end.input.changed();
                }
                if let Some(output) =
                    end.output.as_ref().filter(|_| how != RD && !end.shared_output)
                {
                    output.writer.set(false);
                    output.changed();
                }
                Ok(())
            }
            State::Listening { .. } => Ok(()),
            State::Idle => Err(Errno::ENOTCONN),
        }
    }
}

impl Sockets {
    /// The open file of a new socket.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn open(self: &Rc<Self>, kind: Kind, process: Peer, flags: u32) -> Result<FileRef> {
        Ok(open(Rc::new(UnixSocket::new(self, kind, process)?), flags))
    }

    /// The open files of two sockets that are connected to each other.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn open_pair(
        self: &Rc<Self>,
        kind: Kind,
        process: Peer,
        flags: u32,
    ) -> Result<(FileRef, FileRef)> {
        let (near, far) = connection(&self.queues, kind, (None, process), (None, process))?;
        let make = |end| -> Result<FileRef> {
            let socket = UnixSocket::new(self, kind, process)?;
            *socket.state.borrow_mut() = State::Connected(end);
            Ok(open(Rc::new(socket), flags))
        };
        Ok((make(near)?, make(far)?))
    }
}
