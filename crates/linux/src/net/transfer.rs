//! Sending and receiving.

use super::InetSocket;
use super::address::{loopback, mapped};
use crate::base::errno::{Errno, Result};
use rustix::net::{self, RecvFlags, SendFlags};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;

/// Calls `f` on one socket, then on the other if it says `EAGAIN`.
pub(super) fn either<T>(fds: [&OwnedFd; 2], mut f: impl FnMut(&OwnedFd) -> Result<T>) -> Result<T> {
    match f(fds[0]) {
        Err(Errno::EAGAIN) => f(fds[1]),
        result => result,
    }
}

impl InetSocket {
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
}
