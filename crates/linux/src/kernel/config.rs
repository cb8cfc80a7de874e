//! Configuration of the kernel.

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

/// Features of the hart that the kernel does not report to programs, like a kernel older than the hart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Concealed {
    /// Extensions that `AT_HWCAP`, `riscv_hwprobe` and `/proc/cpuinfo` do not report; their instructions execute.
    pub exts: ExtSet,
    /// There is no `riscv_hwprobe` at all, as before Linux 6.4.
    pub hwprobe: bool,
}

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
