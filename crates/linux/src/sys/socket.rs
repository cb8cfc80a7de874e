//! Sockets. Pairs of `AF_UNIX` live inside the guest; everything else leads out of it and is refused.

use super::{Args, rw};
use crate::errno::{Errno, Result};
use crate::fs::FileRef;
use crate::fs::abi::s;
use crate::kernel::{Kernel, Sys};

/// `include/linux/socket.h`, `include/linux/net.h`.
const AF_UNIX: u32 = 1;
const SOCK_STREAM: u32 = 1;
const TYPE: u32 = 0xf;
const SOL_SOCKET: i32 = 1;

/// Options of `getsockopt` at `SOL_SOCKET` (`include/uapi/asm-generic/socket.h`).
mod so {
    pub const TYPE: i32 = 3;
    pub const ERROR: i32 = 4;
    pub const SNDBUF: i32 = 7;
    pub const RCVBUF: i32 = 8;
    pub const ACCEPTCONN: i32 = 30;
    pub const PROTOCOL: i32 = 38;
    pub const DOMAIN: i32 = 39;
}

/// Flags of `send` and `recv`.
mod msg {
    pub const OOB: u32 = 1;
    pub const PEEK: u32 = 2;
}

/// An open socket.
fn socket_of(k: &Kernel, fd: i32) -> Result<FileRef> {
    let file = k.file(fd)?;
    if file.stat()?.file_type() == s::IFSOCK { Ok(file) } else { Err(Errno::ENOTSOCK) }
}

/// `socket`: of no family that leads anywhere.
pub fn socket(_: &mut Kernel, _: &Args) -> Sys {
    Err(Errno::EAFNOSUPPORT.into())
}

pub fn socketpair(k: &mut Kernel, a: &Args) -> Sys {
    let flags = a.word(1) & !TYPE;
    if a.word(0) != AF_UNIX {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    if a.word(1) & TYPE != SOCK_STREAM || a.word(2) > AF_UNIX {
        return Err(Errno::EPROTONOSUPPORT.into());
    }
    let pair = k.vfs.socketpair(flags)?;
    k.install_pair(pair, flags, a.raw(3))
}

/// Calls that only unconnected sockets have, which do not exist: they tell what is wrong with the argument.
pub fn connected(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    Err(Errno::EINVAL.into())
}

/// The name of both ends: that of an unnamed `AF_UNIX` socket.
pub fn name(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    let room: i32 = k.get(a.raw(2))?;
    if room < 0 {
        return Err(Errno::EINVAL.into());
    }
    let family = (AF_UNIX as u16).to_le_bytes();
    k.write_guest(a.raw(1), &family[..family.len().min(room as usize)])?;
    k.put(a.raw(2), family.len() as i32)?;
    Ok(0)
}

pub fn getsockopt(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    if a.int(1) != SOL_SOCKET {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let value: u32 = match a.int(2) {
        so::TYPE => SOCK_STREAM,
        so::ERROR | so::ACCEPTCONN | so::PROTOCOL => 0,
        // The default sizes of Linux.
        so::SNDBUF | so::RCVBUF => 212_992,
        so::DOMAIN => AF_UNIX,
        _ => return Err(Errno::ENOPROTOOPT.into()),
    };
    let room: i32 = k.get(a.raw(4))?;
    let n = usize::try_from(room).map_err(|_| Errno::EINVAL)?.min(4);
    k.write_guest(a.raw(3), &value.to_le_bytes()[..n])?;
    k.put(a.raw(4), n as i32)?;
    Ok(0)
}

/// Options of a pair have no effect here.
pub fn setsockopt(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    if a.int(1) == SOL_SOCKET { Ok(0) } else { Err(Errno::EOPNOTSUPP.into()) }
}

pub fn shutdown(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?.object().shutdown(a.word(1))?;
    Ok(0)
}

fn check_flags(flags: u32) -> Result<()> {
    if flags & (msg::OOB | msg::PEEK) != 0 { Err(Errno::EOPNOTSUPP) } else { Ok(()) }
}

/// `sendto`: a connected socket takes no address.
pub fn sendto(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    check_flags(a.word(3))?;
    if a.raw(4) != 0 {
        return Err(Errno::EISCONN.into());
    }
    rw::write(k, a)
}

pub fn recvfrom(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    check_flags(a.word(3))?;
    if a.raw(5) != 0 {
        k.put(a.raw(5), 0i32)?;
    }
    rw::read(k, a)
}

/// `struct msghdr`: name, its length, vectors, their count, control, its length, flags. Control messages
/// are refused, not lost.
fn message(k: &Kernel, a: &Args) -> Result<Args> {
    socket_of(k, a.int(0))?;
    check_flags(a.word(2))?;
    let [_, _, vectors, count, _, control, _] = k.get_words(a.raw(1))?;
    if control != 0 {
        return Err(Errno::EOPNOTSUPP);
    }
    Ok(Args([a.raw(0), vectors, count, 0, 0, 0]))
}

pub fn sendmsg(k: &mut Kernel, a: &Args) -> Sys {
    let vectors = message(k, a)?;
    rw::writev(k, &vectors)
}

pub fn recvmsg(k: &mut Kernel, a: &Args) -> Sys {
    socket_of(k, a.int(0))?;
    check_flags(a.word(2))?;
    let [_, _, vectors, count, _, _, _] = k.get_words(a.raw(1))?;
    let n = rw::readv(k, &Args([a.raw(0), vectors, count, 0, 0, 0]))?;
    // No name, no control messages, no flags.
    k.put(a.raw(1).wrapping_add(8), 0i32)?;
    k.put(a.raw(1).wrapping_add(40), 0u64)?;
    k.put(a.raw(1).wrapping_add(48), 0i32)?;
    Ok(n)
}
