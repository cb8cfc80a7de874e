//! The operations of the file system: the system calls that find a file by a path, and its setup.

pub(super) mod attributes;
mod directory_entries;
mod open;
mod ownership;
mod setup;
mod sockets;
