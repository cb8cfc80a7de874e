//! The virtual `/proc`: its tree, the texts of its files, and the queries that the process layer answers for it.

pub(super) mod format;
pub(super) mod queries;
pub(super) mod tree;
