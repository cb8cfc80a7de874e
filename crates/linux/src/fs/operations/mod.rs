//! The system calls on paths, and the setup of the file system.

pub(super) mod attributes;
mod directory_entries;
mod open;
mod ownership;
mod rename;
mod setup;
mod sockets;
