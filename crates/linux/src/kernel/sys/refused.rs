//! Calls that always fail.

use super::args::Args;
use crate::base::errno::Errno;
use crate::kernel::{Kernel, Sys};

/// For calls that need a privilege that the guest never has.
pub fn refuse(_: &mut Kernel, _: &Args) -> Sys {
    Err(Errno::EPERM.into())
}

/// For calls that programs try but do not need: deliberately not implemented, and not reported.
pub fn absent(_: &mut Kernel, _: &Args) -> Sys {
    Err(Errno::ENOSYS.into())
}
