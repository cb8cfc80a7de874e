//! Sockets: those of `AF_UNIX` and `AF_NETLINK`, which lie inside the guest, and, if the run allows it, those of
//! the host's loopback interface. Every other family leads out of the guest and is refused.

use super::netlink;
use super::unix::{self, AF_UNIX, Extra, msg};
use super::{Args, rw};
use crate::base::cred::cap;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, poll, s};
use crate::fs::{FileRef, SocketKind, UnixSocket};
use crate::kernel::Net;
use crate::kernel::{Kernel, Sys};
use crate::net::{self, INET, INET6, InetSocket, Owner};
use crate::netlink::{NETLINK, NetlinkSocket, Protocol};
use crate::process::thread::{Restart, Wait, Wake};
use capvec_sim::mem::Perm;
use std::net::SocketAddr;
use std::rc::Rc;

/// `include/linux/socket.h`, `include/linux/net.h`.
const SOCK_STREAM: u32 = 1;
const SOCK_DGRAM: u32 = 2;
const SOCK_RAW: u32 = 3;
const TYPE: u32 = 0xf;
/// Levels of options.
const SOL_SOCKET: i32 = 1;
const IPPROTO_TCP: i32 = 6;
const IPPROTO_UDP: i32 = 17;
const IPPROTO_IPV6: i32 = 41;
/// Ports from here on are everyone's (`net.ipv4.ip_unprivileged_port_start`).
const FREE_PORTS: u16 = 1024;
/// Most bytes of an address that are looked at.
const ADDRESS: u64 = 128;
/// Most bytes of one datagram or transfer.
const CHUNK: u64 = 1 << 20;

/// Options at `SOL_SOCKET` (`include/uapi/asm-generic/socket.h`), and those of TCP and IPv6.
mod so {
    pub const REUSEADDR: i32 = 2;
    pub const TYPE: i32 = 3;
    pub const ERROR: i32 = 4;
    pub const SNDBUF: i32 = 7;
    pub const RCVBUF: i32 = 8;
    pub const PEERCRED: i32 = 17;
    pub const ACCEPTCONN: i32 = 30;
    pub const PROTOCOL: i32 = 38;
    pub const DOMAIN: i32 = 39;
    pub const TCP_NODELAY: i32 = 1;
    pub const IPV6_V6ONLY: i32 = 26;
}

/// An open socket.
fn socket_of(k: &Kernel, fd: i32) -> Result<FileRef> {
    let file = k.file(fd)?;
    if file.stat()?.file_type() == s::IFSOCK { Ok(file) } else { Err(Errno::ENOTSOCK) }
}

fn inet(file: &FileRef) -> Result<&InetSocket> {
    file.kind::<InetSocket>().ok_or(Errno::EOPNOTSUPP)
}

/// What tells a new socket of the host from others.
fn owner(k: &Kernel) -> Owner {
    Owner { ino: k.files.vfs.shared.fresh_ino(), uid: k.cred().uid.fs }
}

/// Installs a socket of the host.
fn install(k: &mut Kernel, file: FileRef, flags: u32) -> Sys {
    k.host.files.push(Rc::downgrade(&file));
    k.install(file, flags)
}

pub fn socket(k: &mut Kernel, a: &Args) -> Sys {
    let family = a.word(0) as u16;
    let flags = a.word(1) & !TYPE;
    if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    if a.word(0) == AF_UNIX.into() && a.word(2) <= AF_UNIX.into() {
        let file = k.files.vfs.unix_socket(unix::kind(a.word(1) & TYPE)?, k.as_peer(), flags)?;
        return k.install(file, flags);
    }
    if a.word(0) == NETLINK.into() {
        let kind = a.word(1) & TYPE;
        if !matches!(kind, SOCK_DGRAM | SOCK_RAW) {
            return Err(Errno::ESOCKTNOSUPPORT.into());
        }
        let protocol = Protocol::of(a.int(2))?;
        let file =
            NetlinkSocket::open(&k.files.vfs, &k.network.netlink_ports, protocol, kind, flags)?;
        return k.install(file, flags);
    }
    if !matches!(family, INET | INET6) || k.network.allowed != Net::Loopback {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    let stream = match (a.word(1) & TYPE, a.int(2)) {
        (SOCK_STREAM, 0 | IPPROTO_TCP) => true,
        (SOCK_DGRAM, 0 | IPPROTO_UDP) => false,
        _ => return Err(Errno::EPROTONOSUPPORT.into()),
    };
    let owner = owner(k);
    install(k, InetSocket::open(&k.memory.account, family, stream, flags, owner)?, flags)
}

pub fn socketpair(k: &mut Kernel, a: &Args) -> Sys {
    let flags = a.word(1) & !TYPE;
    if a.word(0) != AF_UNIX.into() {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    if a.word(2) > AF_UNIX.into() {
        return Err(Errno::EPROTONOSUPPORT.into());
    }
    let pair = k.files.vfs.socketpair(unix::kind(a.word(1) & TYPE)?, k.as_peer(), flags)?;
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
    if let Some(socket) = UnixSocket::of(&file) {
        return unix::bind(k, socket, a);
    }
    if let Some(socket) = file.kind::<NetlinkSocket>() {
        return netlink::bind(k, socket, a.raw(1), a.word(2).into());
    }
    let address = k.get_address(a.raw(1), a.word(2).into())?;
    if (1..FREE_PORTS).contains(&address.port()) && !k.cred().has(cap::NET_BIND_SERVICE) {
        return Err(Errno::EACCES.into());
    }
    inet(&file)?.bind(address)?;
    Ok(0)
}

pub fn listen(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    if let Some(socket) = UnixSocket::of(&file) {
        socket.listen(a.int(1))?;
        return Ok(0);
    }
    inet(&file)?.listen(a.int(1))?;
    Ok(0)
}

pub fn connect(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    if let Some(socket) = UnixSocket::of(&file) {
        return unix::connect(k, &file, socket, a);
    }
    if let Some(socket) = file.kind::<NetlinkSocket>() {
        return netlink::connect(k, socket, a.raw(1), a.word(2).into());
    }
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
    if let Some(socket) = UnixSocket::of(&file) {
        return match socket.accept(flags) {
            Ok(connection) => {
                let peer = UnixSocket::of(&connection).and_then(|s| s.address(true).ok()).flatten();
                if a.raw(1) != 0 {
                    k.put_address(a.raw(1), a.raw(2), &unix::encode(peer))?;
                }
                k.install(connection, flags)
            }
            Err(Errno::EAGAIN) => k.wait_file(&file),
            Err(e) => Err(e.into()),
        };
    }
    match inet(&file)?.accept(flags, owner(k)) {
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

/// `getsockname`, `getpeername`.
fn name(k: &mut Kernel, a: &Args, peer: bool) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let bytes = match (UnixSocket::of(&file), file.kind::<NetlinkSocket>()) {
        (Some(socket), _) => unix::encode(socket.address(peer)?),
        (_, Some(_)) if peer => netlink::sender(),
        (_, Some(socket)) => netlink::encode(socket.address()),
        _ => net::encode(inet(&file)?.address(peer)?),
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
    let (inet, unix) = (file.kind::<InetSocket>(), UnixSocket::of(&file));
    let netlink = file.kind::<NetlinkSocket>();
    let mut bytes = Vec::new();
    let value: u32 = match (a.int(1), a.int(2)) {
        (SOL_SOCKET, so::TYPE) => match (inet, unix) {
            (_, Some(s)) => unix::number(s.kind()),
            (Some(s), _) if !s.stream => SOCK_DGRAM,
            (None, None) => netlink.map_or(SOCK_STREAM, |s| s.kind),
            _ => SOCK_STREAM,
        },
        (SOL_SOCKET, so::ERROR) => {
            inet.and_then(|s| s.take_error().err()).map_or(0, |e| e.0 as u32)
        }
        (SOL_SOCKET, so::ACCEPTCONN) => {
            let listens = unix.is_some_and(|s| s.is_listening());
            (listens || inet.is_some_and(|s| s.listening.get())).into()
        }
        (SOL_SOCKET, so::PROTOCOL) => match inet {
            Some(s) if s.stream => IPPROTO_TCP as u32,
            Some(_) => IPPROTO_UDP as u32,
            None => netlink.map_or(0, |s| s.protocol.number()),
        },
        (SOL_SOCKET, so::REUSEADDR) => inet.is_some_and(|s| s.reuses_address()).into(),
        (IPPROTO_IPV6, so::IPV6_V6ONLY) => match inet {
            Some(s) if s.family == INET6 => s.is_only_v6().into(),
            _ => return Err(Errno::ENOPROTOOPT.into()),
        },
        // The default sizes of Linux.
        (SOL_SOCKET, so::SNDBUF | so::RCVBUF) => 212_992,
        (SOL_SOCKET, so::DOMAIN) if netlink.is_some() => NETLINK.into(),
        (SOL_SOCKET, so::DOMAIN) => inet.map_or(AF_UNIX, |s| s.family).into(),
        // `struct ucred`: process, user and group.
        (SOL_SOCKET, so::PEERCRED) if unix.is_some() => {
            let peer = unix.map(|s| s.peer_process()).unwrap_or_default();
            bytes = [peer.uid.to_le_bytes(), peer.gid.to_le_bytes()].concat();
            peer.pid as u32
        }
        _ => return Err(Errno::ENOPROTOOPT.into()),
    };
    let bytes = [&value.to_le_bytes()[..], &bytes].concat();
    let room: i32 = k.get(a.raw(4))?;
    let n = usize::try_from(room).map_err(|_| Errno::EINVAL)?.min(bytes.len());
    k.write_guest(a.raw(3), &bytes[..n])?;
    k.put(a.raw(4), n as i32)?;
    Ok(0)
}

/// Options without effect here are accepted.
pub fn setsockopt(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    if let (Some(socket), netlink::SOL_NETLINK) = (file.kind::<NetlinkSocket>(), a.int(1)) {
        return netlink::set_option(k, socket, a.int(2), a.raw(3));
    }
    if let Some(socket) = file.kind::<InetSocket>() {
        let on = || k.get::<u32>(a.raw(3)).map(|v| v != 0);
        match (a.int(1), a.int(2)) {
            (SOL_SOCKET, so::REUSEADDR) => socket.set_reuse_address(on()?)?,
            (IPPROTO_IPV6, so::IPV6_V6ONLY) => socket.set_only_v6(on()?)?,
            (IPPROTO_TCP, so::TCP_NODELAY) => socket.set_no_delay(on()?)?,
            _ => {}
        }
    }
    Ok(0)
}

pub fn shutdown(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?.object().socket().shutdown(a.word(1))?;
    Ok(0)
}

pub fn sendto(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    if a.word(3) & msg::OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    if let Some(socket) = UnixSocket::of(&file) {
        let extra = Extra::to(k, a.raw(4), a.word(5).into(), a.word(3))?;
        return unix::send(k, &file, socket, &[(a.raw(1), a.raw(2))], extra);
    }
    if let Some(socket) = file.kind::<NetlinkSocket>() {
        return netlink::send(k, socket, &[(a.raw(1), a.raw(2))], (a.raw(4), a.word(5).into()));
    }
    let socket = inet(&file)?;
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
        Err(e) if a.word(3) & msg::NOSIGNAL != 0 => Err(e.into()),
        Err(e) => Err(k.write_failed(e).into()),
    }
}

pub fn recvfrom(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let peek = a.word(3) & msg::PEEK != 0;
    if let Some(socket) = UnixSocket::of(&file) {
        if a.word(3) & msg::OOB != 0 {
            return Err(Errno::EOPNOTSUPP.into());
        }
        let got = unix::receive(k, &file, socket, &[(a.raw(1), a.raw(2))], a.word(3))?;
        if a.raw(4) != 0 {
            k.put_address(a.raw(4), a.raw(5), &unix::encode(got.from))?;
        }
        return Ok(if a.word(3) & msg::TRUNC != 0 { got.whole } else { got.len } as u64);
    }
    if let Some(socket) = file.kind::<NetlinkSocket>() {
        let got = netlink::receive(k, &file, socket, &[(a.raw(1), a.raw(2))], a.word(3))?;
        if a.raw(4) != 0 {
            k.put_address(a.raw(4), a.raw(5), &netlink::sender())?;
        }
        return Ok(if a.word(3) & msg::TRUNC != 0 { got.whole } else { got.len } as u64);
    }
    let socket = inet(&file)?;
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

/// `struct msghdr`: address, vectors and control messages, each with its length; flags come last.
struct Message {
    name: (u64, u64),
    vectors: (u64, u64),
    control: (u64, u64),
}

fn message(k: &Kernel, a: &Args) -> Result<Message> {
    let [name, len, vectors, count, control, control_len] = k.get_words(a.raw(1))?;
    Ok(Message {
        name: (name, len & 0xffff_ffff),
        vectors: (vectors, count),
        control: (control, if control == 0 { 0 } else { control_len }),
    })
}

/// To a socket of the host only data; control messages are refused, not lost.
pub fn sendmsg(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let m = message(k, a)?;
    if a.word(2) & msg::OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    if let Some(socket) = UnixSocket::of(&file) {
        let files = unix::files_of(k, m.control.0, m.control.1)?;
        let extra = Extra { files, ..Extra::to(k, m.name.0, m.name.1, a.word(2))? };
        let ranges = k.vectors(m.vectors.0, m.vectors.1)?;
        return unix::send(k, &file, socket, &ranges, extra);
    }
    if let Some(socket) = file.kind::<NetlinkSocket>() {
        let ranges = k.vectors(m.vectors.0, m.vectors.1)?;
        return netlink::send(k, socket, &ranges, m.name);
    }
    if m.control.1 != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    if m.name.0 == 0 {
        return rw::writev(k, &Args([a.raw(0), m.vectors.0, m.vectors.1, 0, 0, 0]));
    }
    let to = k.get_address(m.name.0, m.name.1)?;
    let ranges = k.vectors(m.vectors.0, m.vectors.1)?;
    let data = k.gather(&ranges, 0)?;
    match inet(&file)?.send(&data, Some(to)) {
        Ok(n) => Ok(n as u64),
        Err(Errno::EAGAIN) if a.word(2) & msg::DONTWAIT == 0 => k.wait_file(&file),
        Err(e) => Err(e.into()),
    }
}

pub fn recvmsg(k: &mut Kernel, a: &Args) -> Sys {
    let (file, at) = (socket_of(k, a.int(0))?, a.raw(1));
    let m = message(k, a)?;
    let n;
    let (mut control, mut flags) = (0, 0);
    let mut from = Vec::new();
    match UnixSocket::of(&file) {
        _ if a.word(2) & msg::OOB != 0 => return Err(Errno::EOPNOTSUPP.into()),
        Some(socket) => {
            let ranges = k.vectors(m.vectors.0, m.vectors.1)?;
            let got = unix::receive(k, &file, socket, &ranges, a.word(2))?;
            if got.len < got.whole && socket.kind() != SocketKind::Stream {
                flags |= msg::TRUNC;
            }
            n = if a.word(2) & msg::TRUNC != 0 { got.whole } else { got.len } as u64;
            from = got.from.map_or(from, |name| unix::encode(Some(name)));
            let cloexec = if a.word(2) & msg::CMSG_CLOEXEC != 0 { o::CLOEXEC } else { 0 };
            let (len, lost) = unix::put_files(k, got.files, m.control, cloexec)?;
            (control, flags) = (len, flags | lost);
        }
        None if file.kind::<NetlinkSocket>().is_some() => {
            let socket = file.kind::<NetlinkSocket>().ok_or(Errno::ENOTSOCK)?;
            let ranges = k.vectors(m.vectors.0, m.vectors.1)?;
            let got = netlink::receive(k, &file, socket, &ranges, a.word(2))?;
            if got.len < got.whole {
                flags |= msg::TRUNC;
            }
            n = if a.word(2) & msg::TRUNC != 0 { got.whole } else { got.len } as u64;
            from = netlink::sender();
        }
        None if m.name.0 != 0 || a.word(2) & msg::PEEK != 0 => {
            let ranges = k.usable(&k.vectors(m.vectors.0, m.vectors.1)?)?;
            let room: u64 = ranges.iter().map(|r| r.1).sum();
            let mut buf = vec![0; room.min(CHUNK) as usize];
            match inet(&file)?.receive(&mut buf, a.word(2) & msg::PEEK != 0) {
                Ok((len, sender)) => {
                    k.scatter(&ranges, 0, &buf[..len])?;
                    from = sender.map_or(from, net::encode);
                    n = len as u64;
                }
                Err(Errno::EAGAIN) if a.word(2) & msg::DONTWAIT == 0 => return k.wait_file(&file),
                Err(e) => return Err(e.into()),
            }
        }
        None => n = rw::readv(k, &Args([a.raw(0), m.vectors.0, m.vectors.1, 0, 0, 0]))?,
    }
    if m.name.0 != 0 {
        k.write_guest(m.name.0, &from[..from.len().min(m.name.1 as usize)])?;
    }
    k.put(at.wrapping_add(8), from.len() as i32)?;
    k.put(at.wrapping_add(40), control)?;
    k.put(at.wrapping_add(48), flags as i32)?;
    Ok(n)
}
