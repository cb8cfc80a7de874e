//! The tests of the sysroots: against a miniature archive, and against no archive at all.

mod archive;
mod common;
mod network;
mod store;
