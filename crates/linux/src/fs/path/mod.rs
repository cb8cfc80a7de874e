//! The guest's name space: the mount table, path resolution, the objects that paths lead to, and who may
//! use them.

pub(super) mod located;
pub(super) mod mount;
pub(super) mod permission;
pub(super) mod resolve;
