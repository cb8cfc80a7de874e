//! Virtual objects: the trees of `/dev`, `/proc` and `/sys`.

pub(super) mod content;
mod directory;
pub(super) mod entry;
pub(super) mod file;
pub(super) mod node;
