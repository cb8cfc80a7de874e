//! Sockets of the host's loopback interface (`--net loopback`).
//!
//! The host's socket does not block; the guest's thread waits. No address but 127.0.0.0/8 and ::1 is ever
//! used: the unspecified address means the loopback one, also for a socket that was never bound.

use crate::charge::Charge;
use crate::errno::{Errno, Result};
use crate::fs::abi::{o, poll, s};
use crate::fs::{Events, FileObject, FileRef, OpenFile, Stat};
use crate::space::Account;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net::{self, AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, sockopt};
use std::cell::Cell;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

/// `AF_INET` and `AF_INET6`.
pub const INET: u16 = 2;
pub const INET6: u16 = 10;
/// Bytes of `struct sockaddr_in` and `struct sockaddr_in6`.
const SIZES: [usize; 2] = [16, 28];

/// Reads a `struct sockaddr`.
///
/// # Errors
/// `EINVAL` when it is too short, `EAFNOSUPPORT` for another family.
pub fn decode(bytes: &[u8]) -> Result<SocketAddr> {
    let family = bytes.first_chunk::<2>().ok_or(Errno::EINVAL)?;
    let port = |b: &[u8]| u16::from_be_bytes([b[2], b[3]]);
    match (u16::from_le_bytes(*family), bytes.len()) {
        (INET, 16..) => {
            let ip = Ipv4Addr::new(bytes[4], bytes[5], bytes[6], bytes[7]);
            Ok(SocketAddr::new(ip.into(), port(bytes)))
        }
        (INET6, 28..) => {
            let ip: [u8; 16] = std::array::from_fn(|i| bytes[8 + i]);
            Ok(SocketAddr::new(Ipv6Addr::from(ip).into(), port(bytes)))
        }
        (INET | INET6, _) => Err(Errno::EINVAL),
        _ => Err(Errno::EAFNOSUPPORT),
    }
}

/// As a `struct sockaddr`.
pub fn encode(addr: SocketAddr) -> Vec<u8> {
    let port = addr.port().to_be_bytes();
    match addr.ip() {
        IpAddr::V4(ip) => {
            let mut out = [&INET.to_le_bytes()[..], &port, &ip.octets()].concat();
            out.resize(SIZES[0], 0);
            out
        }
        IpAddr::V6(ip) => {
            let mut out = [&INET6.to_le_bytes()[..], &port, &[0; 4], &ip.octets()].concat();
            out.resize(SIZES[1], 0);
            out
        }
    }
}

/// The address if it is of the loopback interface; the unspecified one is replaced by it.
fn loopback(addr: SocketAddr) -> Result<SocketAddr> {
    let ip: IpAddr = match addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip if ip.is_loopback() => ip,
        _ => return Err(Errno::ENETUNREACH),
    };
    Ok(SocketAddr::new(ip, addr.port()))
}

/// Bytes that the host is asked to buffer of a socket in each direction, of which it makes twice as many (socket(7)).
const BUFFER: usize = 64 << 10;
/// Most connections that wait to be taken: the host keeps what was sent on them, also when the guest has closed its side.
const MAX_BACKLOG: i32 = 16;
/// What a connection counts that waits: what has come, and what the other side had yet to send when it was closed.
const WAITING: u64 = 2 * 2 * BUFFER as u64;
/// What a socket counts: its own buffers, and those of the other side while nobody has taken the connection.
const SOCKET: u64 = 4 * 2 * BUFFER as u64;

/// A TCP or UDP socket.
pub struct InetSocket {
    /// For the host's buffers.
    charge: Charge,
    fd: OwnedFd,
    /// `INET` or `INET6`.
    pub family: u16,
    /// TCP, else UDP.
    pub stream: bool,
    bound: Cell<bool>,
}

impl InetSocket {
    fn into_file(self, flags: u32) -> FileRef {
        OpenFile::new(Box::new(self), o::RDWR | (flags & o::NONBLOCK))
    }

    /// A socket of a family and kind, whose buffers count as the guest's memory; `flags` may contain `O_NONBLOCK`.
    ///
    /// # Errors
    /// `ENOMEM`; the host's.
    pub fn open(account: &Rc<Account>, family: u16, stream: bool, flags: u32) -> Result<FileRef> {
        let charge = account.take(SOCKET)?;
        let domain = if family == INET { AddressFamily::INET } else { AddressFamily::INET6 };
        let kind = if stream { SocketType::STREAM } else { SocketType::DGRAM };
        let host = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let fd = net::socket_with(domain, kind, host, None)?;
        // Those of connections that it takes are the same.
        sockopt::set_socket_send_buffer_size(&fd, BUFFER)?;
        sockopt::set_socket_recv_buffer_size(&fd, BUFFER)?;
        Ok(InetSocket { charge, fd, family, stream, bound: Cell::new(false) }.into_file(flags))
    }

    /// Binds to a loopback address.
    ///
    /// # Errors
    /// `EADDRNOTAVAIL` for another address; the host's.
    pub fn bind(&self, addr: SocketAddr) -> Result<()> {
        let addr = loopback(addr).map_err(|_| Errno::EADDRNOTAVAIL)?;
        net::bind(&self.fd, &addr)?;
        self.bound.set(true);
        Ok(())
    }

    /// Binds to any port of the loopback interface, so that the host does not bind to all interfaces.
    fn ensure_bound(&self) -> Result<()> {
        if self.bound.get() {
            return Ok(());
        }
        let ip: IpAddr = match self.family {
            INET => Ipv4Addr::LOCALHOST.into(),
            _ => Ipv6Addr::LOCALHOST.into(),
        };
        self.bind(SocketAddr::new(ip, 0))
    }

    /// Begins to connect.
    ///
    /// # Errors
    /// `EINPROGRESS` as a rule; `ENETUNREACH` for another interface; the host's.
    pub fn connect(&self, addr: SocketAddr) -> Result<()> {
        let addr = loopback(addr)?;
        self.ensure_bound()?;
        Ok(net::connect(&self.fd, &addr)?)
    }

    /// The error of a connection that was begun, which is cleared.
    ///
    /// # Errors
    /// That error.
    pub fn take_error(&self) -> Result<()> {
        Ok(sockopt::socket_error(&self.fd)??)
    }

    /// Waits for connections, which count as memory as if they were there.
    ///
    /// # Errors
    /// `ENOMEM`; the host's.
    pub fn listen(&self, backlog: i32) -> Result<()> {
        self.ensure_bound()?;
        let backlog = backlog.clamp(0, MAX_BACKLOG);
        // The host takes one more (tcp(7), `listen` in include/net/sock.h: sk_acceptq_is_full).
        let waiting = (backlog as u64 + 1) * WAITING;
        self.charge.resize(self.charge.bytes().max(SOCKET + waiting))?;
        Ok(net::listen(&self.fd, backlog)?)
    }

    /// Takes a connection, with the address of the other side.
    ///
    /// # Errors
    /// `EAGAIN` when there is none; `ENOMEM`; the host's.
    pub fn accept(&self, flags: u32) -> Result<(FileRef, Option<SocketAddr>)> {
        let charge = self.charge.another(SOCKET)?;
        let host = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let (fd, peer) = net::acceptfrom_with(&self.fd, host)?;
        let peer = peer.and_then(|p| p.try_into().ok());
        let (family, stream, bound) = (self.family, self.stream, Cell::new(true));
        Ok((InetSocket { charge, fd, family, stream, bound }.into_file(flags), peer))
    }

    /// Sends, to an address unless it is connected.
    ///
    /// # Errors
    /// `EAGAIN`, `ENETUNREACH` for another interface; the host's.
    pub fn send(&self, data: &[u8], to: Option<SocketAddr>) -> Result<usize> {
        // The guest's thread gets the signal, not us.
        let flags = SendFlags::NOSIGNAL;
        match to {
            None => Ok(net::send(&self.fd, data, flags)?),
            Some(to) => {
                let to = loopback(to)?;
                self.ensure_bound()?;
                Ok(net::sendto(&self.fd, data, flags, &to)?)
            }
        }
    }

    /// Receives; with `peek` the data stay.
    ///
    /// # Errors
    /// `EAGAIN`; the host's.
    pub fn receive(&self, buf: &mut [u8], peek: bool) -> Result<(usize, Option<SocketAddr>)> {
        let flags = if peek { RecvFlags::PEEK } else { RecvFlags::empty() };
        let (n, _, from) = net::recvfrom(&self.fd, buf, flags)?;
        Ok((n, from.and_then(|f| f.try_into().ok())))
    }

    /// The address of this side, or of the other.
    ///
    /// # Errors
    /// `ENOTCONN` when there is none.
    pub fn address(&self, peer: bool) -> Result<SocketAddr> {
        let any =
            if peer { net::getpeername(&self.fd)? } else { Some(net::getsockname(&self.fd)?) };
        any.and_then(|a| a.try_into().ok()).ok_or(Errno::ENOTCONN)
    }

    /// Options that matter on the loopback interface; the others have no effect.
    ///
    /// # Errors
    /// The host's.
    pub fn set_reuse_address(&self, on: bool) -> Result<()> {
        Ok(sockopt::set_socket_reuseaddr(&self.fd, on)?)
    }

    /// `TCP_NODELAY`.
    ///
    /// # Errors
    /// The host's.
    pub fn set_no_delay(&self, on: bool) -> Result<()> {
        Ok(sockopt::set_tcp_nodelay(&self.fd, on)?)
    }
}

impl FileObject for InetSocket {
    fn stat(&self) -> Result<Stat> {
        Ok(Stat { mode: s::IFSOCK | 0o777, nlink: 1, ..Stat::default() })
    }

    fn label(&self) -> Vec<u8> {
        b"socket:[host]".to_vec()
    }

    fn poll_ready(&self) -> Events {
        let mut fds = [PollFd::new(&self.fd, PollFlags::IN | PollFlags::OUT | PollFlags::RDHUP)];
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

    fn host_wait(&self) -> Option<BorrowedFd<'_>> {
        Some(self.fd.as_fd())
    }

    fn inet(&self) -> Option<&InetSocket> {
        Some(self)
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.receive(buf, false).map(|(n, _)| n)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.send(data, None)
    }

    fn shutdown(&self, how: u32) -> Result<()> {
        let how = match how {
            0 => net::Shutdown::Read,
            1 => net::Shutdown::Write,
            2 => net::Shutdown::Both,
            _ => return Err(Errno::EINVAL),
        };
        Ok(net::shutdown(&self.fd, how)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_read_back() {
        for text in ["127.0.0.1:80", "1.2.3.4:65535", "[::1]:4433", "[2001:db8::5]:1"] {
            let addr: SocketAddr = text.parse().expect("an address");
            assert_eq!(decode(&encode(addr)), Ok(addr));
            let bytes = encode(addr);
            assert_eq!(decode(&bytes[..bytes.len() - 1]), Err(Errno::EINVAL));
        }
        // include/uapi/linux/in.h: family in the guest's order, port and address in the network's.
        let bytes = [2, 0, 0, 80, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(encode(([127, 0, 0, 1], 80).into()), bytes);
        assert_eq!(decode(&[1, 0]), Err(Errno::EAFNOSUPPORT));
    }

    #[test]
    fn only_the_loopback_interface_is_reached() {
        let at = |text: &str| loopback(text.parse().expect("an address")).map(|a| a.to_string());
        assert_eq!(at("127.9.9.9:5").as_deref(), Ok("127.9.9.9:5"));
        assert_eq!(at("0.0.0.0:5").as_deref(), Ok("127.0.0.1:5"));
        assert_eq!(at("[::]:5").as_deref(), Ok("[::1]:5"));
        for outside in [
            "8.8.8.8:53",
            "10.0.0.1:1",
            "[2001:db8::1]:1",
            "[::ffff:8.8.8.8]:53",
            "255.255.255.255:1",
        ] {
            assert_eq!(at(outside), Err(Errno::ENETUNREACH), "{outside}");
        }
        let account = Rc::new(Account::new(1 << 30));
        let udp = InetSocket::open(&account, INET, false, 0).expect("a socket");
        let udp = udp.object().inet().expect("it is one");
        assert_eq!(udp.send(b"x", Some(([8, 8, 8, 8], 53).into())), Err(Errno::ENETUNREACH));
        assert_eq!(udp.bind(([192, 168, 0, 1], 0).into()), Err(Errno::EADDRNOTAVAIL));
        // Never bound by itself to all interfaces.
        let _ = udp.send(b"x", Some(([127, 0, 0, 1], 9).into()));
        assert!(udp.address(false).expect("bound").ip().is_loopback());
    }

    #[test]
    fn what_the_host_buffers_counts() {
        let account = Rc::new(Account::new(3 * SOCKET + 2 * WAITING));
        let open = || InetSocket::open(&account, INET, true, 0);
        let (server, client) = (open().expect("memory"), open().expect("memory"));
        let [listener, socket] = [&server, &client].map(|f| f.object().inet().expect("it is one"));
        listener.listen(1).expect("the loopback interface");
        let connected = socket.connect(listener.address(false).expect("bound"));
        assert!(matches!(connected, Ok(()) | Err(Errno::EINPROGRESS)), "{connected:?}");
        let (taken, _) = listener.accept(0).expect("a connection");
        let ends = [taken.object().inet().expect("it is one"), socket];
        // What is on its way, in both directions, is less than what the two ends count.
        let chunk = [0; 65536];
        for end in ends {
            let sent: usize = std::iter::from_fn(|| end.send(&chunk, None).ok()).sum();
            assert!((1..=SOCKET as usize).contains(&sent), "{sent}");
        }
        assert_eq!(open().err(), Some(Errno::ENOMEM));
        drop((taken, server, client));
        assert_eq!(account.used(), 0);
    }

    /// What is sent to nobody, on connections that are closed at once: the host keeps it until somebody takes them.
    #[test]
    fn what_waits_to_be_taken_counts() {
        let account = Rc::new(Account::new(1 << 30));
        let open = || InetSocket::open(&account, INET, true, 0).expect("memory");
        let server = open();
        let listener = server.object().inet().expect("it is one");
        listener.listen(4096).expect("the loopback interface");
        let address = listener.address(false).expect("bound");
        let chunk = [0; 65536];
        let kept = |_| -> usize {
            let client = open();
            let socket = client.object().inet().expect("it is one");
            let connected = socket.connect(address);
            assert!(matches!(connected, Ok(()) | Err(Errno::EINPROGRESS)), "{connected:?}");
            std::iter::from_fn(|| socket.send(&chunk, None).ok()).sum()
        };
        let kept: usize = (0..100).map(kept).sum();
        assert!(kept > 0 && kept as u64 <= account.used(), "{kept} of {}", account.used());
    }
}
