//! `--target` and its companion flags, in every sub-command that measures or checks.

use crate::cmd::flags::with_default;
use crate::cmd::say;
use capvec_bench::processor::Sets;
use capvec_sysroot::DEFAULT_SUITE;
use capvec_targets::{Feature, Refused, SYSROOT, SubjectName, Target, TargetName};
use capvec_timing::Core;

/// Where code runs.
#[derive(clap::Args)]
pub struct TargetFlags {
    /// Where code runs: sim, native (this machine), qemu:ARCH, or ssh:HOST (docs/targets.md)
    #[arg(long, default_value = "sim")]
    pub target: TargetName,
    /// Processor that QEMU emulates, by its name for QEMU's -cpu, such as cortex-a76 [default: the one with the most features]
    #[arg(long, value_name = "CPU")]
    pub qemu_cpu: Option<String>,
    #[arg(long, help = with_default(
        &format!(
            "With {}: name of the sysroot that the library comes from",
            Feature::Sysroot.targets().join(" and ")
        ),
        format_args!("{SYSROOT}, {DEFAULT_SUITE}-ARCH"),
    ))]
    pub sysroot: Option<String>,
}

impl TargetFlags {
    /// Refuses what the target does not support for the subject: these flags, and `asked`.
    ///
    /// # Errors
    /// Names the flag, the target, the subject, and what supports it.
    pub fn require(&self, subject: &SubjectName, asked: &[(bool, Feature)]) -> Result<(), Refused> {
        let own = [
            (self.qemu_cpu.is_some(), Feature::QemuCpu),
            (self.sysroot.is_some(), Feature::Sysroot),
        ];
        self.target.require(subject, &[asked, &own].concat())
    }

    /// The target, with a core if it is the simulator.
    pub fn chosen(&self, core: Option<Core>) -> Target {
        Target {
            core,
            sysroot: self.sysroot.clone(),
            qemu_cpu: self.qemu_cpu.clone(),
            ..Target::new(self.target.clone())
        }
    }
}

/// Reports which sets are left out because the processor lacks a part of them.
pub fn say_beyond(sets: &Sets) {
    if !sets.beyond.is_empty() {
        let names = sets.beyond.join(", ");
        say!(
            "left out, because the target's kernel does not show all of their extensions: {names}"
        );
    }
}
