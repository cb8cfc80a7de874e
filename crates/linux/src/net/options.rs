//! Socket options that have an effect on the loopback interface.

use super::{INET, InetSocket};
use crate::base::errno::{Errno, Result};
use rustix::net::sockopt;

impl InetSocket {
    /// `SO_REUSEADDR`. Options without effect on the loopback interface are not passed on.
    ///
    /// # Errors
    /// The host's.
    pub fn set_reuse_address(&self, on: bool) -> Result<()> {
        self.reuse.set(on);
        for fd in [Some(&self.fd), self.second.get()].into_iter().flatten() {
            sockopt::set_socket_reuseaddr(fd, on)?;
        }
        Ok(())
    }

    /// The value of `SO_REUSEADDR`.
    pub fn reuses_address(&self) -> bool {
        self.reuse.get()
    }

    /// `IPV6_V6ONLY`.
    ///
    /// # Errors
    /// `ENOPROTOOPT` for IPv4, `EINVAL` once it is bound.
    pub fn set_v6_only(&self, on: bool) -> Result<()> {
        match (self.family, self.bound.get()) {
            (INET, _) => Err(Errno::ENOPROTOOPT),
            (_, true) => Err(Errno::EINVAL),
            _ => {
                self.v6_only.set(on);
                Ok(())
            }
        }
    }

    /// The value of `IPV6_V6ONLY`.
    pub fn is_v6_only(&self) -> bool {
        self.v6_only.get()
    }

    /// `TCP_NODELAY`.
    ///
    /// # Errors
    /// The host's.
    pub fn set_no_delay(&self, on: bool) -> Result<()> {
        for fd in [Some(&self.fd), self.second.get()].into_iter().flatten() {
            sockopt::set_tcp_nodelay(fd, on)?;
        }
        Ok(())
    }
}
