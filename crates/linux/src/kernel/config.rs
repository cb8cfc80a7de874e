//! What the kernel is told of the machine that it runs on.

use super::notice::Notice;
use capvec_isa::ExtSet;

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

/// What the kernel keeps from programs, though the hart has it: as kernels do that are older than the hart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Concealed {
    /// Extensions that neither `AT_HWCAP` nor `riscv_hwprobe` nor `/proc/cpuinfo` shows; their instructions execute.
    pub exts: ExtSet,
    /// There is no `riscv_hwprobe` at all, as before Linux 6.4.
    pub hwprobe: bool,
}

/// Receives notices as they arise.
pub type Notify = Box<dyn FnMut(&Notice)>;
