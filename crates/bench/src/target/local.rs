//! What native and emulated targets share: drivers as processes of this machine, and the library that they load.

use super::LIBRARY;
use super::build::Built;
use crate::configuration::Configuration;
use crate::probe::Probe;
use anyhow::{Context, Result};
use capvec_guest::Program;
use capvec_guest::digest;
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
        Ok(&super::for_program(&self.drivers, program, |d| d.program)?.path)
    }

    /// Digest of another library than the system's; empty without one.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn library(&self) -> Result<String> {
        self.dir.as_ref().map_or(Ok(String::new()), |dir| digest(&dir.join(LIBRARY)))
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
    digest(Path::new(&probe.file)).map(Some)
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
