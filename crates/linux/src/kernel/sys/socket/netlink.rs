//! Calls on sockets of `AF_NETLINK`.

use super::abi::msg;
use crate::base::errno::{Errno, Result};
use crate::fs::FileRef;
use crate::kernel::sys::read_write::wait_file;
use crate::kernel::{Abort, Kernel, Sys};
use crate::netlink::{NETLINK, NetlinkSocket, Received};
use crate::space::Range;

/// Bytes of `struct sockaddr_nl`: family, padding, port, groups.
const ADDRESS: usize = 12;
/// Maximum size of requests, and of a received datagram.
const MAX_TRANSFER: u64 = 1 << 16;
/// The kernel's port.
const KERNEL: u32 = 0;

/// The level of netlink options, and the option that has an effect (`include/uapi/linux/netlink.h`).
pub const SOL_NETLINK: i32 = 270;
const CAP_ACK: i32 = 10;

/// Encodes an address as `struct sockaddr_nl`.
pub fn encode((port, groups): (u32, u32)) -> Vec<u8> {
    let mut out = NETLINK.to_le_bytes().to_vec();
    out.extend([0; 2]);
    out.extend(port.to_le_bytes());
    out.extend(groups.to_le_bytes());
    out
}

/// The sender's address of received datagrams: the kernel's.
pub fn sender() -> Vec<u8> {
    encode((KERNEL, 0))
}

/// Reads port and groups from an address of the guest.
fn address(k: &Kernel, addr: u64, len: u64) -> Result<(u32, u32)> {
    if len < ADDRESS as u64 {
        return Err(Errno::EINVAL);
    }
    if k.guest().get::<u16>(addr)? != NETLINK {
        return Err(Errno::EINVAL);
    }
    Ok((k.guest().get(addr.wrapping_add(4))?, k.guest().get(addr.wrapping_add(8))?))
}

pub fn bind(k: &Kernel, socket: &NetlinkSocket, addr: u64, len: u64) -> Sys {
    let (port, groups) = address(k, addr, len)?;
    socket.bind(port, groups, k.thread().pid)?;
    Ok(0)
}

/// Checks that the receiver is the kernel: nobody else answers.
fn check_receiver(k: &Kernel, addr: u64, len: u64) -> Result<()> {
    match address(k, addr, len)? {
        (KERNEL, 0) => Ok(()),
        (KERNEL, _) => Err(Errno::EPERM),
        _ => Err(Errno::ECONNREFUSED),
    }
}

pub fn connect(k: &Kernel, socket: &NetlinkSocket, addr: u64, len: u64) -> Sys {
    check_receiver(k, addr, len)?;
    socket.bind(socket.address().0, socket.address().1, k.thread().pid)?;
    Ok(0)
}

/// Sends the ranges to an address, if there is one.
pub fn send(k: &Kernel, socket: &NetlinkSocket, ranges: &[Range], to: (u64, u64)) -> Sys {
    if to.0 != 0 {
        check_receiver(k, to.0, to.1)?;
    }
    if ranges.iter().map(|r| r.1).sum::<u64>() > MAX_TRANSFER {
        return Err(Errno::EMSGSIZE.into());
    }
    let (port, groups) = socket.address();
    socket.bind(port, groups, k.thread().pid)?;
    let request = k.guest().gather(ranges, 0)?;
    ranges.iter().for_each(|(addr, len)| k.tasks.reads.note(*addr, *len));
    Ok(socket.send(&request)? as u64)
}

/// Receives into the ranges.
pub fn receive(
    k: &mut Kernel,
    file: &FileRef,
    socket: &NetlinkSocket,
    ranges: &[Range],
    flags: u32,
) -> std::result::Result<Received, Abort> {
    let ranges = k.guest().usable(ranges)?;
    let room: u64 = ranges.iter().map(|r| r.1).sum();
    let mut buf = vec![0; room.min(MAX_TRANSFER) as usize];
    match socket.receive(&mut buf, flags & msg::PEEK != 0) {
        Ok(got) => {
            k.guest().scatter(&ranges, 0, &buf[..got.len])?;
            Ok(got)
        }
        Err(Errno::EAGAIN) if flags & msg::DONTWAIT == 0 => {
            Err(wait_file(k, file).err().unwrap_or(Abort::Errno(Errno::EAGAIN)))
        }
        Err(e) => Err(e.into()),
    }
}

/// Sets an option at `SOL_NETLINK`. Other options do not affect the answers of this kernel.
pub fn set_option(k: &Kernel, socket: &NetlinkSocket, option: i32, value: u64) -> Sys {
    if option == CAP_ACK {
        socket.capped.set(k.guest().get::<u32>(value)? != 0);
    } else {
        // Linux acts on it.
        k.tasks.reads.note(value, size_of::<u32>() as u64);
    }
    Ok(0)
}
