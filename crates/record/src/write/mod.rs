//! Records as files.

pub mod csv;
