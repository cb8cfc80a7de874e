//! Sockets: `AF_UNIX` and `AF_NETLINK`, which stay inside the guest, and, if the run allows it, the internet families
//! on the host's loopback interface. Every other family would lead out of the guest and is refused.

mod abi;
mod control;
mod descriptor;
mod netlink;
pub mod options;
pub mod transfer;
mod unix;

use self::abi::{
    AF_UNIX, IPPROTO_TCP, IPPROTO_UDP, SOCK_DGRAM, SOCK_RAW, SOCK_STREAM, SOCK_TYPE_MASK,
};
use self::descriptor::{AnySocket, get_address, put_address, socket_of};
use super::Args;
use super::fd::install_pair;
use super::read_write::wait_file;
use crate::base::cred::cap;
use crate::base::errno::Errno;
use crate::fs::abi::{o, poll};
use crate::fs::{FileRef, UnixSocket};
use crate::interface::Net;
use crate::kernel::{Kernel, Sys};
use crate::net::{self, INET, INET6, InetSocket, Owner};
use crate::netlink::{NETLINK, NetlinkSocket, Protocol};
use crate::process::thread::{Restart, Wait, Wake};
use std::rc::Rc;

/// The first unprivileged port (`net.ipv4.ip_unprivileged_port_start`).
const FREE_PORTS: u16 = 1024;

/// The inode number and owner of a new socket backed by the host.
fn owner(k: &Kernel) -> Owner {
    Owner { ino: k.files.vfs.shared.fresh_ino(), uid: k.cred().uid.fs }
}

/// Installs a socket backed by the host.
fn install(k: &mut Kernel, file: FileRef, flags: u32) -> Sys {
    k.host.files.push(Rc::downgrade(&file));
    k.install(file, flags)
}

pub fn socket(k: &mut Kernel, a: &Args) -> Sys {
    let family = a.word(0) as u16;
    let flags = a.word(1) & !SOCK_TYPE_MASK;
    if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    if a.word(0) == AF_UNIX.into() && a.word(2) <= AF_UNIX.into() {
        let file = k.files.vfs.unix_socket(
            unix::kind(a.word(1) & SOCK_TYPE_MASK)?,
            k.tasks.as_peer(),
            flags,
        )?;
        return k.install(file, flags);
    }
    if a.word(0) == NETLINK.into() {
        let kind = a.word(1) & SOCK_TYPE_MASK;
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
    let stream = match (a.word(1) & SOCK_TYPE_MASK, a.int(2)) {
        (SOCK_STREAM, 0 | IPPROTO_TCP) => true,
        (SOCK_DGRAM, 0 | IPPROTO_UDP) => false,
        _ => return Err(Errno::EPROTONOSUPPORT.into()),
    };
    let owner = owner(k);
    install(k, InetSocket::open(&k.memory.account, family, stream, flags, owner)?, flags)
}

pub fn socketpair(k: &mut Kernel, a: &Args) -> Sys {
    let flags = a.word(1) & !SOCK_TYPE_MASK;
    if a.word(0) != AF_UNIX.into() {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    if a.word(2) > AF_UNIX.into() {
        return Err(Errno::EPROTONOSUPPORT.into());
    }
    let pair = k.files.vfs.socketpair(
        unix::kind(a.word(1) & SOCK_TYPE_MASK)?,
        k.tasks.as_peer(),
        flags,
    )?;
    install_pair(k, pair, flags, a.raw(3))
}

pub fn bind(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let socket = match AnySocket::of(&file) {
        AnySocket::Unix(socket) => return unix::bind(k, socket, a),
        AnySocket::Netlink(socket) => {
            return netlink::bind(k, socket, a.raw(1), a.word(2).into());
        }
        AnySocket::Host(socket) => socket,
    };
    let address = get_address(k, a.raw(1), a.word(2).into())?;
    if (1..FREE_PORTS).contains(&address.port()) && !k.cred().has(cap::NET_BIND_SERVICE) {
        return Err(Errno::EACCES.into());
    }
    socket?.bind(address)?;
    Ok(0)
}

pub fn listen(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    match AnySocket::of(&file) {
        AnySocket::Unix(socket) => socket.listen(a.int(1))?,
        AnySocket::Netlink(_) => return Err(Errno::EOPNOTSUPP.into()),
        AnySocket::Host(socket) => socket?.listen(a.int(1))?,
    }
    Ok(0)
}

pub fn connect(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let socket = match AnySocket::of(&file) {
        AnySocket::Unix(socket) => return unix::connect(k, &file, socket, a),
        AnySocket::Netlink(socket) => {
            return netlink::connect(k, socket, a.raw(1), a.word(2).into());
        }
        AnySocket::Host(socket) => socket?,
    };
    if k.wake() == Wake::First {
        match socket.connect(get_address(k, a.raw(1), a.word(2).into())?) {
            Ok(()) => return Ok(0),
            Err(Errno::EINPROGRESS) if !file.nonblocking() => {}
            Err(e) => return Err(e.into()),
        }
    } else if file.poll_ready().wanted(poll::OUT) != 0 {
        socket.take_error()?;
        return Ok(0);
    }
    k.wait(Wait::Host, Restart::Restartable)
}

pub fn accept4(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let flags = a.word(3);
    if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let socket = match AnySocket::of(&file) {
        AnySocket::Unix(socket) => return accept_unix(k, &file, socket, a),
        AnySocket::Netlink(_) => return Err(Errno::EOPNOTSUPP.into()),
        AnySocket::Host(socket) => socket?,
    };
    match socket.accept(flags, owner(k)) {
        Ok((connection, peer)) => {
            if let (Some(peer), true) = (peer, a.raw(1) != 0) {
                put_address(k, a.raw(1), a.raw(2), &net::encode(peer))?;
            }
            install(k, connection, flags)
        }
        Err(Errno::EAGAIN) => wait_file(k, &file),
        Err(e) => Err(e.into()),
    }
}

fn accept_unix(k: &mut Kernel, file: &FileRef, socket: &UnixSocket, a: &Args) -> Sys {
    match socket.accept(a.word(3)) {
        Ok((connection, peer)) => {
            if a.raw(1) != 0 {
                put_address(k, a.raw(1), a.raw(2), &unix::encode(peer))?;
            }
            k.install(connection, a.word(3))
        }
        Err(Errno::EAGAIN) => wait_file(k, file),
        Err(e) => Err(e.into()),
    }
}

pub fn accept(k: &mut Kernel, a: &Args) -> Sys {
    accept4(k, &Args::new([a.raw(0), a.raw(1), a.raw(2), 0, 0, 0]))
}

/// `getsockname`, `getpeername`.
fn name(k: &mut Kernel, a: &Args, peer: bool) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let bytes = match AnySocket::of(&file) {
        AnySocket::Unix(socket) => unix::encode(socket.address(peer)?),
        AnySocket::Netlink(_) if peer => netlink::sender(),
        AnySocket::Netlink(socket) => netlink::encode(socket.address()),
        AnySocket::Host(socket) => net::encode(socket?.address(peer)?),
    };
    put_address(k, a.raw(1), a.raw(2), &bytes)?;
    Ok(0)
}

pub fn getsockname(k: &mut Kernel, a: &Args) -> Sys {
    name(k, a, false)
}

pub fn getpeername(k: &mut Kernel, a: &Args) -> Sys {
    name(k, a, true)
}

pub fn shutdown(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?.object().socket().shutdown(a.word(1))?;
    Ok(0)
}
