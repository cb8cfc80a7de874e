//! Defaults for flags that are not given.

use capvec_record::Arch;
use capvec_sysroot::DEFAULT_SUITE;

/// The simulator's core.
pub const CORE: &str = "karu64";
/// The simulator's sysroot: [`sysroot_for`] riscv64.
pub const SYSROOT: &str = "trixie-riscv64";

/// The sysroot with an architecture's stock software.
pub fn sysroot_for(arch: Arch) -> String {
    format!("{DEFAULT_SUITE}-{}", arch.debian())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simulators_sysroot_is_that_of_its_architecture() {
        assert_eq!(SYSROOT, sysroot_for(Arch::Riscv64));
    }
}
