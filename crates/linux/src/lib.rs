//! User-mode Linux for the simulator.

pub mod errno;
pub mod fs;
