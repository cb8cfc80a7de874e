//! Socket options (getsockopt(2), socket(7)).

use super::abi::{AF_UNIX, IPPROTO_TCP, IPPROTO_UDP, SOCK_DGRAM, SOCK_STREAM, SOL_SOCKET};
use super::descriptor::socket_of;
use super::{netlink, unix};
use crate::base::errno::Errno;
use crate::fs::UnixSocket;
use crate::kernel::sys::Args;
use crate::kernel::{Kernel, Sys};
use crate::net::{INET6, InetSocket};
use crate::netlink::{NETLINK, NetlinkSocket};

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
            Some(s) if s.family == INET6 => s.is_v6_only().into(),
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
            (IPPROTO_IPV6, so::IPV6_V6ONLY) => socket.set_v6_only(on()?)?,
            (IPPROTO_TCP, so::TCP_NODELAY) => socket.set_no_delay(on()?)?,
            _ => {}
        }
    }
    Ok(0)
}
