//! All that a scan says of a file.

use crate::constants::{self, Constant};
use crate::elf::{File, Linkage, Machine};
use crate::family::Family;
use crate::library::{self, Library};
use crate::sweep::{self, Use};
use serde::Serialize;

/// Why a file cannot be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// It is no ELF file.
    #[error("no ELF file; --program takes a program or shared library")]
    NotElf,
    /// It is a damaged one.
    #[error("a damaged ELF file: {0}")]
    Damaged(String),
}

/// What a file contains.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Architecture.
    pub machine: Machine,
    /// How it is linked.
    pub linkage: Linkage,
    /// Without symbols, beside those of the dynamic linker.
    pub stripped: bool,
    /// Its own name as a shared library.
    pub soname: Option<String>,
    /// Shared libraries that it asks for.
    pub needed: Vec<String>,
    /// Libraries whose code is in it.
    pub libraries: Vec<Library>,
    /// Instructions of extensions.
    pub uses: Vec<Use>,
    /// Tables of portable code.
    pub constants: Vec<Constant>,
    /// Bytes of code that were looked through.
    pub code_bytes: usize,
}

/// Scans a file.
///
/// # Errors
/// [`ScanError`]: it is no ELF file, or a damaged one.
pub fn scan(bytes: &[u8]) -> Result<Report, ScanError> {
    if !bytes.starts_with(b"\x7fELF") {
        return Err(ScanError::NotElf);
    }
    let file = File::read(bytes).map_err(|e| ScanError::Damaged(e.to_string()))?;
    Ok(Report {
        machine: file.machine,
        linkage: file.linkage,
        stripped: file.stripped,
        soname: file.soname.clone(),
        needed: file.needed.clone(),
        libraries: library::find(&file),
        uses: sweep::sweep(&file),
        constants: constants::find(bytes),
        code_bytes: file.code.iter().map(|c| c.bytes.len()).sum(),
    })
}

impl Report {
    /// Instructions of an extension, if they are surely code.
    pub fn has(&self, extension: &str) -> bool {
        self.uses.iter().any(|u| u.extension == extension && u.is_sure())
    }

    /// Instructions of a family that are surely code.
    pub fn family(&self, family: Family) -> usize {
        let own = self.uses.iter().filter(|u| u.family == family && u.is_sure());
        own.map(|u| u.count).sum()
    }

    /// Whether any algorithm has instructions of its own in it. Carry-less multiplication alone may be for checksums.
    pub fn is_accelerated(&self) -> bool {
        Family::OWN.iter().any(|f| *f != Family::Ghash && self.family(*f) > 0)
    }

    /// Whether it does cryptography itself, as far as its code tells.
    pub fn has_cryptography(&self) -> bool {
        !self.libraries.is_empty() || !self.constants.is_empty() || self.is_accelerated()
    }
}
