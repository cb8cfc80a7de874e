//! The flags that choose one core and its hart, in every sub-command that runs on one: `--core`, `--isa`, `--vlen`, and where
//! any program runs, `--set` and `--isa-file`.

use crate::cmd::Usage;
use crate::cmd::core_choice::{self, CoreName, SetFlag};
use crate::cmd::flags::{self, vlen};
use crate::cmd::isa_files::IsaFiles;
use crate::cmd::misaligned::MisalignedFlag;
use anyhow::Result;
use capvec_targets::{CORE, Feature};
use capvec_timing::Core;

/// The core, and what its hart executes. A sub-command that says more about one of these flags replaces its help.
#[derive(clap::Args)]
pub struct CoreFlags {
    #[arg(long, value_parser = CoreName, hide_possible_values = true, help = flags::with_default(flags::CORE_HELP, CORE))]
    core: Option<String>,
    /// ISA of the hart, such as rv64gcv_zvkned or rva23u64 [default: the core's]
    #[arg(long)]
    isa: Option<String>,
    /// Vector register length in bits [default: the core's]
    #[arg(long, value_parser = vlen)]
    vlen: Option<u32>,
}

/// Changes to the core, for commands that run any program.
#[derive(clap::Args, Default)]
pub struct Changes {
    /// Change a parameter of the core model; repeatable (see `capvec cores show`)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<SetFlag>,
    #[command(flatten)]
    misaligned: MisalignedFlag,
    #[command(flatten)]
    isa_files: IsaFiles,
}

impl Changes {
    /// The core of this name, or the default one, with the changes.
    ///
    /// # Errors
    /// Names the flag, and its valid values.
    pub fn core(&self, name: Option<&str>) -> Result<Core> {
        self.isa_files.register()?;
        core_choice::one(name.unwrap_or(CORE), &self.misaligned.and(&self.set))
    }
}

impl CoreFlags {
    /// The same flags of a sub-command that reads them itself.
    pub fn of(core: Option<String>, isa: Option<String>, vlen: Option<u32>) -> CoreFlags {
        CoreFlags { core, isa, vlen }
    }

    /// The flags that were given, for a target that may not support them.
    pub fn asked(&self) -> [(bool, Feature); 3] {
        [
            (self.core.is_some(), Feature::Core),
            (self.isa.is_some(), Feature::Isa),
            (self.vlen.is_some(), Feature::Vlen),
        ]
    }

    /// `--isa`.
    pub fn isa(&self) -> Option<&str> {
        self.isa.as_deref()
    }

    /// `--vlen`.
    pub fn vlen(&self) -> Option<u32> {
        self.vlen
    }

    /// The core of the flags, for a 64-bit library.
    ///
    /// # Errors
    /// Names the flag, and its valid values.
    pub fn core_of_library(&self, misaligned: &MisalignedFlag) -> Result<Core> {
        let name = self.core.as_deref().unwrap_or(CORE);
        let core = self.hart(core_choice::one(name, &misaligned.and(&[]))?)?;
        match (core.isa.xlen, &self.isa) {
            (64, _) | (_, None) => Ok(core),
            (_, Some(isa)) => {
                Err(Usage(format!("--isa {isa}: the library is 64-bit; begin with rv64")).into())
            }
        }
    }

    /// The core of the flags, with the changes.
    ///
    /// # Errors
    /// Names the flag, and its valid values.
    pub fn core(&self, changes: &Changes) -> Result<Core> {
        self.hart(changes.core(self.core.as_deref())?)
    }

    /// Checks that the core's model can count the cycles of `--isa`, for commands that show them.
    ///
    /// # Errors
    /// Names the flag, and the core that cannot.
    pub fn check_costs(&self, core: &Core) -> Result<()> {
        let isa = self.isa().unwrap_or_default();
        Ok(core.can_time(core.isa.exts).map_err(|e| Usage(format!("--isa {isa}: {e}")))?)
    }

    /// The core with the ISA and the VLEN of the flags.
    fn hart(&self, mut core: Core) -> Result<Core> {
        if let Some(isa) = &self.isa {
            core.isa = isa.parse().map_err(|e| Usage(format!("--isa {isa}: {e}")))?;
        }
        core.vlen = self.vlen.unwrap_or(core.vlen);
        let least = core.isa.exts.min_vlen();
        if core.vlen < least {
            let requires = if self.isa.is_some() { "--isa" } else { "the core's ISA" };
            let text = format!(
                "{requires} requires a VLEN of at least {least}, but the hart has {}; give --vlen {least}",
                core.vlen
            );
            return Err(Usage(text).into());
        }
        Ok(core)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        core: CoreFlags,
        #[command(flatten)]
        changes: Changes,
    }

    fn core(args: &[&str], library: bool) -> Result<Core, String> {
        let command = Command::parse_from([&["x"], args].concat());
        let core = match library {
            true => command.core.core_of_library(&MisalignedFlag::default()),
            false => command.core.core(&command.changes),
        };
        core.map_err(|e| e.to_string())
    }

    #[test]
    fn every_flag_changes_the_core() {
        assert_eq!(core(&[], true).unwrap().name, CORE);
        let changed = core(
            &["--core", "ideal", "--isa", "rv32gcv", "--vlen", "512", "--set", "frequency=7000000"],
            false,
        );
        let changed = changed.unwrap();
        assert_eq!((changed.name.as_str(), changed.vlen, changed.isa.xlen), ("ideal", 512, 32));
        assert_eq!(changed.frequency, 7_000_000);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let e = core(&["--isa", "rv32gc"], true).unwrap_err();
        assert_eq!(e, "--isa rv32gc: the library is 64-bit; begin with rv64");
        let e = core(&["--isa", "rv64gcv_zvl512b"], true).unwrap_err();
        assert!(
            e.starts_with("--isa requires a VLEN of at least 512, but the hart has 256;"),
            "{e}"
        );
        let e = core(&["--isa", "rv64nope"], false).unwrap_err();
        assert!(e.starts_with("--isa rv64nope: "), "{e}");
        let e = core(&["--core", "nope"], true).unwrap_err();
        assert!(e.contains("nope"), "{e}");
    }
}
