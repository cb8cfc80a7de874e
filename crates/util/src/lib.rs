//! Files and processors of the host: files written atomically, digests, built files that are kept, work on all processors.
//!
//! Depends on `text` alone, so that a crate that reads or writes files links no engine for it.

#![warn(missing_docs)]

pub mod atomic_file;
pub mod build_cache;
mod digest;
pub mod pool;

pub use digest::{digest, fnv};
