//! Numbers of the socket calls (`include/linux/socket.h`, `include/linux/net.h`).

/// The address family of sockets inside the machine.
pub const AF_UNIX: u16 = 1;
/// Types of sockets, in the argument of `socket`.
pub const SOCK_STREAM: u32 = 1;
pub const SOCK_DGRAM: u32 = 2;
pub const SOCK_RAW: u32 = 3;
pub const SOCK_SEQPACKET: u32 = 5;
/// The bits of the argument that hold the type.
pub const SOCK_TYPE_MASK: u32 = 0xf;
/// Protocols, and the levels of their options.
pub const IPPROTO_TCP: i32 = 6;
pub const IPPROTO_UDP: i32 = 17;
/// The level of the options that all sockets have.
pub const SOL_SOCKET: i32 = 1;

/// Flags of `send` and `recv`.
pub mod msg {
    pub const OOB: u32 = 1;
    pub const PEEK: u32 = 2;
    pub const CTRUNC: u32 = 8;
    pub const TRUNC: u32 = 0x20;
    pub const DONTWAIT: u32 = 0x40;
    pub const WAITALL: u32 = 0x100;
    pub const NOSIGNAL: u32 = 0x4000;
    pub const CMSG_CLOEXEC: u32 = 0x4000_0000;
}
