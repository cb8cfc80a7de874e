//! File locks: of whole files (flock(2)) and of byte ranges (fcntl(2)).

pub(super) mod fcntl;
pub(super) mod flock;
pub(super) mod record_lock;
