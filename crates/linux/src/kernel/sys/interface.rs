//! `ioctl` calls about network interfaces (netdevice(7)). The only interface is the loopback one.

use crate::base::errno::{Errno, Result};
use crate::fs::FileRef;
use crate::fs::abi::s;
use crate::kernel::{Kernel, Sys};
use crate::netlink::route::{FLAGS, HARDWARE, INDEX, MTU, NAME, QUEUE};
use std::net::Ipv4Addr;

/// `include/uapi/linux/sockios.h`.
mod request {
    pub const GIFNAME: u32 = 0x8910;
    pub const GIFCONF: u32 = 0x8912;
    pub const GIFFLAGS: u32 = 0x8913;
    pub const GIFADDR: u32 = 0x8915;
    pub const GIFDSTADDR: u32 = 0x8917;
    pub const GIFBRDADDR: u32 = 0x8919;
    pub const GIFNETMASK: u32 = 0x891b;
    pub const GIFMETRIC: u32 = 0x891d;
    pub const GIFMTU: u32 = 0x8921;
    pub const GIFHWADDR: u32 = 0x8927;
    pub const GIFINDEX: u32 = 0x8933;
    pub const GIFTXQLEN: u32 = 0x8942;
    /// All calls about interfaces.
    pub const FIRST: u32 = 0x8910;
    pub const LAST: u32 = 0x8948;
}

/// Bytes of a name, and of `struct ifreq`, in which a union follows it.
const NAME_SIZE: u64 = 16;
const IFREQ: u64 = 40;

/// The calls about interfaces; `None` for any other.
pub fn ioctl(k: &Kernel, file: &FileRef, command: u32, arg: u64) -> Option<Sys> {
    let about = (request::FIRST..=request::LAST).contains(&command);
    let socket = about && file.stat().is_ok_and(|stat| stat.file_type() == s::IFSOCK);
    socket.then(|| ask(k, command, arg).map(|()| 0).map_err(Into::into))
}

fn ask(k: &Kernel, command: u32, arg: u64) -> Result<()> {
    let value = arg.wrapping_add(NAME_SIZE);
    match command {
        request::GIFNAME => {
            if k.guest().get::<u32>(value)? != INDEX {
                return Err(Errno::ENODEV);
            }
            return k.guest().write(arg, &name());
        }
        request::GIFCONF => return list(k, arg),
        _ => {}
    }
    let mut given = [0; NAME_SIZE as usize];
    k.guest().copy(arg, &mut given)?;
    let end = given.iter().position(|b| *b == 0).map_or(NAME_SIZE, |end| end as u64 + 1);
    k.tasks.reads.note(arg, end);
    if given.split(|b| *b == 0).next() != Some(NAME) {
        return Err(Errno::ENODEV);
    }
    match command {
        request::GIFFLAGS => k.guest().put(value, FLAGS as u16),
        request::GIFINDEX => k.guest().put(value, INDEX),
        request::GIFMETRIC => k.guest().put(value, 0u32),
        request::GIFMTU => k.guest().put(value, MTU),
        request::GIFTXQLEN => k.guest().put(value, QUEUE),
        request::GIFADDR | request::GIFDSTADDR => {
            k.guest().write(value, &inet(Ipv4Addr::LOCALHOST))
        }
        request::GIFBRDADDR => k.guest().write(value, &inet(Ipv4Addr::UNSPECIFIED)),
        request::GIFNETMASK => k.guest().write(value, &inet(Ipv4Addr::new(255, 0, 0, 0))),
        request::GIFHWADDR => {
            k.guest().write(value, &[&HARDWARE.to_le_bytes()[..], &[0; 14]].concat())
        }
        // Changes, and attributes that a loopback interface does not have.
        _ => Err(Errno::EPERM),
    }
}

fn name() -> Vec<u8> {
    let mut name = NAME.to_vec();
    name.resize(NAME_SIZE as usize, 0);
    name
}

/// `struct sockaddr_in`.
fn inet(ip: Ipv4Addr) -> Vec<u8> {
    crate::net::encode((ip, 0).into())
}

/// `SIOCGIFCONF`: a length and a pointer to an array of `struct ifreq`; with a null pointer, returns the length needed.
fn list(k: &Kernel, arg: u64) -> Result<()> {
    let room: i32 = k.guest().get(arg)?;
    let at: u64 = k.guest().get(arg.wrapping_add(8))?;
    let mut len = IFREQ as i32;
    if at != 0 && room < len {
        len = 0;
    } else if at != 0 {
        let entry = [name(), inet(Ipv4Addr::LOCALHOST), vec![0; 8]].concat();
        k.guest().write(at, &entry)?;
    }
    k.guest().put(arg, len)
}
