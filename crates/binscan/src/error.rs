//! Why a file cannot be scanned.

/// Why a file cannot be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// Not an ELF file.
    #[error(
        "not an ELF file{0}; programs, shared libraries, object files, kernel modules and archives (.a) can be scanned"
    )]
    NotElf(String),
    /// A damaged ELF file.
    #[error("an ELF file that is damaged or cut short: {0}")]
    Damaged(String),
    /// A compressed file that cannot be unpacked.
    #[error("compressed by {packing}, {what}")]
    Packed {
        /// The compression format.
        packing: &'static str,
        /// Why it cannot be unpacked.
        what: String,
    },
    /// An archive without anything that can be scanned.
    #[error("an archive {0}")]
    Archive(&'static str),
}
