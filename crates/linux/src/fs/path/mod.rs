//! The objects that paths of the guest lead to, and who may use them.

pub(super) mod located;
pub(super) mod permission;
