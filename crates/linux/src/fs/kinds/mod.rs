//! The kinds of files that can be open, other than sockets.

pub(super) mod anon_inode;
pub(super) mod device;
pub(super) mod directory;
pub(super) mod host_file;
mod memfd;
pub(super) mod path_file;
pub(super) mod pipe;
pub(super) mod stdio;
pub(super) mod virtual_file;
