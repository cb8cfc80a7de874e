//! The socket of a descriptor, and addresses in the guest's memory.

use crate::base::errno::{Errno, Result};
use crate::fs::abi::s;
use crate::fs::{FileRef, UnixSocket};
use crate::kernel::Kernel;
use crate::net::{self, InetSocket};
use crate::netlink::NetlinkSocket;
use std::net::SocketAddr;
use std::rc::Rc;

/// Maximum size of an address.
const ADDRESS: u64 = 128;

/// An open socket.
pub fn socket_of(k: &Kernel, fd: i32) -> Result<FileRef> {
    let file = k.file(fd)?;
    if file.stat()?.file_type() == s::IFSOCK { Ok(file) } else { Err(Errno::ENOTSOCK) }
}

/// A socket, by what answers its calls.
pub enum AnySocket<'a> {
    /// `AF_UNIX`.
    Unix(&'a Rc<UnixSocket>),
    /// `AF_NETLINK`.
    Netlink(&'a NetlinkSocket),
    /// A socket of the host: of the internet families, or, with `EOPNOTSUPP`, a standard stream, which can only be read
    /// and written.
    Host(Result<&'a InetSocket>),
}

impl AnySocket<'_> {
    /// The socket of an open file.
    pub fn of(file: &FileRef) -> AnySocket<'_> {
        if let Some(socket) = UnixSocket::of(file) {
            AnySocket::Unix(socket)
        } else if let Some(socket) = NetlinkSocket::of(file) {
            AnySocket::Netlink(socket)
        } else {
            AnySocket::Host(InetSocket::of(file).ok_or(Errno::EOPNOTSUPP))
        }
    }
}

pub fn get_address(k: &Kernel, addr: u64, len: u64) -> Result<SocketAddr> {
    let mut bytes = vec![0; len.min(ADDRESS) as usize];
    k.guest().copy(addr, &mut bytes)?;
    k.tasks.reads.note(addr, net::used(&bytes));
    net::decode(&bytes)
}

/// Writes an address, truncated to the buffer, and its full length.
pub fn put_address(k: &Kernel, addr: u64, len_at: u64, bytes: &[u8]) -> Result<()> {
    let room: i32 = k.guest().get(len_at)?;
    let room = usize::try_from(room).map_err(|_| Errno::EINVAL)?;
    k.guest().write(addr, &bytes[..bytes.len().min(room)])?;
    k.guest().put(len_at, bytes.len() as i32)
}
