//! The socket of a descriptor, and addresses in the guest's memory.

use crate::base::errno::{Errno, Result};
use crate::fs::FileRef;
use crate::fs::abi::s;
use crate::kernel::Kernel;
use crate::net::{self, InetSocket};
use std::net::SocketAddr;

/// Maximum size of an address.
const ADDRESS: u64 = 128;

/// An open socket.
pub fn socket_of(k: &Kernel, fd: i32) -> Result<FileRef> {
    let file = k.file(fd)?;
    if file.stat()?.file_type() == s::IFSOCK { Ok(file) } else { Err(Errno::ENOTSOCK) }
}

pub fn inet(file: &FileRef) -> Result<&InetSocket> {
    file.kind::<InetSocket>().ok_or(Errno::EOPNOTSUPP)
}

impl Kernel {
    pub fn get_address(&self, addr: u64, len: u64) -> Result<SocketAddr> {
        let mut bytes = vec![0; len.min(ADDRESS) as usize];
        self.read_guest(addr, &mut bytes)?;
        net::decode(&bytes)
    }

    /// Writes an address, truncated to the buffer, and its full length.
    pub fn put_address(&self, addr: u64, len_at: u64, bytes: &[u8]) -> Result<()> {
        let room: i32 = self.get(len_at)?;
        let room = usize::try_from(room).map_err(|_| Errno::EINVAL)?;
        self.write_guest(addr, &bytes[..bytes.len().min(room)])?;
        self.put(len_at, bytes.len() as i32)
    }
}
