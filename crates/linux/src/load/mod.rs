//! Loading programs: ELF files, their interpreters, the initial stack.

pub mod elf;
mod error;
mod map;
pub mod stack;

pub use elf::{Image, Program};
pub use error::{ElfError, Unopened, package_of};
pub use map::{copy_in, map};
