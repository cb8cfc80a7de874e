//! What native and emulated targets share: drivers as processes of this machine, and the library that these load.

use super::LIBRARY;
use super::compile::Built;
use crate::Limits;
use crate::probe::Probe;
use anyhow::{Result, bail};
use capvec_guest::Program;
use capvec_util::digest;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Drivers, and the directory of their library.
pub struct Local {
    /// The drivers.
    pub drivers: Vec<Built>,
    /// Directory of a libcrypto other than the system's.
    pub dir: Option<PathBuf>,
}

/// Checks that this machine can run the drivers of a target, which call Linux.
///
/// # Errors
/// It cannot.
pub fn needs_linux(target: &str) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!(
            "--target {target} needs Linux, and this is {}; measure another machine with --target ssh:HOST, or run \
             capvec in a container or a virtual machine with Linux",
            std::env::consts::OS
        );
    }
    Ok(())
}

impl Local {
    /// The driver for this program.
    pub fn driver(&self, program: Program) -> Result<&Path> {
        Ok(&super::for_program(&self.drivers, program, |d| d.program)?.path)
    }

    /// Digest of the library, if it is not the system's; else empty.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn library(&self) -> Result<String> {
        self.dir.as_ref().map_or(Ok(String::new()), |dir| digest(&dir.join(LIBRARY)))
    }

    /// Makes a command find the library, and configures the library.
    pub fn prepare(&self, command: &mut Command, variable: &str, c: &Limits) {
        command.env_remove(variable);
        if let Some(dir) = &self.dir {
            command.env("LD_LIBRARY_PATH", dir);
        }
        if let Some(value) = &c.capstring {
            command.env(variable, value);
        }
    }

    /// The library that the driver loaded; `None` if it is linked into the driver. If the dynamic linker took another
    /// library than the requested one, it must not be measured under that name.
    ///
    /// # Errors
    /// Names the file that was loaded instead of the requested one.
    pub fn loaded(&self, probe: &Probe) -> Result<Option<PathBuf>> {
        let file = (!probe.file.is_empty()).then(|| PathBuf::from(&probe.file));
        let Some(dir) = &self.dir else { return Ok(file) };
        let real = |p: &Path| p.canonicalize().ok();
        let own = real(&dir.join(LIBRARY));
        match file {
            Some(file) if own.is_some() && real(&file) == own => Ok(Some(file)),
            Some(file) => {
                bail!(
                    "the driver loaded {} and not the {LIBRARY} of {}",
                    file.display(),
                    dir.display()
                )
            }
            None => bail!(
                "the driver has a libcrypto linked into it, and does not load the {LIBRARY} of {}",
                dir.display()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loading_another_library_than_requested_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join(LIBRARY);
        std::fs::write(&own, "x").unwrap();
        let probe = |file: &str| Probe { file: file.into(), ..Probe::default() };
        let local = Local { drivers: Vec::new(), dir: Some(dir.path().into()) };
        let is_own = probe(own.to_str().unwrap());
        assert_eq!(local.loaded(&is_own).unwrap(), Some(own));
        let e = local.loaded(&probe("/usr/lib/libcrypto.so.3")).unwrap_err().to_string();
        assert!(e.contains("loaded /usr/lib/libcrypto.so.3"), "{e}");
        assert!(local.loaded(&probe("")).is_err());
        let any = Local { drivers: Vec::new(), dir: None };
        assert_eq!(any.loaded(&probe("")).unwrap(), None);
        assert!(any.loaded(&is_own).unwrap().is_some());
    }
}
