//! Sockets of `AF_NETLINK` (netlink(7)): answers of a kernel whose only network interface is the loopback one.
//! The host is not asked, and nothing can be changed.

mod generic;
mod message;
pub mod route;
#[cfg(test)]
mod tests;

use self::message::{FIRST_TYPE, flag};
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, s};
use crate::fs::{Events, FileObject, FileRef, IoctlArg, OpenFile, Pollable, Socket, Stat, Vfs};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// `AF_NETLINK`.
pub const NETLINK: u16 = 16;

/// Protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    /// Links, addresses, routes.
    Route,
    /// Sockets: every family is refused, so that programs read `/proc/net` instead.
    Sockets,
    /// Device events: there are none.
    Events,
    /// Families that are found by name.
    Generic,
}

impl Protocol {
    /// By its number (`include/uapi/linux/netlink.h`).
    ///
    /// # Errors
    /// `EPROTONOSUPPORT`.
    pub fn of(number: i32) -> Result<Protocol> {
        match number {
            0 => Ok(Protocol::Route),
            4 => Ok(Protocol::Sockets),
            15 => Ok(Protocol::Events),
            16 => Ok(Protocol::Generic),
            _ => Err(Errno::EPROTONOSUPPORT),
        }
    }

    /// Its number.
    pub fn number(self) -> u32 {
        match self {
            Protocol::Route => 0,
            Protocol::Sockets => 4,
            Protocol::Events => 15,
            Protocol::Generic => 16,
        }
    }
}

/// Ports in use.
pub type Ports = Rc<RefCell<BTreeSet<(Protocol, u32)>>>;

/// Maximum bytes of queued answers, and the bytes that are counted for a datagram in addition to its data.
const CAPACITY: usize = 65536;
const DATAGRAM: usize = 64;

/// A socket.
pub struct NetlinkSocket {
    /// Its protocol.
    pub protocol: Protocol,
    /// `SOCK_RAW` or `SOCK_DGRAM`; they behave alike.
    pub kind: u32,
    /// Its port, once it has one.
    port: Cell<Option<u32>>,
    groups: Cell<u32>,
    /// Error messages omit the payload of the request (`NETLINK_CAP_ACK`).
    pub capped: Cell<bool>,
    answers: RefCell<VecDeque<Vec<u8>>>,
    used: Cell<usize>,
    /// An answer has been lost.
    overrun: Cell<bool>,
    generation: Cell<u64>,
    ports: Ports,
    vfs: Vfs,
    ino: u64,
    _charge: Charge,
}

impl Drop for NetlinkSocket {
    fn drop(&mut self) {
        if let Some(port) = self.port.get() {
            self.ports.borrow_mut().remove(&(self.protocol, port));
        }
    }
}

/// A received datagram.
pub struct Received {
    /// Bytes copied to the buffer.
    pub len: usize,
    /// Bytes of the datagram.
    pub whole: usize,
}

impl NetlinkSocket {
    /// Opens a socket, whose answers are charged to the guest's memory; `flags` may contain `O_NONBLOCK`.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn open(
        vfs: &Vfs,
        ports: &Ports,
        protocol: Protocol,
        kind: u32,
        flags: u32,
    ) -> Result<FileRef> {
        let socket = NetlinkSocket {
            protocol,
            kind,
            port: Cell::new(None),
            groups: Cell::new(0),
            capped: Cell::new(false),
            answers: RefCell::default(),
            used: Cell::new(0),
            overrun: Cell::new(false),
            generation: Cell::new(0),
            ports: Rc::clone(ports),
            vfs: vfs.clone(),
            ino: vfs.shared.fresh_ino(),
            _charge: vfs.shared.charge(CAPACITY as u64)?,
        };
        Ok(OpenFile::new(Box::new(socket), o::RDWR | (flags & o::NONBLOCK)))
    }

    /// The socket of an open file, if it is one of this family.
    pub fn of(file: &OpenFile) -> Option<&NetlinkSocket> {
        file.kind()
    }

    /// Its port and groups.
    pub fn address(&self) -> (u32, u32) {
        (self.port.get().unwrap_or(0), self.groups.get())
    }

    /// Binds to a port, and joins groups, to which nothing is ever sent. Port 0 means the number of process `pid`, or a
    /// free port if that is in use.
    ///
    /// # Errors
    /// `EADDRINUSE`; `EINVAL` if it is bound to another port.
    pub fn bind(&self, port: u32, groups: u32, pid: i32) -> Result<()> {
        /// The first port of a process's second socket (net/netlink/af_netlink.c, `netlink_autobind`).
        const OTHERS: u32 = -4097i32 as u32;
        if let Some(own) = self.port.get() {
            if port != 0 && port != own {
                return Err(Errno::EINVAL);
            }
        } else {
            let mut ports = self.ports.borrow_mut();
            let free = |port: &u32| !ports.contains(&(self.protocol, *port));
            let port = match port {
                0 => {
                    let own = std::iter::once(pid as u32);
                    own.chain((0..=OTHERS).rev()).find(free).ok_or(Errno::EADDRINUSE)?
                }
                port => Some(port).filter(free).ok_or(Errno::EADDRINUSE)?,
            };
            ports.insert((self.protocol, port));
            self.port.set(Some(port));
        }
        self.groups.set(groups);
        Ok(())
    }

    /// Sends requests, which are answered immediately.
    ///
    /// # Errors
    /// `ENOBUFS` while a loss of answers has not been reported.
    pub fn send(&self, data: &[u8]) -> Result<usize> {
        let port = self.port.get().unwrap_or(0);
        let mut rest = data;
        while let Some((request, after)) = message::split(rest) {
            rest = after;
            let answers = match request.kind {
                _ if request.flags & flag::REQUEST == 0 => Ok(Vec::new()),
                ..FIRST_TYPE => Ok(Vec::new()),
                _ => match self.protocol {
                    Protocol::Route => route::answer(&request, port),
                    Protocol::Generic => generic::answer(&request, port),
                    Protocol::Events => Err(Errno::EOPNOTSUPP),
                    // As on Linux without a module for the family (net/core/sock_diag.c, `__sock_diag_cmd`): ss then falls
                    // back without a message.
                    Protocol::Sockets => Err(Errno::ENOENT),
                },
            };
            let asked = request.flags & flag::REQUEST != 0 && request.kind >= FIRST_TYPE;
            match answers {
                Ok(list) if request.is_dump() && asked => {
                    self.push(list.concat());
                    self.push(message::done(&request, port));
                    continue;
                }
                Ok(list) => {
                    list.into_iter().for_each(|answer| self.push(answer));
                    if request.flags & flag::ACK != 0 {
                        self.push(message::status(&request, port, None, true));
                    }
                }
                Err(e) => {
                    self.push(message::status(&request, port, Some(e), self.capped.get()));
                }
            }
        }
        Ok(data.len())
    }

    fn push(&self, answer: Vec<u8>) {
        if answer.is_empty() {
            return;
        }
        let used = self.used.get() + answer.len() + DATAGRAM;
        if used > CAPACITY {
            self.overrun.set(true);
        } else {
            self.used.set(used);
            self.answers.borrow_mut().push_back(answer);
        }
        self.changed();
    }

    fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
        self.vfs.shared.note_activity();
    }

    /// Receives; with `peek` the datagram stays queued.
    ///
    /// # Errors
    /// `ENOBUFS` when answers have been lost; `EAGAIN` when there is none.
    pub fn receive(&self, buf: &mut [u8], peek: bool) -> Result<Received> {
        if self.overrun.replace(false) {
            return Err(Errno::ENOBUFS);
        }
        let mut answers = self.answers.borrow_mut();
        let first = answers.front().ok_or(Errno::EAGAIN)?;
        let (len, whole) = (first.len().min(buf.len()), first.len());
        buf[..len].copy_from_slice(&first[..len]);
        if !peek {
            answers.pop_front();
            self.used.set(self.used.get() - whole - DATAGRAM);
            drop(answers);
            self.changed();
        }
        Ok(Received { len, whole })
    }
}

impl FileObject for NetlinkSocket {
    fn stat(&self) -> Result<Stat> {
        Ok(Stat { mode: s::IFSOCK | 0o777, nlink: 1, ino: self.ino, ..Stat::default() })
    }

    fn label(&self) -> Vec<u8> {
        format!("socket:[{}]", self.ino).into_bytes()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.receive(buf, false).map(|got| got.len)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.send(data)
    }

    fn ioctl(&self, _: u32, _: &mut dyn IoctlArg) -> Result<i64> {
        Err(Errno::ENOTTY)
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }

    fn socket(&self) -> &dyn Socket {
        self
    }
}

impl Pollable for NetlinkSocket {
    fn poll_ready(&self) -> Events {
        let some = self.overrun.get() || !self.answers.borrow().is_empty();
        if some { Events::OUT.with(Events::IN.0) } else { Events::OUT }
    }

    fn generation(&self) -> u64 {
        self.generation.get()
    }
}

impl Socket for NetlinkSocket {
    fn shutdown(&self, _: u32) -> Result<()> {
        Err(Errno::EOPNOTSUPP)
    }
}
