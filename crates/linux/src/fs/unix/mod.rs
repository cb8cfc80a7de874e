//! Sockets of `AF_UNIX`, entirely inside the emulation: pairs, and sockets bound in the guest's file system or in the
//! abstract name space. No socket of the host is involved.

mod endpoint;
mod file;
mod proc_net_unix;
mod queue;
pub(super) mod socket;

pub use endpoint::{Kind, Peer};
pub use queue::Received;
pub use socket::UnixSocket;
