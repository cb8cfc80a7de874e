//! Sockets of `AF_UNIX`, entirely inside the emulation: pairs, and sockets bound in the guest's file system or in the
//! abstract name space. No socket of the host is involved.

mod file;
mod names;
mod queue;
mod table;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use self::file::open;
use self::queue::Queue;
pub use self::queue::Received;
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::open_file::FileRef;
use crate::fs::shared_state::Shared;
use crate::fs::vfs::Vfs;

/// The type of a socket.
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

/// One end of a connection. For datagrams, the receive queue and the default destination.
struct Endpoint {
    input: Rc<Queue>,
    output: Option<Rc<Queue>>,
    /// The other side's address and process.
    peer: Option<Vec<u8>>,
    peer_process: Peer,
    /// Datagrams: all senders share the queue, so none of them ends it.
    shared_output: bool,
}

impl Drop for Endpoint {
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
    Listening { pending: VecDeque<Endpoint>, backlog: usize },
    Connected(Endpoint),
}

/// A socket.
pub struct UnixSocket {
    kind: Kind,
    /// The process that created it.
    process: Peer,
    ino: u64,
    state: RefCell<State>,
    /// Its address as in `sun_path`: a path without NUL, or NUL and an abstract name.
    address: RefCell<Option<Vec<u8>>>,
    shared: Rc<Shared>,
    generation: Cell<u64>,
    _charge: Charge,
}

/// Bytes charged for a socket in addition to its queues: its record, its description, its address.
const SOCKET: u64 = 1024;

/// Sockets by abstract name.
pub(crate) type AbstractNames = std::collections::BTreeMap<Vec<u8>, Weak<UnixSocket>>;

/// Sockets by inode number. Each leaves the map when it is dropped.
pub(crate) type AllSockets = std::collections::BTreeMap<u64, Weak<UnixSocket>>;

/// Maximum number of connections that wait to be accepted (`SOMAXCONN`).
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

    /// Its type.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its address as in `sun_path`, or that of the other side.
    ///
    /// # Errors
    /// `ENOTCONN` when it is not connected.
    pub fn address(&self, peer: bool) -> Result<Option<Vec<u8>>> {
        match (&*self.state.borrow(), peer) {
            (_, false) => Ok(self.address.borrow().clone()),
            (State::Connected(Endpoint { output: Some(_), peer, .. }), true) => Ok(peer.clone()),
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

    /// Whether it listens.
    pub fn is_listening(&self) -> bool {
        matches!(*self.state.borrow(), State::Listening { .. })
    }

    /// Starts to listen.
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

    /// Accepts a connection.
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

    /// The receive queue of a datagram socket, created at the first use.
    fn datagrams(&self) -> Result<Rc<Queue>> {
        let mut state = self.state.borrow_mut();
        if let State::Connected(end) = &*state {
            return Ok(Rc::clone(&end.input));
        }
        let input = Queue::new(&self.shared)?;
        let end = Endpoint {
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
    /// `ENOTCONN`, `EISCONN`, `EPIPE`, `EAGAIN`, `EMSGSIZE`; `ECONNREFUSED` when the receiver of a datagram has
    /// been closed.
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
                State::Connected(Endpoint { output: Some(output), .. }) => Rc::clone(output),
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

    /// Receives; with `peek` the data stays queued.
    ///
    /// # Errors
    /// `ENOTCONN`; `EAGAIN` when the queue is empty.
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
) -> Result<(Endpoint, Endpoint)> {
    let (a, b) = (Queue::new(shared)?, Queue::new(shared)?);
    let end = |input: &Rc<Queue>, output: &Rc<Queue>, peer: (Option<Vec<u8>>, Peer)| Endpoint {
        input: Rc::clone(input),
        output: Some(Rc::clone(output)),
        peer: peer.0,
        peer_process: peer.1,
        shared_output: kind == Kind::Datagram,
    };
    Ok((end(&a, &b, far), end(&b, &a, near)))
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
