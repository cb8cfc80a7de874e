//! What options are made of.

use capvec_isa::ExtSet;
use std::path::PathBuf;

/// A host directory or file made visible to the guest.
#[derive(Clone, Debug)]
pub struct Bind {
    /// Path on the host.
    pub host: PathBuf,
    /// Absolute path in the guest.
    pub guest: Vec<u8>,
    /// Whether the guest may write.
    pub writable: bool,
}

/// Where the guest's time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ClockMode {
    /// Modelled cycles at the core's frequency; waiting takes no host time.
    #[default]
    Virtual,
    /// The host's clock.
    Host,
}

/// Which sockets the guest can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Net {
    /// Only `AF_UNIX` between processes of the guest.
    #[default]
    None,
    /// Also the host's loopback interface.
    Loopback,
}

/// Features of the hart that the kernel does not report to programs, like a kernel older than the hart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Concealed {
    /// Extensions that `AT_HWCAP`, `riscv_hwprobe` and `/proc/cpuinfo` do not report; their instructions execute.
    pub exts: ExtSet,
    /// There is no `riscv_hwprobe` at all, as before Linux 6.4.
    pub hwprobe: bool,
}
