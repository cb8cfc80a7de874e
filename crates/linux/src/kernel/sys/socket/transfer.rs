//! Sending and receiving (send(2), recv(2)).

use super::abi::msg;
use super::descriptor::{AnySocket, get_address, put_address, socket_of};
use super::unix::{self, Extra};
use super::{control, netlink};
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::{FileRef, SocketKind, UnixSocket};
use crate::kernel::sys::read_write::{wait_file, write_failed};
use crate::kernel::sys::{Args, read_write};
use crate::kernel::{Abort, Kernel, Sys};
use crate::net::{self, InetSocket};
use crate::netlink::NetlinkSocket;
use crate::space::Range;
use capvec_sim::mem::Perm;
use std::net::SocketAddr;

/// Maximum size of one datagram or transfer.
const CHUNK: u64 = 1 << 20;

pub fn sendto(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    if a.word(3) & msg::OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let (range, name) = ((a.raw(1), a.raw(2)), (a.raw(4), a.word(5).into()));
    let socket = match AnySocket::of(&file) {
        AnySocket::Unix(socket) => {
            let extra = Extra::to(k, name.0, name.1, a.word(3))?;
            return unix::send(k, &file, socket, &[range], extra);
        }
        AnySocket::Netlink(socket) => return netlink::send(k, socket, &[range], name),
        AnySocket::Host(socket) => socket?,
    };
    let to = match name.0 {
        0 => None,
        addr => Some(get_address(k, addr, name.1)?),
    };
    let len = k.guest().accessible(range.0, range.1.min(CHUNK), Perm::R)?;
    let mut data = vec![0; len as usize];
    k.guest().copy(range.0, &mut data)?;
    sent(k, &file, socket.send(&data, to), a.word(3))
}

/// The outcome of a call that has sent to a socket of the host.
fn sent(k: &mut Kernel, file: &FileRef, outcome: Result<usize>, flags: u32) -> Sys {
    match outcome {
        Ok(n) => Ok(n as u64),
        Err(Errno::EAGAIN) if flags & msg::DONTWAIT == 0 => wait_file(k, file),
        Err(e) if flags & msg::NOSIGNAL != 0 => Err(e.into()),
        Err(e) => Err(write_failed(k, e).into()),
    }
}

pub fn recvfrom(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let (range, flags) = ((a.raw(1), a.raw(2)), a.word(3));
    let (len, whole, from) = match AnySocket::of(&file) {
        AnySocket::Unix(_) if flags & msg::OOB != 0 => return Err(Errno::EOPNOTSUPP.into()),
        AnySocket::Unix(socket) => {
            let got = unix::receive(k, &file, socket, &[range], flags)?;
            (got.len, got.whole, Some(unix::encode(got.from)))
        }
        AnySocket::Netlink(socket) => {
            let got = netlink::receive(k, &file, socket, &[range], flags)?;
            (got.len, got.whole, Some(netlink::sender()))
        }
        AnySocket::Host(socket) => {
            let (len, from) = receive(k, &file, socket?, range, flags)?;
            (len, len, from.map(net::encode))
        }
    };
    if let (Some(from), true) = (from, a.raw(4) != 0) {
        put_address(k, a.raw(4), a.raw(5), &from)?;
    }
    Ok(if flags & msg::TRUNC != 0 { whole } else { len } as u64)
}

/// Receives from a socket of the host.
fn receive(
    k: &mut Kernel,
    file: &FileRef,
    socket: &InetSocket,
    (addr, len): Range,
    flags: u32,
) -> std::result::Result<(usize, Option<SocketAddr>), Abort> {
    let len = k.guest().accessible(addr, len.min(CHUNK), Perm::W)?;
    let mut data = vec![0; len as usize];
    match socket.receive(&mut data, flags & msg::PEEK != 0) {
        Ok((n, from)) => {
            k.guest().write(addr, &data[..n])?;
            Ok((n, from))
        }
        Err(Errno::EAGAIN) if flags & msg::DONTWAIT == 0 => {
            Err(wait_file(k, file).err().unwrap_or(Abort::Errno(Errno::EAGAIN)))
        }
        Err(e) => Err(e.into()),
    }
}

/// `struct msghdr`: address, `iovec` array and control messages, each with its length; flags come last.
struct Message {
    name: (u64, u64),
    iovec: (u64, u64),
    control: (u64, u64),
}

fn message(k: &Kernel, a: &Args) -> Result<Message> {
    let at = a.raw(1);
    // Four bytes after the length of the name have no meaning.
    let (name, len): (u64, u32) = (k.guest().get(at)?, k.guest().get(at.wrapping_add(8))?);
    let [iovec, count, control, control_len] = k.guest().get_words(at.wrapping_add(16))?;
    Ok(Message {
        name: (name, len.into()),
        iovec: (iovec, count),
        control: (control, if control == 0 { 0 } else { control_len }),
    })
}

/// A socket of the host takes only data: control messages are refused, not dropped.
pub fn sendmsg(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let m = message(k, a)?;
    if a.word(2) & msg::OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let socket = match AnySocket::of(&file) {
        AnySocket::Unix(socket) => {
            let files = control::files_of(k, m.control.0, m.control.1)?;
            let extra = Extra { files, ..Extra::to(k, m.name.0, m.name.1, a.word(2))? };
            let ranges = k.guest().iovec(m.iovec.0, m.iovec.1)?;
            return unix::send(k, &file, socket, &ranges, extra);
        }
        AnySocket::Netlink(socket) => {
            let ranges = k.guest().iovec(m.iovec.0, m.iovec.1)?;
            return netlink::send(k, socket, &ranges, m.name);
        }
        AnySocket::Host(socket) => socket,
    };
    if m.control.1 != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    if m.name.0 == 0 && a.word(2) & (msg::DONTWAIT | msg::NOSIGNAL) == 0 {
        return read_write::writev(k, &Args::new([a.raw(0), m.iovec.0, m.iovec.1, 0, 0, 0]));
    }
    let to = match m.name.0 {
        0 => None,
        addr => Some(get_address(k, addr, m.name.1)?),
    };
    let ranges = k.guest().iovec(m.iovec.0, m.iovec.1)?;
    let data = k.guest().gather(&ranges, 0)?;
    sent(k, &file, socket?.send(&data, to), a.word(2))
}

/// What recvmsg(2) reports in addition to the data.
#[derive(Default)]
struct Report {
    /// The result of the call.
    len: u64,
    /// The sender's address.
    from: Vec<u8>,
    /// Bytes of control messages.
    control: u64,
    /// `MSG_*`.
    flags: u32,
}

pub fn recvmsg(k: &mut Kernel, a: &Args) -> Sys {
    let (file, at) = (socket_of(k, a.int(0))?, a.raw(1));
    let m = message(k, a)?;
    if a.word(2) & msg::OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let Report { len, from, control, flags } = match AnySocket::of(&file) {
        AnySocket::Unix(socket) => message_from_unix(k, &file, socket, &m, a.word(2))?,
        AnySocket::Netlink(socket) => message_from_netlink(k, &file, socket, &m, a.word(2))?,
        AnySocket::Host(socket)
            if m.name.0 != 0 || a.word(2) & (msg::PEEK | msg::DONTWAIT) != 0 =>
        {
            message_from_host(k, &file, socket, &m, a.word(2))?
        }
        AnySocket::Host(_) => {
            let len = read_write::readv(k, &Args::new([a.raw(0), m.iovec.0, m.iovec.1, 0, 0, 0]))?;
            Report { len, ..Report::default() }
        }
    };
    if m.name.0 != 0 {
        k.guest().write(m.name.0, &from[..from.len().min(m.name.1 as usize)])?;
    }
    k.guest().put(at.wrapping_add(8), from.len() as i32)?;
    k.guest().put(at.wrapping_add(40), control)?;
    k.guest().put(at.wrapping_add(48), flags as i32)?;
    Ok(len)
}

type Reported = std::result::Result<Report, Abort>;

fn message_from_unix(
    k: &mut Kernel,
    file: &FileRef,
    socket: &UnixSocket,
    m: &Message,
    flags: u32,
) -> Reported {
    let ranges = k.guest().iovec(m.iovec.0, m.iovec.1)?;
    let got = unix::receive(k, file, socket, &ranges, flags)?;
    let cut = got.len < got.whole && socket.kind() != SocketKind::Stream;
    let cloexec = if flags & msg::CMSG_CLOEXEC != 0 { o::CLOEXEC } else { 0 };
    let (control, lost) = control::put_files(k, got.files, m.control, cloexec)?;
    Ok(Report {
        len: if flags & msg::TRUNC != 0 { got.whole } else { got.len } as u64,
        from: got.from.map_or(Vec::new(), |name| unix::encode(Some(name))),
        control,
        flags: lost | if cut { msg::TRUNC } else { 0 },
    })
}

fn message_from_netlink(
    k: &mut Kernel,
    file: &FileRef,
    socket: &NetlinkSocket,
    m: &Message,
    flags: u32,
) -> Reported {
    let ranges = k.guest().iovec(m.iovec.0, m.iovec.1)?;
    let got = netlink::receive(k, file, socket, &ranges, flags)?;
    Ok(Report {
        len: if flags & msg::TRUNC != 0 { got.whole } else { got.len } as u64,
        from: netlink::sender(),
        control: 0,
        flags: if got.len < got.whole { msg::TRUNC } else { 0 },
    })
}

fn message_from_host(
    k: &mut Kernel,
    file: &FileRef,
    socket: Result<&InetSocket>,
    m: &Message,
    flags: u32,
) -> Reported {
    let ranges = k.guest().usable(&k.guest().iovec(m.iovec.0, m.iovec.1)?)?;
    let room: u64 = ranges.iter().map(|r| r.1).sum();
    let mut buf = vec![0; room.min(CHUNK) as usize];
    match socket?.receive(&mut buf, flags & msg::PEEK != 0) {
        Ok((len, sender)) => {
            k.guest().scatter(&ranges, 0, &buf[..len])?;
            let from = sender.map_or(Vec::new(), net::encode);
            Ok(Report { len: len as u64, from, ..Report::default() })
        }
        Err(Errno::EAGAIN) if flags & msg::DONTWAIT == 0 => {
            Err(wait_file(k, file).err().unwrap_or(Abort::Errno(Errno::EAGAIN)))
        }
        Err(e) => Err(e.into()),
    }
}
