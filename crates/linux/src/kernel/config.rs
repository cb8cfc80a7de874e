//! What the kernel is told of the machine that it runs on.

use super::notice::Notice;
use capvec_isa::{Ext, ExtSet, Isa};
use capvec_sim::Config;

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

/// The ISA string of `exts` with all extensions that they imply, as Linux prints it.
pub fn isa_string(config: &Config, exts: ExtSet) -> String {
    Isa { xlen: config.xlen, exts }.to_string()
}

/// Checks that a configuration can run Linux programs.
///
/// # Errors
/// Its ISA string.
pub fn check_config(config: &Config) -> Result<(), String> {
    let need = ExtSet::of(&[Ext::I, Ext::M, Ext::A]);
    if config.xlen == 64 && config.exts.contains(need) {
        Ok(())
    } else {
        Err(isa_string(config, config.exts))
    }
}
