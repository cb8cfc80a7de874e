//! Which of a kernel's accelerated implementations are built, loaded and chosen, and why not.

mod release;
mod system;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

use crate::Findings;
use anyhow::Result;
use std::path::Path;
use system::System;

/// What is found about the kernel with this configuration file, which may be compressed.
///
/// # Errors
/// The file cannot be read, or is not the configuration of a kernel that is described.
pub fn kernel_of_config(path: &Path) -> Result<Findings> {
    found(&system::from_file(path)?)
}

/// The same for the contents of a file that was in a package.
///
/// # Errors
/// As [`kernel_of_config`].
pub fn kernel_of_bytes(name: &str, bytes: &[u8]) -> Result<Findings> {
    found(&system::from_bytes(name, bytes)?)
}

/// What is found about the kernel of the system with this root: `/` for this machine, or a copy of a machine's files.
///
/// # Errors
/// As [`kernel_of_config`], or there is no configuration.
pub fn kernel_of_root(root: &Path) -> Result<Findings> {
    kernel_of_copy(root, &root.display().to_string())
}

/// The same for a copy of a machine's files, which is shown as `name`.
///
/// # Errors
/// As [`kernel_of_root`].
pub fn kernel_of_copy(root: &Path, name: &str) -> Result<Findings> {
    found(&system::from_root(root, name)?)
}

fn found(system: &System) -> Result<Findings> {
    Ok(Findings::of_kernel(verdict::judge(system)?))
}
