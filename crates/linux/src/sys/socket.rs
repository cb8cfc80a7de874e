//! Sockets: pairs of `AF_UNIX` inside the guest and, if the run allows it, those of the host's loopback
//! interface. Every other family leads out of the guest and is refused.

use super::{Args, rw};
use crate::errno::{Errno, Result};
use crate::fs::FileRef;
use crate::fs::abi::{o, poll, s};
use crate::kernel::{Kernel, Sys};
use crate::net::{self, INET, INET6, InetSocket};
use crate::options::Net;
use crate::thread::{Restart, Wait, Wake};
use capvec_sim::mem::Perm;
use std::net::SocketAddr;
use std::rc::Rc;

/// `include/linux/socket.h`, `include/linux/net.h`.
const AF_UNIX: u16 = 1;
const SOCK_STREAM: u32 = 1;
const SOCK_DGRAM: u32 = 2;
const TYPE: u32 = 0xf;
/// Levels of options.
const SOL_SOCKET: i32 = 1;
const IPPROTO_TCP: i32 = 6;
const IPPROTO_UDP: i32 = 17;
/// Most bytes of an address that are looked at.
const ADDRESS: u64 = 128;
/// Most bytes of one datagram or transfer.
const CHUNK: u64 = 1 << 20;

/// Options at `SOL_SOCKET` (`include/uapi/asm-generic/socket.h`), and one of TCP.
mod so {
    pub const REUSEADDR: i32 = 2;
    pub const TYPE: i32 = 3;
    pub const ERROR: i32 = 4;
    pub const SNDBUF: i32 = 7;
    pub const RCVBUF: i32 = 8;
    pub const ACCEPTCONN: i32 = 30;
    pub const PROTOCOL: i32 = 38;
    pub const DOMAIN: i32 = 39;
    pub const TCP_NODELAY: i32 = 1;
}

/// Flags of `send` and `recv`.
mod msg {
    pub const OOB: u32 = 1;
    pub const PEEK: u32 = 2;
    pub const DONTWAIT: u32 = 0x40;
}

/// An open socket.
fn socket_of(k: &Kernel, fd: i32) -> Result<FileRef> {
    let file = k.file(fd)?;
    if file.stat()?.file_type() == s::IFSOCK { Ok(file) } else { Err(Errno::ENOTSOCK) }
}

fn inet(file: &FileRef) -> Result<&InetSocket> {
    file.object().inet().ok_or(Errno::EOPNOTSUPP)
}

/// Installs a socket of the host.
fn install(k: &mut Kernel, file: FileRef, flags: u32) -> Sys {
    k.host_files.push(Rc::downgrade(&file));
    k.install(file, flags)
}

pub fn socket(k: &mut Kernel, a: &Args) -> Sys {
    let family = a.word(0) as u16;
    if !matches!(family, INET | INET6) || k.net != Net::Loopback {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    let flags = a.word(1) & !TYPE;
    let stream = match (a.word(1) & TYPE, a.int(2)) {
        (SOCK_STREAM, 0 | IPPROTO_TCP) => true,
        (SOCK_DGRAM, 0 | IPPROTO_UDP) => false,
        _ => return Err(Errno::EPROTONOSUPPORT.into()),
    };
    if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    install(k, InetSocket::open(family, stream, flags)?, flags)
}

pub fn socketpair(k: &mut Kernel, a: &Args) -> Sys {
    let flags = a.word(1) & !TYPE;
    if a.word(0) != AF_UNIX.into() {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    if a.word(1) & TYPE != SOCK_STREAM || a.word(2) > AF_UNIX.into() {
        return Err(Errno::EPROTONOSUPPORT.into());
    }
    let pair = k.vfs.socketpair(flags)?;
    k.install_pair(pair, flags, a.raw(3))
}

impl Kernel {
    fn get_address(&self, addr: u64, len: u64) -> Result<SocketAddr> {
        let mut bytes = vec![0; len.min(ADDRESS) as usize];
        self.read_guest(addr, &mut bytes)?;
        net::decode(&bytes)
    }

    /// Writes an address, cut to the room that there is, and its whole length.
    fn put_address(&self, addr: u64, len_at: u64, bytes: &[u8]) -> Result<()> {
        let room: i32 = self.get(len_at)?;
        let room = usize::try_from(room).map_err(|_| Errno::EINVAL)?;
        self.write_guest(addr, &bytes[..bytes.len().min(room)])?;
        self.put(len_at, bytes.len() as i32)
    }
}

pub fn bind(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    inet(&file)?.bind(k.get_address(a.raw(1), a.word(2).into())?)?;
    Ok(0)
}

pub fn listen(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    inet(&file)?.listen(a.int(1))?;
    Ok(0)
}

pub fn connect(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let socket = inet(&file)?;
    if k.wake() == Wake::First {
        match socket.connect(k.get_address(a.raw(1), a.word(2).into())?) {
            Ok(()) => return Ok(0),
            Err(Errno::EINPROGRESS) if !file.nonblocking() => {}
            Err(e) => return Err(e.into()),
        }
    } else if file.poll_ready().wanted(poll::OUT) != 0 {
        socket.take_error()?;
        return Ok(0);
    }
    k.wait(Wait::Host, Restart::IfWanted)
}

pub fn accept4(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let flags = a.word(3);
    if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    match inet(&file)?.accept(flags) {
        Ok((connection, peer)) => {
            if let (Some(peer), true) = (peer, a.raw(1) != 0) {
                k.put_address(a.raw(1), a.raw(2), &net::encode(peer))?;
            }
            install(k, connection, flags)
        }
        Err(Errno::EAGAIN) => k.wait_file(&file),
        Err(e) => Err(e.into()),
    }
}

pub fn accept(k: &mut Kernel, a: &Args) -> Sys {
    accept4(k, &Args([a.raw(0), a.raw(1), a.raw(2), 0, 0, 0]))
}

/// `getsockname`, `getpeername`: of a pair, the name of an unnamed socket.
fn name(k: &mut Kernel, a: &Args, peer: bool) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let bytes = match file.object().inet() {
        Some(socket) => net::encode(socket.address(peer)?),
        None => AF_UNIX.to_le_bytes().to_vec(),
    };
    k.put_address(a.raw(1), a.raw(2), &bytes)?;
    Ok(0)
}

pub fn getsockname(k: &mut Kernel, a: &Args) -> Sys {
    name(k, a, false)
}

pub fn getpeername(k: &mut Kernel, a: &Args) -> Sys {
    name(k, a, true)
}

pub fn getsockopt(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let socket = file.object().inet();
    let value: u32 = match (a.int(1), a.int(2), socket) {
        (SOL_SOCKET, so::TYPE, Some(s)) if !s.stream => SOCK_DGRAM,
        (SOL_SOCKET, so::TYPE, _) => SOCK_STREAM,
        (SOL_SOCKET, so::ERROR, Some(s)) => s.take_error().err().map_or(0, |e| e.0 as u32),
        (SOL_SOCKET, so::ERROR | so::ACCEPTCONN | so::PROTOCOL, _) => 0,
        // The default sizes of Linux.
        (SOL_SOCKET, so::SNDBUF | so::RCVBUF, _) => 212_992,
        (SOL_SOCKET, so::DOMAIN, s) => s.map_or(AF_UNIX, |s| s.family).into(),
        _ => return Err(Errno::ENOPROTOOPT.into()),
    };
    let room: i32 = k.get(a.raw(4))?;
    let n = usize::try_from(room).map_err(|_| Errno::EINVAL)?.min(4);
    k.write_guest(a.raw(3), &value.to_le_bytes()[..n])?;
    k.put(a.raw(4), n as i32)?;
    Ok(0)
}

/// Options without effect here are accepted.
pub fn setsockopt(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    if let Some(socket) = file.object().inet() {
        let on = || k.get::<u32>(a.raw(3)).map(|v| v != 0);
        match (a.int(1), a.int(2)) {
            (SOL_SOCKET, so::REUSEADDR) => socket.set_reuse_address(on()?)?,
            (IPPROTO_TCP, so::TCP_NODELAY) => socket.set_no_delay(on()?)?,
            _ => {}
        }
    }
    Ok(0)
}

pub fn shutdown(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?.object().shutdown(a.word(1))?;
    Ok(0)
}

pub fn sendto(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    if a.word(3) & msg::OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let Some(socket) = file.object().inet() else {
        // A pair is connected, and takes no address.
        return if a.raw(4) == 0 { rw::write(k, a) } else { Err(Errno::EISCONN.into()) };
    };
    let to = match a.raw(4) {
        0 => None,
        addr => Some(k.get_address(addr, a.word(5).into())?),
    };
    let len = k.accessible(a.raw(1), a.raw(2).min(CHUNK), Perm::R)?;
    let mut data = vec![0; len as usize];
    k.read_guest(a.raw(1), &mut data)?;
    match socket.send(&data, to) {
        Ok(n) => Ok(n as u64),
        Err(Errno::EAGAIN) if a.word(3) & msg::DONTWAIT == 0 => k.wait_file(&file),
        Err(e) => Err(k.write_failed(e).into()),
    }
}

pub fn recvfrom(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let peek = a.word(3) & msg::PEEK != 0;
    let Some(socket) = file.object().inet() else {
        if a.raw(5) != 0 {
            k.put(a.raw(5), 0i32)?;
        }
        let odd = a.word(3) & (msg::PEEK | msg::OOB) != 0;
        return if odd { Err(Errno::EOPNOTSUPP.into()) } else { rw::read(k, a) };
    };
    let len = k.accessible(a.raw(1), a.raw(2).min(CHUNK), Perm::W)?;
    let mut data = vec![0; len as usize];
    match socket.receive(&mut data, peek) {
        Ok((n, from)) => {
            k.write_guest(a.raw(1), &data[..n])?;
            if let (Some(from), true) = (from, a.raw(4) != 0) {
                k.put_address(a.raw(4), a.raw(5), &net::encode(from))?;
            }
            Ok(n as u64)
        }
        Err(Errno::EAGAIN) if a.word(3) & msg::DONTWAIT == 0 => k.wait_file(&file),
        Err(e) => Err(e.into()),
    }
}

/// `struct msghdr`: name, its length, vectors, their count, control, its length, flags.
struct Message {
    vectors: Args,
    name: u64,
    control: u64,
}

fn message(k: &Kernel, a: &Args) -> Result<Message> {
    if a.word(2) & (msg::OOB | msg::PEEK) != 0 {
        return Err(Errno::EOPNOTSUPP);
    }
    let [name, _, vectors, count, control, _, _] = k.get_words(a.raw(1))?;
    Ok(Message { vectors: Args([a.raw(0), vectors, count, 0, 0, 0]), name, control })
}

/// To a connected socket; control messages are refused, not lost.
pub fn sendmsg(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    let m = message(k, a)?;
    if m.control != 0 || m.name != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    rw::writev(k, &m.vectors)
}

pub fn recvmsg(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    let m = message(k, a)?;
    let n = rw::readv(k, &m.vectors)?;
    // No name, no control messages, no flags.
    k.put(a.raw(1).wrapping_add(8), 0i32)?;
    k.put(a.raw(1).wrapping_add(40), 0u64)?;
    k.put(a.raw(1).wrapping_add(48), 0i32)?;
    Ok(n)
}
