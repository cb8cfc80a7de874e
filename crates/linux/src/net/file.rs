//! The socket as an open file.

use super::{Ends, InetSocket, Owner};
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{ioctl, poll, s};
use crate::fs::{Events, FileObject, IoctlArg, Pollable, Socket, Stat};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::net;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

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
        let [first, other] = self.host_sockets();
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
        let [first, other] = self.host_sockets();
        if !std::ptr::eq(first, other) {
            net::shutdown(other, how)?;
        }
        net::shutdown(first, how)?;
        self.ends.set(ends);
        Ok(())
    }
}

impl InetSocket {
    /// Bytes that wait to be read.
    pub(super) fn available(&self) -> Result<u64> {
        let mut most = 0;
        for fd in self.host_sockets() {
            most = rustix::io::ioctl_fionread(fd)?.max(most);
        }
        Ok(most)
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
            // The next read or write reports the error.
            Err(_) => Events::ALWAYS,
        }
    }
}
