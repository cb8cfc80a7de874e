//! Binding, connecting and accepting.

use super::address::{MAPPED, is_any, loopback, mapped};
use super::transfer::try_both;
use super::{BUFFER, INET, INET6, InetSocket, Owner, SOCKET, host_socket};
use crate::base::errno::{Errno, Result};
use crate::fs::FileRef;
use rustix::net::{self, SocketFlags, sockopt};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;

/// Attempts to find a port that is free for both families.
const PORTS: usize = 32;

/// Maximum number of connections that wait to be accepted: the host buffers their data, even after the guest has
/// closed its side.
const MAX_BACKLOG: i32 = 16;
/// Bytes charged for a connection that waits to be accepted: received data, and data that the other side still had to
/// send when it was closed.
pub(super) const WAITING: u64 = 2 * 2 * BUFFER as u64;

impl InetSocket {
    /// Binds to a loopback address.
    ///
    /// # Errors
    /// `EADDRNOTAVAIL` for another address, `EINVAL` if it is bound; the host's.
    pub fn bind(&self, addr: SocketAddr) -> Result<()> {
        if (self.family == INET) != addr.is_ipv4() {
            return Err(Errno::EAFNOSUPPORT);
        }
        if self.bound.get() || (self.v6_only.get() && mapped(addr.ip()).is_some()) {
            return Err(Errno::EINVAL);
        }
        let local = loopback(addr).map_err(|_| Errno::EADDRNOTAVAIL)?;
        if self.family == INET6 && addr.ip().is_unspecified() && !self.v6_only.get() {
            self.bind_both(addr.port())?;
        } else {
            net::bind(&self.fd, &local)?;
        }
        self.bound.set(true);
        self.any.set(Some(addr.ip()).filter(|ip| is_any(*ip)));
        Ok(())
    }

    /// Binds to a port of both families; 0 means any free port.
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
                // The host has no ::1: only IPv4 connections arrive.
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
    pub(super) fn ensure_bound(&self) -> Result<()> {
        if self.bound.get() {
            return Ok(());
        }
        let ip: IpAddr = match self.family {
            INET => Ipv4Addr::UNSPECIFIED.into(),
            _ => Ipv6Addr::UNSPECIFIED.into(),
        };
        self.bind(SocketAddr::new(ip, 0))
    }

    /// Starts to connect.
    ///
    /// # Errors
    /// `EINPROGRESS` usually; `ENETUNREACH` for another interface; the host's.
    pub fn connect(&self, addr: SocketAddr) -> Result<()> {
        let addr = loopback(self.in_own_family(addr)?)?;
        let v4 = mapped(addr.ip()).is_some();
        if v4 && self.v6_only.get() {
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

    /// Takes the error of a connection attempt.
    ///
    /// # Errors
    /// That error.
    pub fn take_error(&self) -> Result<()> {
        Ok(sockopt::socket_error(self.fd())??)
    }

    /// Starts to listen. Memory is charged for a full backlog.
    ///
    /// # Errors
    /// `ENOMEM`; the host's.
    pub fn listen(&self, backlog: i32) -> Result<()> {
        self.ensure_bound()?;
        let backlog = backlog.clamp(0, MAX_BACKLOG);
        // The host queues one more than the backlog (include/net/sock.h, sk_acceptq_is_full).
        let sockets = 1 + u64::from(self.second.get().is_some());
        let waiting = sockets * (SOCKET + (backlog as u64 + 1) * WAITING);
        self.charge.resize(self.charge.bytes().max(waiting))?;
        for fd in [Some(&self.fd), self.second.get()].into_iter().flatten() {
            net::listen(fd, backlog)?;
        }
        self.listening.set(true);
        Ok(())
    }

    /// Accepts a connection; also returns the peer's address.
    ///
    /// # Errors
    /// `EAGAIN` when there is none; `ENOMEM`; the host's.
    pub fn accept(&self, flags: u32, owner: Owner) -> Result<(FileRef, Option<SocketAddr>)> {
        let charge = self.charge.another(SOCKET)?;
        let host = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let accept = |fd: &OwnedFd| Ok(net::acceptfrom_with(fd, host)?);
        let (fd, peer) = self.note_if_drained(try_both(self.host_sockets(), accept), |_| false)?;
        let peer = peer.and_then(|p| p.try_into().ok());
        let socket = InetSocket::new(charge, fd, self.family, self.stream, owner);
        socket.bound.set(true);
        Ok((socket.into_file(flags), peer))
    }
}
