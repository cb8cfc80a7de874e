//! The virtual `/dev`: its tree and its open devices.

pub(super) mod file;
pub(super) mod tree;
