//! Sending and receiving (send(2), recv(2)).

use super::abi::msg;
use super::descriptor::{inet, socket_of};
use super::unix::{self, Extra};
use super::{control, netlink};
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::{SocketKind, UnixSocket};
use crate::kernel::sys::{Args, rw};
use crate::kernel::{Kernel, Sys};
use crate::net;
use crate::netlink::NetlinkSocket;
use capvec_sim::mem::Perm;

/// Maximum size of one datagram or transfer.
const CHUNK: u64 = 1 << 20;

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

/// `struct msghdr`: address, `iovec` array and control messages, each with its length; flags come last.
struct Message {
    name: (u64, u64),
    iovec: (u64, u64),
    control: (u64, u64),
}

fn message(k: &Kernel, a: &Args) -> Result<Message> {
    let [name, len, iovec, count, control, control_len] = k.get_words(a.raw(1))?;
    Ok(Message {
        name: (name, len & 0xffff_ffff),
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
    if let Some(socket) = UnixSocket::of(&file) {
        let files = control::files_of(k, m.control.0, m.control.1)?;
        let extra = Extra { files, ..Extra::to(k, m.name.0, m.name.1, a.word(2))? };
        let ranges = k.iovec(m.iovec.0, m.iovec.1)?;
        return unix::send(k, &file, socket, &ranges, extra);
    }
    if let Some(socket) = file.kind::<NetlinkSocket>() {
        let ranges = k.iovec(m.iovec.0, m.iovec.1)?;
        return netlink::send(k, socket, &ranges, m.name);
    }
    if m.control.1 != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    if m.name.0 == 0 {
        return rw::writev(k, &Args([a.raw(0), m.iovec.0, m.iovec.1, 0, 0, 0]));
    }
    let to = k.get_address(m.name.0, m.name.1)?;
    let ranges = k.iovec(m.iovec.0, m.iovec.1)?;
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
            let ranges = k.iovec(m.iovec.0, m.iovec.1)?;
            let got = unix::receive(k, &file, socket, &ranges, a.word(2))?;
            if got.len < got.whole && socket.kind() != SocketKind::Stream {
                flags |= msg::TRUNC;
            }
            n = if a.word(2) & msg::TRUNC != 0 { got.whole } else { got.len } as u64;
            from = got.from.map_or(from, |name| unix::encode(Some(name)));
            let cloexec = if a.word(2) & msg::CMSG_CLOEXEC != 0 { o::CLOEXEC } else { 0 };
            let (len, lost) = control::put_files(k, got.files, m.control, cloexec)?;
            (control, flags) = (len, flags | lost);
        }
        None if file.kind::<NetlinkSocket>().is_some() => {
            let socket = file.kind::<NetlinkSocket>().ok_or(Errno::ENOTSOCK)?;
            let ranges = k.iovec(m.iovec.0, m.iovec.1)?;
            let got = netlink::receive(k, &file, socket, &ranges, a.word(2))?;
            if got.len < got.whole {
                flags |= msg::TRUNC;
            }
            n = if a.word(2) & msg::TRUNC != 0 { got.whole } else { got.len } as u64;
            from = netlink::sender();
        }
        None if m.name.0 != 0 || a.word(2) & msg::PEEK != 0 => {
            let ranges = k.usable(&k.iovec(m.iovec.0, m.iovec.1)?)?;
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
        None => n = rw::readv(k, &Args([a.raw(0), m.iovec.0, m.iovec.1, 0, 0, 0]))?,
    }
    if m.name.0 != 0 {
        k.write_guest(m.name.0, &from[..from.len().min(m.name.1 as usize)])?;
    }
    k.put(at.wrapping_add(8), from.len() as i32)?;
    k.put(at.wrapping_add(40), control)?;
    k.put(at.wrapping_add(48), flags as i32)?;
    Ok(n)
}
