//! Sockets of `AF_UNIX`, wholly inside the emulation: pairs, and sockets with names in the guest's file system
//! or in the abstract name space. No socket of the host is made.

mod names;
mod queue;
mod table;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use self::queue::Queue;
pub use self::queue::Received;
use super::abi::{o, poll, s};
use super::channel::{anonymous_stat, fionread};
use super::file::{FileRef, OpenFile};
use super::object::{Events, FileObject, IoctlArg, Pollable, Socket};
use super::shared::Shared;
use super::stat::Stat;
use super::vfs::Vfs;
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};

/// What a socket transports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Bytes (`SOCK_STREAM`).
    Stream,
    /// Messages without connection (`SOCK_DGRAM`).
    Datagram,
    /// Messages over a connection (`SOCK_SEQPACKET`).
    Packets,
}

impl Kind {
    fn messages(self) -> bool {
        self != Kind::Stream
    }
}

/// A process as the other side of a socket sees it (`struct ucred`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Peer {
    /// Its number; 0 if there is none.
    pub pid: i32,
    /// Its effective user.
    pub uid: u32,
    /// Its effective group.
    pub gid: u32,
}

/// One end of a connection; for datagrams, where they come in and where they go by default.
struct End {
    input: Rc<Queue>,
    output: Option<Rc<Queue>>,
    /// The other side's address and process.
    peer: Option<Vec<u8>>,
    peer_process: Peer,
    /// Datagrams: the queue is that of all senders, so none of them ends it.
    shared_output: bool,
}

impl Drop for End {
    fn drop(&mut self) {
        self.input.reader.set(false);
        self.input.changed();
        if let Some(output) = self.output.as_ref().filter(|_| !self.shared_output) {
            output.writer.set(false);
            output.changed();
        }
    }
}

enum State {
    Idle,
    Listening { pending: VecDeque<End>, backlog: usize },
    Connected(End),
}

/// A socket.
pub struct UnixSocket {
    kind: Kind,
    /// The process that made it.
    process: Peer,
    ino: u64,
    state: RefCell<State>,
    /// Its address as in `sun_path`: a path without NUL, or NUL and an abstract name.
    address: RefCell<Option<Vec<u8>>>,
    shared: Rc<Shared>,
    generation: Cell<u64>,
    _charge: Charge,
}

/// What a socket counts beside its queues: its record, its description, its address.
const SOCKET: u64 = 1024;

/// Sockets by abstract name.
pub(crate) type AbstractNames = std::collections::BTreeMap<Vec<u8>, Weak<UnixSocket>>;

/// Sockets by inode number, which each leaves as it ends.
pub(crate) type AllSockets = std::collections::BTreeMap<u64, Weak<UnixSocket>>;

/// Most connections that wait to be accepted (`SOMAXCONN`).
const MAX_BACKLOG: usize = 4096;

impl Drop for UnixSocket {
    fn drop(&mut self) {
        self.shared.all_sockets().remove(&self.ino);
    }
}

impl UnixSocket {
    fn new(shared: &Rc<Shared>, kind: Kind, process: Peer) -> Result<UnixSocket> {
        Ok(UnixSocket {
            _charge: shared.charge(SOCKET)?,
            kind,
            process,
            ino: shared.fresh_ino(),
            state: RefCell::new(State::Idle),
            address: RefCell::default(),
            shared: Rc::clone(shared),
            generation: Cell::new(0),
        })
    }

    fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
        self.shared.note_activity();
    }

    /// Its inode number.
    pub fn number(&self) -> u64 {
        self.ino
    }

    /// What it transports.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its address as in `sun_path`, or that of the other side.
    ///
    /// # Errors
    /// `ENOTCONN` when there is no other side.
    pub fn address(&self, peer: bool) -> Result<Option<Vec<u8>>> {
        match (&*self.state.borrow(), peer) {
            (_, false) => Ok(self.address.borrow().clone()),
            (State::Connected(End { output: Some(_), peer, .. }), true) => Ok(peer.clone()),
            _ => Err(Errno::ENOTCONN),
        }
    }

    /// The process at the other side.
    pub fn peer_process(&self) -> Peer {
        match &*self.state.borrow() {
            State::Connected(end) => end.peer_process,
            State::Listening { .. } => self.process,
            State::Idle => Peer { pid: 0, uid: u32::MAX, gid: u32::MAX },
        }
    }

    /// Whether it waits for connections.
    pub fn is_listening(&self) -> bool {
        matches!(*self.state.borrow(), State::Listening { .. })
    }

    /// Begins to wait for connections.
    ///
    /// # Errors
    /// `EOPNOTSUPP` for datagrams; `EINVAL` without address or when connected.
    pub fn listen(&self, backlog: i32) -> Result<()> {
        if self.kind == Kind::Datagram {
            return Err(Errno::EOPNOTSUPP);
        }
        let most = usize::try_from(backlog).unwrap_or(0).clamp(1, MAX_BACKLOG);
        let mut state = self.state.borrow_mut();
        match &mut *state {
            State::Idle if self.address.borrow().is_some() => {
                *state = State::Listening { pending: VecDeque::new(), backlog: most };
                Ok(())
            }
            State::Listening { backlog, .. } => {
                *backlog = most;
                Ok(())
            }
            _ => Err(Errno::EINVAL),
        }
    }

    /// Takes a connection.
    ///
    /// # Errors
    /// `EAGAIN` when there is none; `EINVAL` when it does not listen; `ENOMEM`.
    pub fn accept(&self, flags: u32) -> Result<FileRef> {
        let socket = UnixSocket::new(&self.shared, self.kind, self.process)?;
        let end = match &mut *self.state.borrow_mut() {
            State::Listening { pending, .. } => pending.pop_front().ok_or(Errno::EAGAIN)?,
            _ => return Err(Errno::EINVAL),
        };
        self.changed();
        *socket.address.borrow_mut() = self.address.borrow().clone();
        *socket.state.borrow_mut() = State::Connected(end);
        Ok(open(Rc::new(socket), flags))
    }

    /// Connects to `target` as `process`.
    ///
    /// # Errors
    /// `ECONNREFUSED`, `EPROTOTYPE`, `EISCONN`; `EAGAIN` when too many wait to be accepted.
    pub fn connect(&self, target: &UnixSocket, process: Peer) -> Result<()> {
        if self.kind != target.kind {
            return Err(Errno::EPROTOTYPE);
        }
        if self.kind == Kind::Datagram {
            let output = target.datagrams()?;
            self.datagrams()?;
            if let State::Connected(end) = &mut *self.state.borrow_mut() {
                end.output = Some(output);
                end.peer.clone_from(&target.address.borrow());
                end.peer_process = target.process;
            }
            return Ok(());
        }
        if !matches!(*self.state.borrow(), State::Idle) {
            let listens = self.is_listening();
            return Err(if listens { Errno::EINVAL } else { Errno::EISCONN });
        }
        let mut state = target.state.borrow_mut();
        let State::Listening { pending, backlog } = &mut *state else {
            return Err(Errno::ECONNREFUSED);
        };
        if pending.len() >= *backlog {
            return Err(Errno::EAGAIN);
        }
        let (ours, theirs) = (self.address.borrow().clone(), target.address.borrow().clone());
        let (near, far) =
            connection(&self.shared, self.kind, (ours, process), (theirs, target.process))?;
        pending.push_back(far);
        drop(state);
        *self.state.borrow_mut() = State::Connected(near);
        target.changed();
        self.changed();
        Ok(())
    }

    /// The queue in which a datagram socket receives, made at the first use.
    fn datagrams(&self) -> Result<Rc<Queue>> {
        let mut state = self.state.borrow_mut();
        if let State::Connected(end) = &*state {
            return Ok(Rc::clone(&end.input));
        }
        let input = Queue::new(&self.shared)?;
        let end = End {
            input: Rc::clone(&input),
            output: None,
            peer: None,
            peer_process: Peer::default(),
            shared_output: true,
        };
        *state = State::Connected(end);
        Ok(input)
    }

    /// Sends data with open files, to `target` or the other side.
    ///
    /// # Errors
    /// `ENOTCONN`, `EISCONN`, `EPIPE`, `EAGAIN`, `EMSGSIZE`; `ECONNREFUSED` when a receiver of datagrams is gone.
    pub fn send(
        &self,
        data: &[u8],
        files: Vec<FileRef>,
        target: Option<&UnixSocket>,
    ) -> Result<usize> {
        let datagram = self.kind == Kind::Datagram;
        let output = match target {
            Some(target) if datagram && target.kind == Kind::Datagram => target.datagrams()?,
            Some(_) if datagram => return Err(Errno::EPROTOTYPE),
            Some(_) => return Err(Errno::EISCONN),
            None => match &*self.state.borrow() {
                State::Connected(End { output: Some(output), .. }) => Rc::clone(output),
                _ => return Err(Errno::ENOTCONN),
            },
        };
        if !output.writer.get() {
            return Err(Errno::EPIPE);
        }
        let from = if datagram { self.address.borrow().clone() } else { None };
        output.send(data, files, from, self.kind.messages()).map_err(|e| match e {
            Errno::EPIPE if datagram => Errno::ECONNREFUSED,
            e => e,
        })
    }

    /// Receives; with `peek` the data stay.
    ///
    /// # Errors
    /// `ENOTCONN`; `EAGAIN` when there is nothing.
    pub fn receive(&self, buf: &mut [u8], peek: bool) -> Result<Received> {
        if self.kind == Kind::Datagram {
            self.datagrams()?;
        }
        let input = match &*self.state.borrow() {
            State::Connected(end) => Rc::clone(&end.input),
            State::Listening { .. } => return Err(Errno::EINVAL),
            State::Idle => return Err(Errno::ENOTCONN),
        };
        if !input.reader.get() {
            return Ok(Received::default());
        }
        input.receive(buf, peek, self.kind.messages())
    }
}

/// The two ends of a connection, given the address and process of each side.
fn connection(
    shared: &Rc<Shared>,
    kind: Kind,
    near: (Option<Vec<u8>>, Peer),
    far: (Option<Vec<u8>>, Peer),
) -> Result<(End, End)> {
    let (a, b) = (Queue::new(shared)?, Queue::new(shared)?);
    let end = |input: &Rc<Queue>, output: &Rc<Queue>, peer: (Option<Vec<u8>>, Peer)| End {
        input: Rc::clone(input),
        output: Some(Rc::clone(output)),
        peer: peer.0,
        peer_process: peer.1,
        shared_output: kind == Kind::Datagram,
    };
    Ok((end(&a, &b, far), end(&b, &a, near)))
}

/// An open file of a socket.
struct SocketFile(Rc<UnixSocket>);

impl UnixSocket {
    /// The socket that an open file is of.
    #[must_use]
    pub fn of(file: &OpenFile) -> Option<&Rc<UnixSocket>> {
        file.kind::<SocketFile>().map(|file| &file.0)
    }
}

fn open(socket: Rc<UnixSocket>, flags: u32) -> FileRef {
    socket.shared.all_sockets().insert(socket.ino, Rc::downgrade(&socket));
    OpenFile::new(Box::new(SocketFile(socket)), o::RDWR | (flags & o::NONBLOCK))
}

impl FileObject for SocketFile {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat(&self.0.shared, s::IFSOCK | 0o777, self.0.ino))
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

impl Vfs {
    /// `socket(AF_UNIX)`; `flags` may contain `O_NONBLOCK`.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn unix_socket(&self, kind: Kind, process: Peer, flags: u32) -> Result<FileRef> {
        Ok(open(Rc::new(UnixSocket::new(&self.shared, kind, process)?), flags))
    }

    /// `socketpair(AF_UNIX)`; `flags` are `SOCK_NONBLOCK` and `SOCK_CLOEXEC`, which equal the `O_*` flags.
    ///
    /// # Errors
    /// `EINVAL` for another flag; `ENOMEM`.
    pub fn socketpair(&self, kind: Kind, process: Peer, flags: u32) -> Result<(FileRef, FileRef)> {
        if flags & !(o::CLOEXEC | o::NONBLOCK) != 0 {
            return Err(Errno::EINVAL);
        }
        let (near, far) = connection(&self.shared, kind, (None, process), (None, process))?;
        let make = |end| -> Result<FileRef> {
            let socket = UnixSocket::new(&self.shared, kind, process)?;
            *socket.state.borrow_mut() = State::Connected(end);
            Ok(open(Rc::new(socket), flags))
        };
        Ok((make(near)?, make(far)?))
    }
}
