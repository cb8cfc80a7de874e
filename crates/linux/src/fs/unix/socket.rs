//! A socket, and the table of all sockets.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};

use super::endpoint::{Endpoint, Kind, Peer, connection};
use super::queue::{Queue, Queues, Received};
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::open_file::FileRef;
use crate::fs::shared_state::Shared;

/// The state of a socket.
pub(super) enum State {
    Idle,
    Listening { pending: VecDeque<Endpoint>, backlog: usize },
    Connected(Endpoint),
}

/// A socket.
pub struct UnixSocket {
    pub(super) kind: Kind,
    /// The process that created it.
    process: Peer,
    pub(super) ino: u64,
    pub(super) state: RefCell<State>,
    /// Its address as in `sun_path`: a path without NUL, or NUL and an abstract name.
    pub(in crate::fs) address: RefCell<Option<Vec<u8>>>,
    pub(super) sockets: Rc<Sockets>,
    pub(super) generation: Cell<u64>,
    _charge: Charge,
}

/// Bytes charged for a socket in addition to its queues: its record, its description, its address.
const SOCKET: u64 = 1024;

/// Maximum number of connections that wait to be accepted (`SOMAXCONN`).
const MAX_BACKLOG: usize = 4096;

impl Drop for UnixSocket {
    fn drop(&mut self) {
        self.sockets.open.borrow_mut().remove(&self.ino);
    }
}

/// The sockets of the machine.
pub(crate) struct Sockets {
    pub(super) queues: Rc<Queues>,
    /// By inode number. Each leaves the map when it is dropped.
    open: RefCell<BTreeMap<u64, Weak<UnixSocket>>>,
    /// By abstract name.
    abstract_names: RefCell<BTreeMap<Vec<u8>, Weak<UnixSocket>>>,
    /// By the number of the inode to which they are bound.
    bound: RefCell<BTreeMap<u64, Weak<UnixSocket>>>,
}

impl Sockets {
    /// No sockets.
    pub fn new(shared: &Rc<Shared>) -> Sockets {
        Sockets {
            queues: Queues::new(shared),
            open: RefCell::default(),
            abstract_names: RefCell::default(),
            bound: RefCell::default(),
        }
    }

    /// Adds a socket that is being opened.
    pub(super) fn add(&self, socket: &Rc<UnixSocket>) {
        self.open.borrow_mut().insert(socket.ino, Rc::downgrade(socket));
    }

    /// All sockets.
    pub(super) fn all(&self) -> Vec<Rc<UnixSocket>> {
        self.open.borrow().values().filter_map(Weak::upgrade).collect()
    }

    /// The number of sockets.
    pub fn count(&self) -> usize {
        self.open.borrow().len()
    }

    /// Gives a socket an abstract name.
    ///
    /// # Errors
    /// `EADDRINUSE`.
    pub fn name(&self, socket: &Rc<UnixSocket>, name: &[u8]) -> Result<()> {
        let mut names = self.abstract_names.borrow_mut();
        names.retain(|_, socket| socket.strong_count() > 0);
        if names.contains_key(name) {
            return Err(Errno::EADDRINUSE);
        }
        names.insert(name.to_vec(), Rc::downgrade(socket));
        Ok(())
    }

    /// The socket with an abstract name.
    pub fn named(&self, name: &[u8]) -> Option<Rc<UnixSocket>> {
        self.abstract_names.borrow().get(name)?.upgrade()
    }

    /// Binds a socket to the inode with this number.
    pub fn bind(&self, socket: &Rc<UnixSocket>, ino: u64) {
        let mut bound = self.bound.borrow_mut();
        bound.retain(|_, socket| socket.strong_count() > 0);
        bound.insert(ino, Rc::downgrade(socket));
    }

    /// The socket that is bound to the inode with this number.
    pub fn bound_to(&self, ino: u64) -> Option<Rc<UnixSocket>> {
        self.bound.borrow().get(&ino)?.upgrade()
    }
}

impl UnixSocket {
    pub(super) fn new(sockets: &Rc<Sockets>, kind: Kind, process: Peer) -> Result<UnixSocket> {
        let shared = &sockets.queues.shared;
        Ok(UnixSocket {
            _charge: shared.charge(SOCKET)?,
            kind,
            process,
            ino: shared.fresh_ino(),
            state: RefCell::new(State::Idle),
            address: RefCell::default(),
            sockets: Rc::clone(sockets),
            generation: Cell::new(0),
        })
    }

    fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
        self.sockets.queues.shared.note_activity();
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

    /// The socket of the first connection that waits to be accepted.
    ///
    /// # Errors
    /// As `accept`.
    pub(super) fn next_pending(&self) -> Result<Rc<UnixSocket>> {
        let socket = UnixSocket::new(&self.sockets, self.kind, self.process)?;
        let end = match &mut *self.state.borrow_mut() {
            State::Listening { pending, .. } => pending.pop_front().ok_or(Errno::EAGAIN)?,
            _ => return Err(Errno::EINVAL),
        };
        self.changed();
        *socket.address.borrow_mut() = self.address.borrow().clone();
        *socket.state.borrow_mut() = State::Connected(end);
        Ok(Rc::new(socket))
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
            connection(&self.sockets.queues, self.kind, (ours, process), (theirs, target.process))?;
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
        let input = Queue::new(&self.sockets.queues)?;
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
