//! One module for each sub-command.

pub mod sysroot;
