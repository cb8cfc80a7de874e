//! What native and emulated targets share: drivers as processes of this machine, and the library that they load.

use super::build::Built;
use crate::compile::Program;
use crate::probe::Probe;
use crate::run::Configuration;
use crate::sweep;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Drivers and where their library is.
pub struct Local {
    /// The drivers.
    pub drivers: Vec<Built>,
    /// Directory of another libcrypto than the system's.
    pub dir: Option<PathBuf>,
}

impl Local {
    /// The driver that does this.
    pub fn driver(&self, program: Program) -> Result<&Path> {
        let found = self.drivers.iter().find(|d| d.program == program);
        let built = found.with_context(|| format!("the driver {program:?} was not asked for"))?;
        Ok(&built.path)
    }

    /// What identifies the drivers.
    pub fn id(&self) -> String {
        self.drivers.iter().map(|d| d.id.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Has a command find the library, and tells that what to use.
    pub fn prepare(&self, command: &mut Command, variable: &str, c: &Configuration) {
        command.env_remove(variable);
        if let Some(dir) = &self.dir {
            command.env("LD_LIBRARY_PATH", dir);
        }
        if let Some(value) = &c.capset.capstring {
            command.env(variable, value);
        }
    }
}

/// SHA-256 of the library that the probe names; nothing if it is a part of the driver.
///
/// # Errors
/// Names the file that cannot be read.
pub fn libcrypto(probe: &Probe) -> Result<Option<String>> {
    if probe.file.is_empty() {
        return Ok(None);
    }
    sweep::digest(Path::new(&probe.file)).map(Some)
}

/// The library that the probe names: its path, and what is in it; nothing if it is a part of the driver.
///
/// # Errors
/// Names the file that cannot be read.
pub fn contents(probe: &Probe) -> Result<Option<(String, Vec<u8>)>> {
    if probe.file.is_empty() {
        return Ok(None);
    }
    let bytes = std::fs::read(&probe.file).with_context(|| format!("reading {}", probe.file))?;
    Ok(Some((probe.file.clone(), bytes)))
}
