//! Loading programs: ELF files, their interpreters, the initial stack.

pub mod elf;
mod error;
mod map;
pub mod stack;

pub use elf::Program;
pub use error::{ElfError, Unopened, package_of};
pub use map::map;
