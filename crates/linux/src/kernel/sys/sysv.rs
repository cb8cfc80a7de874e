//! What the calls of System V IPC have in common.

use crate::base::errno::{Errno, Result};
use crate::base::time::SECOND;
use crate::ipc::User;
use crate::kernel::Kernel;

/// The error for an identifier that leads to nothing: for a call that has waited, the object was removed meanwhile.
pub fn gone(first: bool, e: Errno) -> Errno {
    if first { e } else { Errno::EIDRM }
}

/// What `IPC_SET` takes from `struct ipc64_perm`.
pub struct Owner {
    pub uid: u32,
    pub gid: u32,
    pub mode: u32,
}

impl Owner {
    /// Reads it from the guest.
    ///
    /// # Errors
    /// `EFAULT`.
    pub fn read(k: &Kernel, at: u64) -> Result<Owner> {
        let word = |offset: u64| k.get::<u32>(at.wrapping_add(offset));
        Ok(Owner { uid: word(4)?, gid: word(8)?, mode: word(20)? })
    }
}

impl Kernel {
    /// The current process as System V IPC sees it.
    pub fn ipc_user(&self) -> User {
        User { pid: self.process().pid, cred: std::rc::Rc::clone(&self.thread().cred) }
    }

    /// Now in whole seconds, as System V IPC keeps times.
    pub fn ipc_now(&self) -> i64 {
        (self.devices.clock.realtime() / SECOND) as i64
    }
}
