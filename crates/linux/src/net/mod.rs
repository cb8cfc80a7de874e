//! Sockets of the host's loopback interface (`--net loopback`).
//!
//! The host's socket does not block; the guest's thread waits. No address but 127.0.0.0/8 and ::1 is ever
//! used: the unspecified address means the loopback one, also for a socket that was never bound.

mod address;
mod table;

pub use address::{INET, INET6, decode, encode};

use self::address::{MAPPED, is_any, loopback, mapped};
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{ioctl, o, poll, s};
use crate::fs::{Events, FileObject, FileRef, IoctlArg, OpenFile, Pollable, Socket, Stat};
use crate::space::Account;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::{self, AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, sockopt};
use std::cell::{Cell, OnceCell};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

/// Bytes that the host is asked to buffer of a socket in each direction, of which it makes twice as many (socket(7)).
const BUFFER: usize = 64 << 10;
/// Most connections that wait to be taken: the host keeps what was sent on them, also when the guest has closed its side.
const MAX_BACKLOG: i32 = 16;
/// What a connection counts that waits: what has come, and what the other side had yet to send when it was closed.
const WAITING: u64 = 2 * 2 * BUFFER as u64;
/// What a socket counts: its own buffers, and those of the other side while nobody has taken the connection.
const SOCKET: u64 = 4 * 2 * BUFFER as u64;

/// A TCP or UDP socket.
///
/// One of IPv6 that is bound to all addresses takes IPv4, too, unless it was told otherwise. As the host's must
/// not be bound to all addresses, there are two of them then: one at ::1, and one at ::ffff:127.0.0.1.
pub struct InetSocket {
    /// For the host's buffers.
    charge: Charge,
    owner: Owner,
    fd: OwnedFd,
    /// The second one, for IPv4.
    second: OnceCell<OwnedFd>,
    /// Whether it is connected through the second one.
    through_second: Cell<bool>,
    /// Which of the two is looked at first, by turns.
    turn: Cell<bool>,
    /// Grows when there is nothing left to read, or no room to write: what comes then is news (`EPOLLET`).
    generation: Cell<u64>,
    /// `INET` or `INET6`.
    pub family: u16,
    /// TCP, else UDP.
    pub stream: bool,
    bound: Cell<bool>,
    /// The address that it was bound to, if that means all.
    any: Cell<Option<IpAddr>>,
    /// `IPV6_V6ONLY`.
    only_v6: Cell<bool>,
    reuse: Cell<bool>,
    /// `SO_ACCEPTCONN`.
    pub listening: Cell<bool>,
    /// Where it connects to, or did.
    target: Cell<Option<SocketAddr>>,
    ends: Cell<Ends>,
}

/// By what the guest tells a socket from others.
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

/// Attempts at a port that is free for both families.
const PORTS: usize = 32;

/// Calls `f` on one socket, then on the other if it says `EAGAIN`.
fn either<T>(fds: [&OwnedFd; 2], mut f: impl FnMut(&OwnedFd) -> Result<T>) -> Result<T> {
    match f(fds[0]) {
        Err(Errno::EAGAIN) => f(fds[1]),
        result => result,
    }
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
            only_v6: Cell::new(false),
            reuse: Cell::new(false),
            listening: Cell::new(false),
            target: Cell::new(None),
            ends: Cell::default(),
        }
    }

    fn into_file(self, flags: u32) -> FileRef {
        OpenFile::new(Box::new(self), o::RDWR | (flags & o::NONBLOCK))
    }

    /// A socket of a family and kind, whose buffers count as the guest's memory; `flags` may contain `O_NONBLOCK`.
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

    /// The host's socket through which it is connected, if it is.
    fn fd(&self) -> &OwnedFd {
        self.second.get().filter(|_| self.through_second.get()).unwrap_or(&self.fd)
    }

    /// Both of the host's sockets, the one first whose turn it is; or the only one twice.
    fn both(&self) -> [&OwnedFd; 2] {
        match self.second.get() {
            Some(second) if !self.through_second.get() && !self.is_connected() => {
                let turn = self.turn.replace(!self.turn.get());
                if turn { [second, &self.fd] } else { [&self.fd, second] }
            }
            _ => [self.fd(), self.fd()],
        }
    }

    /// Notes that a transfer went as far as it could, if it did.
    fn drained<T>(&self, result: Result<T>, short: impl FnOnce(&T) -> bool) -> Result<T> {
        if result.as_ref().map_or_else(|e| *e == Errno::EAGAIN, short) {
            self.generation.set(self.generation.get() + 1);
        }
        result
    }

    fn is_connected(&self) -> bool {
        matches!(net::getpeername(self.fd()), Ok(Some(_)))
    }

    /// An address as the socket's family has it.
    fn own(&self, addr: SocketAddr) -> Result<SocketAddr> {
        match (self.family, addr) {
            (INET, SocketAddr::V4(_)) | (INET6, SocketAddr::V6(_)) => Ok(addr),
            // UDP of IPv6 sends to addresses of IPv4 as such (net/ipv6/udp.c), TCP does not.
            (INET6, SocketAddr::V4(v4)) if !self.stream => {
                Ok(SocketAddr::new(v4.ip().to_ipv6_mapped().into(), v4.port()))
            }
            _ => Err(Errno::EAFNOSUPPORT),
        }
    }

    /// Binds to a loopback address.
    ///
    /// # Errors
    /// `EADDRNOTAVAIL` for another address, `EINVAL` if it is bound; the host's.
    pub fn bind(&self, addr: SocketAddr) -> Result<()> {
        if (self.family == INET) != addr.is_ipv4() {
            return Err(Errno::EAFNOSUPPORT);
        }
        if self.bound.get() || (self.only_v6.get() && mapped(addr.ip()).is_some()) {
            return Err(Errno::EINVAL);
        }
        let local = loopback(addr).map_err(|_| Errno::EADDRNOTAVAIL)?;
        if self.family == INET6 && addr.ip().is_unspecified() && !self.only_v6.get() {
            self.bind_both(addr.port())?;
        } else {
            net::bind(&self.fd, &local)?;
        }
        self.bound.set(true);
        self.any.set(Some(addr.ip()).filter(|ip| is_any(*ip)));
        Ok(())
    }

    /// Binds to a port of both families; 0 is one that is free.
    fn bind_both(&self, port: u16) -> Result<()> {
        let charge = self.charge.another(SOCKET)?;
        for _ in 0..PORTS {
            let second = host_socket(INET6, self.stream)?;
            sockopt::set_socket_reuseaddr(&second, self.reuse.get())?;
            let mut at = SocketAddr::new(MAPPED.into(), port);
            net::bind(&second, &at)?;
            if let Ok(bound) = SocketAddr::try_from(net::getsockname(&second)?) {
                at.set_port(bound.port());
            }
            match net::bind(&self.fd, &SocketAddr::new(Ipv6Addr::LOCALHOST.into(), at.port())) {
                Ok(()) => {
                    let _ = self.second.set(second);
                    self.charge.merge(charge);
                    return Ok(());
                }
                // The host has no ::1: only IPv4 comes in.
                Err(rustix::io::Errno::ADDRNOTAVAIL) => {
                    drop(second);
                    return Ok(net::bind(&self.fd, &at)?);
                }
                Err(rustix::io::Errno::ADDRINUSE) if port == 0 => {}
                Err(e) => return Err(e.into()),
            }
        }
        Err(Errno::EADDRINUSE)
    }

    /// Binds to any port of the loopback interface, so that the host does not bind to all interfaces.
    fn ensure_bound(&self) -> Result<()> {
        if self.bound.get() {
            return Ok(());
        }
        let ip: IpAddr = match self.family {
            INET => Ipv4Addr::UNSPECIFIED.into(),
            _ => Ipv6Addr::UNSPECIFIED.into(),
        };
        self.bind(SocketAddr::new(ip, 0))
    }

    /// Begins to connect.
    ///
    /// # Errors
    /// `EINPROGRESS` as a rule; `ENETUNREACH` for another interface; the host's.
    pub fn connect(&self, addr: SocketAddr) -> Result<()> {
        let addr = loopback(self.own(addr)?)?;
        let v4 = mapped(addr.ip()).is_some();
        if v4 && self.only_v6.get() {
            return Err(Errno::ENETUNREACH);
        }
        if !self.bound.get() {
            let ip: IpAddr = match (self.family, v4) {
                (INET, _) => Ipv4Addr::LOCALHOST.into(),
                (_, false) => Ipv6Addr::LOCALHOST.into(),
                (_, true) => MAPPED.into(),
            };
            net::bind(&self.fd, &SocketAddr::new(ip, 0))?;
            self.bound.set(true);
        }
        self.through_second.set(v4 && self.second.get().is_some());
        self.target.set(Some(addr));
        Ok(net::connect(self.fd(), &addr)?)
    }

    /// The error of a connection that was begun, which is cleared.
    ///
    /// # Errors
    /// That error.
    pub fn take_error(&self) -> Result<()> {
        Ok(sockopt::socket_error(self.fd())??)
    }

    /// Waits for connections, which count as memory as if they were there.
    ///
    /// # Errors
    /// `ENOMEM`; the host's.
    pub fn listen(&self, backlog: i32) -> Result<()> {
        self.ensure_bound()?;
        let backlog = backlog.clamp(0, MAX_BACKLOG);
        // The host takes one more (tcp(7), `listen` in include/net/sock.h: sk_acceptq_is_full).
        let sockets = 1 + u64::from(self.second.get().is_some());
        let waiting = sockets * (SOCKET + (backlog as u64 + 1) * WAITING);
        self.charge.resize(self.charge.bytes().max(waiting))?;
        for fd in [Some(&self.fd), self.second.get()].into_iter().flatten() {
            net::listen(fd, backlog)?;
        }
        self.listening.set(true);
        Ok(())
    }

    /// Takes a connection, with the address of the other side.
    ///
    /// # Errors
    /// `EAGAIN` when there is none; `ENOMEM`; the host's.
    pub fn accept(&self, flags: u32, owner: Owner) -> Result<(FileRef, Option<SocketAddr>)> {
        let charge = self.charge.another(SOCKET)?;
        let host = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let accept = |fd: &OwnedFd| Ok(net::acceptfrom_with(fd, host)?);
        let (fd, peer) = self.drained(either(self.both(), accept), |_| false)?;
        let peer = peer.and_then(|p| p.try_into().ok());
        let socket = InetSocket::new(charge, fd, self.family, self.stream, owner);
        socket.bound.set(true);
        Ok((socket.into_file(flags), peer))
    }

    /// Sends, to an address unless it is connected.
    ///
    /// # Errors
    /// `EAGAIN`, `ENETUNREACH` for another interface; the host's.
    pub fn send(&self, data: &[u8], to: Option<SocketAddr>) -> Result<usize> {
        let sent = self.send_now(data, to);
        self.drained(sent, |n| *n < data.len())
    }

    fn send_now(&self, data: &[u8], to: Option<SocketAddr>) -> Result<usize> {
        // The guest's thread gets the signal, not us.
        let flags = SendFlags::NOSIGNAL;
        match to {
            None => Ok(net::send(self.fd(), data, flags)?),
            Some(to) => {
                let to = loopback(self.own(to)?)?;
                self.ensure_bound()?;
                let v4 = mapped(to.ip()).is_some();
                if v4 && self.only_v6.get() {
                    return Err(Errno::ENETUNREACH);
                }
                let fd = self.second.get().filter(|_| v4).unwrap_or(&self.fd);
                Ok(net::sendto(fd, data, flags, &to)?)
            }
        }
    }

    /// Receives; with `peek` the data stay.
    ///
    /// # Errors
    /// `EAGAIN`; the host's.
    pub fn receive(&self, buf: &mut [u8], peek: bool) -> Result<(usize, Option<SocketAddr>)> {
        let flags = if peek { RecvFlags::PEEK } else { RecvFlags::empty() };
        let room = buf.len();
        let receive = |fd: &OwnedFd| Ok(net::recvfrom(fd, &mut *buf, flags)?);
        let (n, _, from) = self.drained(either(self.both(), receive), |got| got.0 < room)?;
        Ok((n, from.and_then(|f| f.try_into().ok())))
    }

    /// Bytes that wait to be read.
    fn available(&self) -> Result<u64> {
        let mut most = 0;
        for fd in self.both() {
            most = rustix::io::ioctl_fionread(fd)?.max(most);
        }
        Ok(most)
    }

    /// The address of this side, or of the other.
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

    /// `SO_REUSEADDR`. Options without effect on the loopback interface are not passed on.
    ///
    /// # Errors
    /// The host's.
    pub fn set_reuse_address(&self, on: bool) -> Result<()> {
        self.reuse.set(on);
        for fd in [Some(&self.fd), self.second.get()].into_iter().flatten() {
            sockopt::set_socket_reuseaddr(fd, on)?;
        }
        Ok(())
    }

    /// `SO_REUSEADDR` as it was set.
    pub fn reuses_address(&self) -> bool {
        self.reuse.get()
    }

    /// `IPV6_V6ONLY`.
    ///
    /// # Errors
    /// `ENOPROTOOPT` for IPv4, `EINVAL` once it is bound.
    pub fn set_only_v6(&self, on: bool) -> Result<()> {
        match (self.family, self.bound.get()) {
            (INET, _) => Err(Errno::ENOPROTOOPT),
            (_, true) => Err(Errno::EINVAL),
            _ => {
                self.only_v6.set(on);
                Ok(())
            }
        }
    }

    /// `IPV6_V6ONLY` as it was set.
    pub fn is_only_v6(&self) -> bool {
        self.only_v6.get()
    }

    /// `TCP_NODELAY`.
    ///
    /// # Errors
    /// The host's.
    pub fn set_no_delay(&self, on: bool) -> Result<()> {
        for fd in [Some(&self.fd), self.second.get()].into_iter().flatten() {
            sockopt::set_tcp_nodelay(fd, on)?;
        }
        Ok(())
    }

    /// Readiness of one of the host's sockets.
    fn ready(fd: &OwnedFd) -> Events {
        let mut fds = [PollFd::new(fd, PollFlags::IN | PollFlags::OUT | PollFlags::RDHUP)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        match rustix::event::poll(&mut fds, Some(&now)) {
            Ok(_) => {
                let got = u32::from(fds[0].revents().bits());
                let pick = |bit, events: Events| if got & bit != 0 { events.0 } else { 0 };
                let rest = got & (poll::ERR | poll::HUP | poll::RDHUP);
                Events(pick(poll::IN, Events::IN) | pick(poll::OUT, Events::OUT) | rest)
            }
            // The call that follows reports the error.
            Err(_) => Events::ALWAYS,
        }
    }
}

/// A socket of the host.
fn host_socket(family: u16, stream: bool) -> Result<OwnedFd> {
    let domain = if family == INET { AddressFamily::INET } else { AddressFamily::INET6 };
    let kind = if stream { SocketType::STREAM } else { SocketType::DGRAM };
    let host = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let fd = net::socket_with(domain, kind, host, None)?;
    // Those of connections that it takes are the same.
    sockopt::set_socket_send_buffer_size(&fd, BUFFER)?;
    sockopt::set_socket_recv_buffer_size(&fd, BUFFER)?;
    if family == INET6 {
        // Whatever the host's default is (`net.ipv6.bindv6only`).
        sockopt::set_ipv6_v6only(&fd, false)?;
    }
    Ok(fd)
}

impl FileObject for InetSocket {
    fn stat(&self) -> Result<Stat> {
        let Owner { ino, uid } = self.owner;
        Ok(Stat { mode: s::IFSOCK | 0o777, nlink: 1, ino, uid, ..Stat::default() })
    }

    fn label(&self) -> Vec<u8> {
        format!("socket:[{}]", self.owner.ino).into_bytes()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.receive(buf, false).map(|(n, _)| n)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.send(data, None)
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        if command != ioctl::FIONREAD {
            return Err(Errno::ENOTTY);
        }
        arg.write(&(self.available()? as i32).to_le_bytes())?;
        Ok(0)
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }

    fn socket(&self) -> &dyn Socket {
        self
    }
}

impl Pollable for InetSocket {
    fn poll_ready(&self) -> Events {
        let [first, other] = self.both();
        let events = InetSocket::ready(first);
        if std::ptr::eq(first, other) { events } else { events.with(InetSocket::ready(other).0) }
    }

    fn host_wait(&self) -> Option<BorrowedFd<'_>> {
        Some(self.fd().as_fd())
    }

    fn generation(&self) -> u64 {
        self.generation.get()
    }
}

impl Socket for InetSocket {
    fn shutdown(&self, how: u32) -> Result<()> {
        let Ends { read, write } = self.ends.get();
        let (how, ends) = match how {
            0 => (net::Shutdown::Read, Ends { read: true, write }),
            1 => (net::Shutdown::Write, Ends { read, write: true }),
            2 => (net::Shutdown::Both, Ends { read: true, write: true }),
            _ => return Err(Errno::EINVAL),
        };
        let [first, other] = self.both();
        if !std::ptr::eq(first, other) {
            net::shutdown(other, how)?;
        }
        net::shutdown(first, how)?;
        self.ends.set(ends);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
