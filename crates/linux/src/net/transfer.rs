//! Sending and receiving.

use super::InetSocket;
use super::address::{loopback, mapped};
use crate::base::errno::{Errno, Result};
use rustix::net::{self, RecvFlags, SendFlags};
use std::net::SocketAddr;
use std::os::fd::OwnedFd;

/// Calls `f` on one socket, then on the other if the first returns `EAGAIN`.
pub(super) fn try_both<T>(
    fds: [&OwnedFd; 2],
    mut f: impl FnMut(&OwnedFd) -> Result<T>,
) -> Result<T> {
    match f(fds[0]) {
        Err(Errno::EAGAIN) => f(fds[1]),
        result => result,
    }
}

impl InetSocket {
    /// Sends to an address, or to the peer.
    ///
    /// # Errors
    /// `EAGAIN`, `ENETUNREACH` for another interface; the host's.
    pub fn send(&self, data: &[u8], to: Option<SocketAddr>) -> Result<usize> {
        let sent = self.send_now(data, to);
        self.note_if_drained(sent, |n| *n < data.len())
    }

    fn send_now(&self, data: &[u8], to: Option<SocketAddr>) -> Result<usize> {
        // The guest's thread gets SIGPIPE, not the simulator.
        let flags = SendFlags::NOSIGNAL;
        match to {
            None => Ok(net::send(self.fd(), data, flags)?),
            Some(to) => {
                let to = loopback(self.in_own_family(to)?)?;
                self.ensure_bound()?;
                let v4 = mapped(to.ip()).is_some();
                if v4 && self.v6_only.get() {
                    return Err(Errno::ENETUNREACH);
                }
                let fd = self.second.get().filter(|_| v4).unwrap_or(&self.fd);
                Ok(net::sendto(fd, data, flags, &to)?)
            }
        }
    }

    /// Receives; with `peek` the data stays queued.
    ///
    /// # Errors
    /// `EAGAIN`; the host's.
    pub fn receive(&self, buf: &mut [u8], peek: bool) -> Result<(usize, Option<SocketAddr>)> {
        let flags = if peek { RecvFlags::PEEK } else { RecvFlags::empty() };
        let room = buf.len();
        let receive = |fd: &OwnedFd| Ok(net::recvfrom(fd, &mut *buf, flags)?);
        let (n, _, from) =
            self.note_if_drained(try_both(self.host_sockets(), receive), |got| got.0 < room)?;
        Ok((n, from.and_then(|f| f.try_into().ok())))
    }
}
