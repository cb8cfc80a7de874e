//! Loading programs: ELF files, their interpreters, the initial stack.

pub mod elf;
mod map;
pub mod stack;

pub use elf::Program;
pub use map::map;
