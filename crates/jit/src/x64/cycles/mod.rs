//! Counting cycles.

pub mod access;
pub mod edge;
pub mod entry;
pub mod lines;
pub mod vector;
