//! Files and processors of the host: files written atomically, digests, built files that are kept, work on all processors;
//! and for tests, what is done where a program is missing.
//!
//! Depends on `text` alone, so that a crate that reads or writes files links no engine for it.

#![warn(missing_docs)]

pub mod atomic_file;
pub mod build_cache;
mod digest;
pub mod pool;
pub mod script;
pub mod testing;

pub use digest::{digest, fnv};
