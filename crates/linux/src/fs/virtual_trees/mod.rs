//! The trees of `/dev`, `/proc` and `/sys`, and the virtual objects in them.

pub(super) mod dev;
pub(super) mod entry;
pub(super) mod node;
pub(super) mod proc;
pub(super) mod sys;
