//! Which cryptographic libraries an ELF file contains, and which cryptographic instructions their code has.
//!
//! Nothing is executed. Libraries are recognised by defined symbols, by strings (versions, source paths) and by Go's build
//! information, so stripped and static copies are found, too. Portable code is recognised by tables and constants of its
//! algorithms. Libraries that the file calls are recognised by its references to them. Instructions are found by a linear scan
//! of the code and counted in clusters, since data between code may look like an instruction now and then. Compressed files
//! are unpacked first.

#![warn(missing_docs)]

mod archive;
mod arm;
mod clusters;
mod constants;
mod elf;
mod error;
mod go;
mod immediates;
mod instruction_family;
mod library;
mod report;
mod riscv;
mod rotations;
#[cfg(test)]
mod tests;
mod unpack;
mod used_libraries;
mod words;
mod x86;

pub use clusters::Use;
pub use constants::Constant;
pub use elf::{Linkage, Machine};
pub use error::ScanError;
pub use instruction_family::Family;
pub use library::{Evidence, Library};
pub use report::{Report, scan};
pub use unpack::{LARGEST, unpack};
pub use used_libraries::{Call, Means};
