//! The owner of a file.

use crate::base::cred::{Cred, cap};
use crate::fs::abi::access;

/// Owner and permission bits of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Permission bits.
    pub mode: u32,
}

impl Owner {
    /// The owner of a file that a thread with these credentials creates.
    pub fn new(cred: &Cred, mode: u32) -> Owner {
        Owner { uid: cred.uid.fs, gid: cred.gid.fs, mode }
    }

    /// Whether it gives a thread with these credentials the rights `want` (`access::*`); `is_dir` for a directory.
    pub fn permits(&self, cred: &Cred, is_dir: bool, want: u32) -> bool {
        let shift = if cred.uid.fs == self.uid {
            6
        } else if cred.in_group(self.gid) {
            3
        } else {
            0
        };
        if self.mode >> shift & want == want {
            return true;
        }
        let reads = if is_dir { access::R_OK | access::X_OK } else { access::R_OK };
        let executable = is_dir || want & access::X_OK == 0 || self.mode & 0o111 != 0;
        (cred.has(cap::DAC_OVERRIDE) && executable)
            || (cred.has(cap::DAC_READ_SEARCH) && want & !reads == 0)
    }
}
