//! What the virtual `/proc` shows: the texts of its files, and the queries that the process layer answers for them.

pub(super) mod format;
pub(super) mod queries;
