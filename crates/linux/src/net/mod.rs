//! Sockets of the host's loopback interface (`--net loopback`).
//!
//! The host's sockets do not block; the guest's threads wait. Only addresses in 127.0.0.0/8 and ::1 are ever used: the
//! unspecified address means the loopback address, also for a socket that was never bound.

mod address;
mod connection;
mod file;
mod options;
mod proc_net;
#[cfg(test)]
mod tests;
mod transfer;

pub use address::{INET, INET6, decode, encode, used};
pub use proc_net::counts;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::{FileRef, OpenFile};
use crate::space::Account;
use rustix::net::{self, AddressFamily, SocketFlags, SocketType, sockopt};
use std::cell::{Cell, OnceCell};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::rc::Rc;

/// The buffer size requested from the host for each direction, in bytes; the host doubles it (socket(7)).
const BUFFER: usize = 64 << 10;
/// Bytes charged for a socket: its own buffers, and the peer's while the connection has not been accepted.
const SOCKET: u64 = 4 * 2 * BUFFER as u64;

/// A TCP or UDP socket.
///
/// An IPv6 socket bound to all addresses also serves IPv4, unless `IPV6_V6ONLY` is set. Since no socket of the host may
/// be bound to all addresses, it is then two sockets of the host: one at ::1, and one at ::ffff:127.0.0.1.
pub struct InetSocket {
    /// For the host's buffers.
    charge: Charge,
    owner: Owner,
    fd: OwnedFd,
    /// The second host socket, for IPv4.
    second: OnceCell<OwnedFd>,
    /// Whether it is connected through the second host socket.
    through_second: Cell<bool>,
    /// Which of the two is tried first; they alternate.
    turn: Cell<bool>,
    /// Grows when nothing is left to read or no room to write: later readiness is a new edge (`EPOLLET`).
    generation: Cell<u64>,
    /// `INET` or `INET6`.
    pub family: u16,
    /// TCP; otherwise UDP.
    pub stream: bool,
    bound: Cell<bool>,
    /// The address that it was bound to, if unspecified.
    any: Cell<Option<IpAddr>>,
    /// `IPV6_V6ONLY`.
    v6_only: Cell<bool>,
    reuse: Cell<bool>,
    /// `SO_ACCEPTCONN`.
    pub listening: Cell<bool>,
    /// Where it connects to, or did.
    target: Cell<Option<SocketAddr>>,
    ends: Cell<Ends>,
}

/// How the guest identifies a socket.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    /// Inode number.
    pub ino: u64,
    /// The user who made it.
    pub uid: u32,
}

/// Which directions of a connection the guest has ended (`shutdown`).
#[derive(Clone, Copy, Default)]
struct Ends {
    read: bool,
    write: bool,
}

impl InetSocket {
    fn new(charge: Charge, fd: OwnedFd, family: u16, stream: bool, owner: Owner) -> InetSocket {
        InetSocket {
            charge,
            owner,
            fd,
            second: OnceCell::new(),
            through_second: Cell::new(false),
            turn: Cell::new(false),
            generation: Cell::new(0),
            family,
            stream,
            bound: Cell::new(false),
            any: Cell::new(None),
            v6_only: Cell::new(false),
            reuse: Cell::new(false),
            listening: Cell::new(false),
            target: Cell::new(None),
            ends: Cell::default(),
        }
    }

    fn into_file(self, flags: u32) -> FileRef {
        OpenFile::new(Box::new(self), o::RDWR | (flags & o::NONBLOCK))
    }

    /// Opens a socket, whose buffers are charged to the guest's memory; `flags` may contain `O_NONBLOCK`.
    ///
    /// # Errors
    /// `ENOMEM`; the host's.
    pub fn open(
        account: &Rc<Account>,
        family: u16,
        stream: bool,
        flags: u32,
        owner: Owner,
    ) -> Result<FileRef> {
        let charge = account.take(SOCKET)?;
        let fd = host_socket(family, stream)?;
        Ok(InetSocket::new(charge, fd, family, stream, owner).into_file(flags))
    }

    /// The socket of an open file, if it is one of these families.
    pub fn of(file: &OpenFile) -> Option<&InetSocket> {
        file.kind()
    }

    /// The host socket through which it is connected; the first one if it is not.
    fn fd(&self) -> &OwnedFd {
        self.second.get().filter(|_| self.through_second.get()).unwrap_or(&self.fd)
    }

    /// Both host sockets, in alternating order. If there is only one, or the socket is connected: the one in use, twice.
    fn host_sockets(&self) -> [&OwnedFd; 2] {
        match self.second.get() {
            Some(second) if !self.through_second.get() && !self.is_connected() => {
                let turn = self.turn.replace(!self.turn.get());
                if turn { [second, &self.fd] } else { [&self.fd, second] }
            }
            _ => [self.fd(), self.fd()],
        }
    }

    /// Notes if a transfer has exhausted the data or the room.
    fn note_if_drained<T>(&self, result: Result<T>, short: impl FnOnce(&T) -> bool) -> Result<T> {
        if result.as_ref().map_or_else(|e| *e == Errno::EAGAIN, short) {
            self.generation.set(self.generation.get() + 1);
        }
        result
    }

    fn is_connected(&self) -> bool {
        matches!(net::getpeername(self.fd()), Ok(Some(_)))
    }

    /// Converts an address to the socket's family.
    fn in_own_family(&self, addr: SocketAddr) -> Result<SocketAddr> {
        match (self.family, addr) {
            (INET, SocketAddr::V4(_)) | (INET6, SocketAddr::V6(_)) => Ok(addr),
            // An IPv6 UDP socket can send to an IPv4 address (net/ipv6/udp.c); TCP cannot.
            (INET6, SocketAddr::V4(v4)) if !self.stream => {
                Ok(SocketAddr::new(v4.ip().to_ipv6_mapped().into(), v4.port()))
            }
            _ => Err(Errno::EAFNOSUPPORT),
        }
    }

    /// The local address, or the peer's.
    ///
    /// # Errors
    /// `ENOTCONN` when there is none.
    pub fn address(&self, peer: bool) -> Result<SocketAddr> {
        let unbound = !self.bound.get();
        if !peer && unbound {
            let v4: IpAddr = Ipv4Addr::UNSPECIFIED.into();
            let ip = if self.family == INET { v4 } else { Ipv6Addr::UNSPECIFIED.into() };
            return Ok(SocketAddr::new(ip, 0));
        }
        let host =
            if peer { net::getpeername(self.fd())? } else { Some(net::getsockname(self.fd())?) };
        let mut addr: SocketAddr = host.and_then(|a| a.try_into().ok()).ok_or(Errno::ENOTCONN)?;
        if let (false, Some(any), false) = (peer, self.any.get(), self.is_connected()) {
            addr.set_ip(any);
        }
        Ok(addr)
    }
}

/// A socket of the host.
fn host_socket(family: u16, stream: bool) -> Result<OwnedFd> {
    let domain = if family == INET { AddressFamily::INET } else { AddressFamily::INET6 };
    let kind = if stream { SocketType::STREAM } else { SocketType::DGRAM };
    let host = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let fd = net::socket_with(domain, kind, host, None)?;
    // Accepted connections inherit the sizes.
    sockopt::set_socket_send_buffer_size(&fd, BUFFER)?;
    sockopt::set_socket_recv_buffer_size(&fd, BUFFER)?;
    if family == INET6 {
        // Whatever the host's default is (`net.ipv6.bindv6only`).
        sockopt::set_ipv6_v6only(&fd, false)?;
    }
    Ok(fd)
}
