//! `--isa-file`: custom instructions.

use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use capvec_custom::Extension;
use capvec_isa::{Common, Ext, ExtSet};
use capvec_text::shell::word;
use capvec_timing::{Core, Setting};
use std::path::PathBuf;

/// Files of instructions.
#[derive(clap::Args, Default)]
pub struct IsaFiles {
    /// File with custom instructions to add; repeatable (docs/custom.md)
    #[arg(long, value_name = "FILE")]
    isa_file: Vec<PathBuf>,
}

impl IsaFiles {
    /// Whether there are any.
    pub fn is_some(&self) -> bool {
        !self.isa_file.is_empty()
    }

    /// The flags, with a space before each.
    pub fn text(&self) -> String {
        let flag = |file: &PathBuf| format!(" --isa-file {}", word(&file.to_string_lossy()));
        self.isa_file.iter().map(flag).collect()
    }

    /// Adds the instructions to the table of this process.
    ///
    /// # Errors
    /// Names the place in the file, and the remedy.
    pub fn register(&self) -> Result<()> {
        self.register_after(|_| ())
    }

    /// The same; calls `look` for each extension before it is added.
    ///
    /// # Errors
    /// Names the place in the file, and the remedy.
    pub fn register_after(&self, look: impl Fn(&Extension)) -> Result<()> {
        for (n, path) in self.isa_file.iter().enumerate() {
            if self.isa_file[..n].contains(path) {
                return Err(Usage(format!("--isa-file {}: given twice", path.display())).into());
            }
            let extension = capvec_custom::read(path).map_err(usage)?;
            warn(&extension);
            look(&extension);
            let name = extension.name().to_string();
            extension
                .register()
                .map_err(|e| Usage(format!("--isa-file {}: {name}: {e}", path.display())))?;
        }
        Ok(())
    }
}

/// Warns of what is probably not what the author of the file meant.
pub fn warn(extension: &Extension) {
    for warning in extension.warnings() {
        say!("{warning}");
    }
}

/// The core of this name, with the instructions of --isa-file.
///
/// # Errors
/// Names the flag, and its valid values; or both instructions of a clash.
pub fn core(name: &str) -> Result<Core> {
    let core = Core::load(name).map_err(usage)?;
    let own: ExtSet = Ext::all().filter(|e| e.is_custom()).collect();
    if own.is_empty() {
        return Ok(core);
    }
    if let Some(clash) = core.isa.exts.union(own).closed().clash() {
        let (own, other) = (clash.ops[0].name(), clash.exts[1]);
        let has = match other.is_custom() {
            true => format!("{} is from another --isa-file", other.name()),
            false => format!("{name} has {}", other.name()),
        };
        let remedy = match clash.common {
            Common::Encoding => "choose another opcode, funct3 or funct7",
            Common::Mnemonic => "choose another name",
        };
        return Err(Usage(format!("--isa-file: {clash}, and {has}; {remedy} for {own}")).into());
    }
    let names: Vec<String> = own.iter().map(|e| format!("_{}", e.name())).collect();
    let isa = core.parameters.iter().find(|p| p.key == ISA).map(|p| p.value_text());
    let value = isa.unwrap_or_else(|| core.isa.to_string()) + &names.concat();
    core.with(&[Setting { key: ISA.into(), value }])
        .map_err(|e| Usage(format!("--isa-file: {e}")).into())
}

/// The parameter that names the core's extensions.
const ISA: &str = "core.isa";
