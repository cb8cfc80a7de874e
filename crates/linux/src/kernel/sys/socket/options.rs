//! Socket options (getsockopt(2), socket(7)).

use super::abi::{AF_UNIX, IPPROTO_TCP, IPPROTO_UDP, SOCK_DGRAM, SOCK_STREAM, SOL_SOCKET};
use super::descriptor::{AnySocket, socket_of};
use super::{netlink, unix};
use crate::base::errno::Errno;
use crate::kernel::sys::Args;
use crate::kernel::{Kernel, Sys};
use crate::net::INET6;
use crate::netlink::NETLINK;

/// The level of the options of IPv6; like that of TCP, it is the number of the protocol.
const IPPROTO_IPV6: i32 = 41;

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

pub fn getsockopt(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let socket = AnySocket::of(&file);
    let mut bytes = Vec::new();
    let value: u32 = match (a.int(1), a.int(2)) {
        (SOL_SOCKET, so::TYPE) => match socket {
            AnySocket::Unix(s) => unix::number(s.kind()),
            AnySocket::Netlink(s) => s.kind,
            AnySocket::Host(Ok(s)) if !s.stream => SOCK_DGRAM,
            AnySocket::Host(_) => SOCK_STREAM,
        },
        (SOL_SOCKET, so::ERROR) => match socket {
            AnySocket::Host(Ok(s)) => s.take_error().err().map_or(0, |e| e.0 as u32),
            _ => 0,
        },
        (SOL_SOCKET, so::ACCEPTCONN) => match socket {
            AnySocket::Unix(s) => s.is_listening().into(),
            AnySocket::Host(Ok(s)) => s.listening.get().into(),
            _ => 0,
        },
        (SOL_SOCKET, so::PROTOCOL) => match socket {
            AnySocket::Netlink(s) => s.protocol.number(),
            AnySocket::Host(Ok(s)) if s.stream => IPPROTO_TCP as u32,
            AnySocket::Host(Ok(_)) => IPPROTO_UDP as u32,
            _ => 0,
        },
        (SOL_SOCKET, so::REUSEADDR) => match socket {
            AnySocket::Host(Ok(s)) => s.reuses_address().into(),
            _ => 0,
        },
        (IPPROTO_IPV6, so::IPV6_V6ONLY) => match socket {
            AnySocket::Host(Ok(s)) if s.family == INET6 => s.is_v6_only().into(),
            _ => return Err(Errno::ENOPROTOOPT.into()),
        },
        // The default sizes of Linux.
        (SOL_SOCKET, so::SNDBUF | so::RCVBUF) => 212_992,
        (SOL_SOCKET, so::DOMAIN) => match socket {
            AnySocket::Netlink(_) => NETLINK.into(),
            AnySocket::Host(Ok(s)) => s.family.into(),
            _ => AF_UNIX.into(),
        },
        // `struct ucred`: process, user and group.
        (SOL_SOCKET, so::PEERCRED) => match socket {
            AnySocket::Unix(s) => {
                let peer = s.peer_process();
                bytes = [peer.uid.to_le_bytes(), peer.gid.to_le_bytes()].concat();
                peer.pid as u32
            }
            _ => return Err(Errno::ENOPROTOOPT.into()),
        },
        _ => return Err(Errno::ENOPROTOOPT.into()),
    };
    let bytes = [&value.to_le_bytes()[..], &bytes].concat();
    let room: i32 = k.guest().get(a.raw(4))?;
    let n = usize::try_from(room).map_err(|_| Errno::EINVAL)?.min(bytes.len());
    k.guest().write(a.raw(3), &bytes[..n])?;
    k.guest().put(a.raw(4), n as i32)?;
    Ok(0)
}

/// Options without effect here are accepted.
pub fn setsockopt(k: &mut Kernel, a: &Args) -> Sys {
    let file = socket_of(k, a.int(0))?;
    let on = || k.guest().get::<u32>(a.raw(3)).map(|v| v != 0);
    match (AnySocket::of(&file), a.int(1), a.int(2)) {
        (AnySocket::Netlink(socket), netlink::SOL_NETLINK, option) => {
            return netlink::set_option(k, socket, option, a.raw(3));
        }
        (AnySocket::Host(Ok(socket)), SOL_SOCKET, so::REUSEADDR) => {
            socket.set_reuse_address(on()?)?;
        }
        (AnySocket::Host(Ok(socket)), IPPROTO_IPV6, so::IPV6_V6ONLY) => {
            socket.set_v6_only(on()?)?;
        }
        (AnySocket::Host(Ok(socket)), IPPROTO_TCP, so::TCP_NODELAY) => {
            socket.set_no_delay(on()?)?;
        }
        // Linux acts on it.
        _ => k.tasks.reads.note(a.raw(3), a.word(4).into()),
    }
    Ok(0)
}
