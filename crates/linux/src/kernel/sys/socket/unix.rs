//! Calls on sockets of `AF_UNIX`.

use super::abi::{AF_UNIX, SOCK_DGRAM, SOCK_SEQPACKET, SOCK_STREAM, msg};
use crate::base::errno::{Errno, Result};
use crate::fs::{FileRef, Received, SocketKind, UnixSocket};
use crate::kernel::sys::Args;
use crate::kernel::sys::read_write::{wait_file, write_failed};
use crate::kernel::{Abort, Kernel, Sys};
use crate::space::Range;
use std::rc::Rc;

/// Bytes of `sun_path`.
const SUN_PATH: usize = 108;

/// The kind of socket that a `SOCK_…` number names.
pub fn kind(number: u32) -> Result<SocketKind> {
    match number {
        SOCK_STREAM => Ok(SocketKind::Stream),
        SOCK_DGRAM => Ok(SocketKind::Datagram),
        SOCK_SEQPACKET => Ok(SocketKind::Packets),
        _ => Err(Errno::EPROTONOSUPPORT),
    }
}

/// `SO_TYPE`.
pub fn number(kind: SocketKind) -> u32 {
    match kind {
        SocketKind::Stream => SOCK_STREAM,
        SocketKind::Datagram => SOCK_DGRAM,
        SocketKind::Packets => SOCK_SEQPACKET,
    }
}

/// Encodes an address as `struct sockaddr_un`; without an address it has only the family.
pub fn encode(address: Option<Vec<u8>>) -> Vec<u8> {
    let mut out = AF_UNIX.to_le_bytes().to_vec();
    if let Some(name) = address {
        let path = name.first() != Some(&0);
        out.extend(name);
        // A path is terminated by NUL, an abstract name by its length.
        out.extend(path.then_some(0));
    }
    out
}

/// Reads the name in a `struct sockaddr_un`; empty if it has only the family.
fn unix_address(k: &Kernel, addr: u64, len: u64) -> Result<Vec<u8>> {
    if !(2..=2 + SUN_PATH as u64).contains(&len) {
        return Err(Errno::EINVAL);
    }
    let mut bytes = vec![0; len as usize];
    k.guest().copy(addr, &mut bytes)?;
    // What follows the end of a path has no meaning.
    let path = bytes[2..].iter().position(|b| *b == 0).filter(|end| *end > 0);
    k.tasks.reads.note(addr, path.map_or(len, |end| end as u64 + 3));
    if bytes[..2] != AF_UNIX.to_le_bytes() {
        return Err(Errno::EINVAL);
    }
    let name = bytes.split_off(2);
    Ok(path.map_or_else(|| name.clone(), |end| name[..end].to_vec()))
}

fn unix_target(k: &Kernel, addr: u64, len: u64) -> Result<Rc<UnixSocket>> {
    let name = unix_address(k, addr, len)?;
    if name.is_empty() {
        return Err(Errno::EINVAL);
    }
    k.with_caller(|vfs, c| vfs.find_unix(c, &name))
}

pub fn bind(k: &mut Kernel, socket: &Rc<UnixSocket>, a: &Args) -> Sys {
    let mut name = unix_address(k, a.raw(1), a.word(2).into())?;
    if name.is_empty() {
        // Any abstract name that is free (unix(7), "Autobind feature").
        name = format!("\0{:05x}", socket.number()).into_bytes();
    }
    k.with_caller(|vfs, c| vfs.bind_unix(c, socket, &name))?;
    Ok(0)
}

pub fn connect(k: &mut Kernel, file: &FileRef, socket: &UnixSocket, a: &Args) -> Sys {
    let target = unix_target(k, a.raw(1), a.word(2).into())?;
    match socket.connect(&target, k.tasks.as_peer()) {
        Ok(()) => Ok(0),
        Err(Errno::EAGAIN) => wait_file(k, file),
        Err(e) => Err(e.into()),
    }
}

/// Arguments of a send call other than the data.
#[derive(Default)]
pub struct Extra {
    /// Open files.
    pub files: Vec<FileRef>,
    /// The receiver, if it is not the peer.
    pub to: Option<Rc<UnixSocket>>,
    /// `MSG_*`.
    pub flags: u32,
}

impl Extra {
    /// Sends to an address, if there is one.
    ///
    /// # Errors
    /// Those of the address.
    pub fn to(k: &Kernel, addr: u64, len: u64, flags: u32) -> Result<Extra> {
        let to = if addr == 0 { None } else { Some(unix_target(k, addr, len)?) };
        Ok(Extra { files: Vec::new(), to, flags })
    }
}

/// Sends the ranges. A blocking call on a stream continues until all data is sent.
pub fn send(
    k: &mut Kernel,
    file: &FileRef,
    socket: &UnixSocket,
    ranges: &[Range],
    extra: Extra,
) -> Sys {
    let total: u64 = ranges.iter().map(|r| r.1).sum();
    let messages = socket.kind() != SocketKind::Stream;
    let waits = !file.nonblocking() && extra.flags & msg::DONTWAIT == 0;
    let mut done = k.call_mut().done;
    let mut files = if done == 0 { extra.files } else { Vec::new() };
    loop {
        let data = k.guest().gather(ranges, done)?;
        if messages && (data.len() as u64) < total {
            return Err(Errno::EMSGSIZE.into());
        }
        k.files.vfs.take_transfers();
        match socket.send(&data, std::mem::take(&mut files), extra.to.as_deref()) {
            Ok(n) => {
                k.profiler.wrote(&k.files.vfs, k.hart.mem.id(), (ranges, done), n as u64);
                done += n as u64;
            }
            Err(Errno::EAGAIN) if waits => {
                k.call_mut().done = done;
                return wait_file(k, file);
            }
            Err(_) if done > 0 => return Ok(done),
            Err(Errno::EPIPE) if extra.flags & msg::NOSIGNAL == 0 => {
                return Err(write_failed(k, Errno::EPIPE).into());
            }
            Err(e) => return Err(e.into()),
        }
        if messages || done >= total {
            return Ok(done);
        }
    }
}

/// Receives into the ranges.
pub fn receive(
    k: &mut Kernel,
    file: &FileRef,
    socket: &UnixSocket,
    ranges: &[Range],
    flags: u32,
) -> std::result::Result<Received, Abort> {
    let ranges = k.guest().usable(ranges)?;
    let total: u64 = ranges.iter().map(|r| r.1).sum();
    let peek = flags & msg::PEEK != 0;
    let all = flags & msg::WAITALL != 0 && socket.kind() == SocketKind::Stream && !peek;
    let mut done = if all { k.call_mut().done } else { 0 };
    loop {
        // A queue never holds more.
        let mut buf = vec![0; (total - done).min(1 << 16) as usize];
        k.files.vfs.take_transfers();
        let mut got = match socket.receive(&mut buf, peek) {
            Err(Errno::EAGAIN) if flags & msg::DONTWAIT == 0 && !file.nonblocking() => {
                k.call_mut().done = done;
                return Err(wait_file(k, file).err().unwrap_or(Abort::Errno(Errno::EAGAIN)));
            }
            Err(_) if done > 0 => Received::default(),
            other => other?,
        };
        k.guest().scatter(&ranges, done, &buf[..got.len])?;
        let into = (ranges.as_slice(), done);
        k.profiler.read(file, &k.files.vfs, k.hart.mem.id(), into, got.len as u64);
        done += got.len as u64;
        if !all || got.len == 0 || done >= total || !got.files.is_empty() {
            got.len = done as usize;
            return Ok(got);
        }
    }
}
