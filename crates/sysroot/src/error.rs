//! Errors, each with its remedy.

use std::io;
use std::path::{Path, PathBuf};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An error; the message names the flag or file at fault and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An invalid name, suite, architecture, package or URL.
    #[error("invalid {what} {value:?}: {why}")]
    Invalid {
        /// What the value should be.
        what: &'static str,
        /// The value given.
        value: String,
        /// Why it is invalid.
        why: String,
    },
    /// Neither `CAPVEC_HOME` nor a home directory is known.
    #[error("no directory for sysroots: set CAPVEC_HOME (or HOME) to a directory you can write to")]
    NoHome,
    /// A file operation failed.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// What failed, as a verb.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// The store's directory cannot be created or written to.
    #[error("cannot write to {}: {error}; set CAPVEC_HOME to a directory you can write to", path.display())]
    Unwritable {
        /// The store's directory.
        path: PathBuf,
        /// What the operating system says.
        error: io::Error,
    },
    /// A required program is missing.
    #[error(
        "{tool} not found: install apt and dpkg (Debian and Ubuntu have them), or register a \
         ready-made tree with `capvec sysroot add --from DIR --name NAME`"
    )]
    NoTool {
        /// The program's name.
        tool: String,
    },
    /// A program other than apt failed.
    #[error("{tool} failed on {}: {message}", path.display())]
    Tool {
        /// The program's name.
        tool: &'static str,
        /// The file it worked on.
        path: PathBuf,
        /// What the program says.
        message: String,
    },
    /// The machine's apt has no Debian archive to take the mirror from.
    #[error(
        "this machine's apt has no Debian archive among its sources ({found}): set CAPVEC_MIRROR to the \
         URL of a Debian mirror and CAPVEC_KEYRING to the file of its keys (`capvec sysroot add` takes \
         --mirror and --keyring too); the keys are in the package debian-archive-keyring, as \
         /usr/share/keyrings/debian-archive-keyring.gpg"
    )]
    NoDebianArchive {
        /// The archives that apt does have.
        found: String,
    },
    /// A mirror was given but no keyring is installed or given.
    #[error(
        "no archive keyring to verify {mirror} with: install the package \
         debian-archive-keyring, or set CAPVEC_KEYRING to a file of keys"
    )]
    NoKeyring {
        /// The URL of the archive.
        mirror: String,
    },
    /// The mirror cannot be reached.
    #[error(
        "cannot reach {mirror}: {message}; check the network and apt's proxy settings, or set \
         CAPVEC_MIRROR to the URL of another mirror; packages that have been fetched are used offline"
    )]
    Network {
        /// The URL of the archive.
        mirror: String,
        /// What apt says.
        message: String,
    },
    /// The mirror is being updated.
    #[error(
        "{mirror} is being updated, and its index does not match its files: {message}; try again in some minutes, or name \
         another mirror with --mirror or CAPVEC_MIRROR; packages that have been fetched are used offline"
    )]
    Sync {
        /// The URL of the archive.
        mirror: String,
        /// What apt says.
        message: String,
    },
    /// The archive's signature is missing or was made with an unknown key.
    #[error(
        "cannot verify {mirror} {suite}: {message}; set CAPVEC_KEYRING to the file with the keys that sign \
         this archive (unsigned archives are refused)"
    )]
    Signature {
        /// The URL of the archive.
        mirror: String,
        /// The suite.
        suite: String,
        /// What apt says.
        message: String,
    },
    /// The mirror has no such suite.
    #[error(
        "{mirror} has no suite {suite:?}: {message}; check the suite's name (for example trixie, sid)"
    )]
    NoSuite {
        /// The URL of the archive.
        mirror: String,
        /// The suite.
        suite: String,
        /// What apt says.
        message: String,
    },
    /// The suite has no packages of the architecture.
    #[error(
        "suite {suite} at {mirror} has no packages for {arch}: check the architecture's name, or use a suite \
         or mirror (CAPVEC_MIRROR) that has it (Debian has riscv64 from trixie on)"
    )]
    NoArch {
        /// The URL of the archive.
        mirror: String,
        /// The suite.
        suite: String,
        /// The architecture.
        arch: String,
    },
    /// Packages that the suite does not have.
    #[error(
        "no package {packages} in suite {suite} for {arch} at {mirror}: check the spelling; for \
         a virtual package name one that provides it"
    )]
    NoPackage {
        /// The names, separated by commas.
        packages: String,
        /// The suite.
        suite: String,
        /// The architecture.
        arch: String,
        /// The URL of the archive.
        mirror: String,
    },
    /// The packages cannot be installed together.
    #[error("the packages cannot be installed together from {suite} for {arch}: {message}")]
    Unresolvable {
        /// The suite.
        suite: String,
        /// The architecture.
        arch: String,
        /// What apt says.
        message: String,
    },
    /// Any other failure of apt.
    #[error("apt could not {action}: {message}")]
    Apt {
        /// What failed, as a verb.
        action: &'static str,
        /// What apt says.
        message: String,
    },
    /// A downloaded package does not match the signed index.
    #[error(
        "{} does not have the SHA-256 of the signed index ({expected}): delete it and try again",
        path.display()
    )]
    Checksum {
        /// The downloaded file.
        path: PathBuf,
        /// The digest in the signed index.
        expected: String,
    },
    /// Two packages claim the same path as a file and as a directory.
    #[error("{} of package {package} collides with a directory of another package", path.display())]
    Collision {
        /// The package that is unpacked.
        package: String,
        /// The path that both claim.
        path: PathBuf,
    },
    /// The sysroot on disk is incomplete.
    #[error(
        "sysroot {name} is damaged ({why}): run `capvec sysroot remove {name}` and add it again"
    )]
    Damaged {
        /// The sysroot's name.
        name: String,
        /// What is missing or wrong.
        why: String,
    },
    /// No sysroot of that name.
    #[error(
        "no sysroot {name:?} (there are: {known}); make it with `capvec sysroot add --name \
         {name} PACKAGE...`"
    )]
    NotFound {
        /// The name given.
        name: String,
        /// The names of the sysroots in the store.
        known: String,
    },
    /// An unknown name that does not give suite and architecture.
    #[error(
        "no sysroot {name:?}, and it is not of the form SUITE-ARCH (such as trixie-riscv64): \
         make it with `capvec sysroot add --name {name} --suite SUITE --arch ARCH PACKAGE...`"
    )]
    NotSuiteArch {
        /// The name given.
        name: String,
    },
    /// The sysroot exists, but is not of the requested kind.
    #[error(
        "sysroot {name} {is}, not {asked}: choose another --name, or remove it first with `capvec sysroot remove {name}`"
    )]
    Mismatch {
        /// The sysroot's name.
        name: String,
        /// What the sysroot is.
        is: String,
        /// What was requested.
        asked: String,
    },
    /// The directory given with `--from` cannot serve as a root.
    #[error("--from {}: {why}; give the top directory of a system tree (with usr/ or bin/ and lib/ in it)", path.display())]
    NotARoot {
        /// The directory.
        path: PathBuf,
        /// Why it cannot serve as a root.
        why: String,
    },
}

impl Error {
    /// Whether the user's input is at fault: it is invalid or names something that does not exist.
    pub fn is_usage(&self) -> bool {
        use Error::*;
        matches!(
            self,
            Invalid { .. }
                | NotFound { .. }
                | NotSuiteArch { .. }
                | Mismatch { .. }
                | NotARoot { .. }
                | NoSuite { .. }
                | NoArch { .. }
                | NoPackage { .. }
        )
    }

    /// Shorthand for [`Error::Io`] in `map_err`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_path_buf();
        move |error| Error::Io { action, path, error }
    }
}
