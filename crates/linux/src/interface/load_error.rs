//! Why a machine cannot be made.

use super::elf_error::ElfError;
use super::setup_error::SetupError;
use crate::base::errno::Errno;

/// Why a machine cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The host is not Linux.
    #[cfg(not(target_os = "linux"))]
    #[error(
        "guests need a Linux host, whose kernel confines them, and this is {}; run capvec in a container or a virtual machine \
         with Linux",
        std::env::consts::OS
    )]
    NotLinux,
    /// The host cannot map a guest's memory.
    #[error(transparent)]
    Host(#[from] capvec_sim::mem::LargePages),
    /// The file system cannot be set up.
    #[error(transparent)]
    FileSystem(#[from] SetupError),
    /// A standard stream of the host is not open.
    #[error("standard {0} of the host: {1}; redirect it from or to a file")]
    Stream(&'static str, std::io::Error),
    /// There is no program to run.
    #[error("no program given; name one after --")]
    NoProgram,
    /// The program is not in the guest's PATH.
    #[error(
        "{program}: not found in the guest's PATH ({path}); add its package to the sysroot, or give a path"
    )]
    NotFound {
        /// As given.
        program: String,
        /// The guest's PATH.
        path: String,
    },
    /// The working directory does not exist in the guest.
    #[error(
        "working directory {0} cannot be entered in the guest ({1}); bind a host directory there"
    )]
    Cwd(String, Errno),
    /// The program cannot be loaded.
    #[error("{path}: {cause}")]
    Program {
        /// Guest path.
        path: String,
        /// What is wrong with it.
        cause: ElfError,
    },
    /// The host cannot provide an address space.
    #[error(
        "no host memory for the guest's address space ({0}); raise the limit on virtual memory (ulimit -v)"
    )]
    Memory(Errno),
    /// The configuration is not one that Linux runs on.
    #[error("the ISA {0}: Linux needs at least RV64IMA; choose such an ISA with --isa")]
    Isa(String),
}

/// Whether guests can run on this host, so that nothing is fetched and built for them in vain.
///
/// # Errors
/// It is not Linux, or its pages are larger than a guest's.
pub fn check_host() -> Result<(), LoadError> {
    #[cfg(not(target_os = "linux"))]
    return Err(LoadError::NotLinux);
    #[cfg(target_os = "linux")]
    Ok(capvec_sim::mem::check_host()?)
}

impl LoadError {
    /// The exit status in the convention of env(1) and timeout(1): 127 when the program is not found, 126 when it cannot
    /// be run, 2 for any other cause.
    pub fn code(&self) -> u8 {
        use super::elf_error::Unopened::{Dangling, Missing};
        match self {
            LoadError::NotFound { .. }
            | LoadError::Program { cause: ElfError::Open(Missing | Dangling(_)), .. } => 127,
            LoadError::Program { .. } => 126,
            _ => 2,
        }
    }
}
