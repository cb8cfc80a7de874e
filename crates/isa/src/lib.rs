//! The instruction table, extension sets, capability strings, decoder and disassembler.
//!
//! `isa/*.toml` is the one source; `generated/` is made from it and checked for drift.

pub mod class;
pub mod decode;
pub mod ext;
mod generated;
pub mod op;
pub mod row;

pub use class::Class;
pub use decode::{DecodeError, Decoded, decode, encode};
pub use ext::{Ext, ExtSet};
pub use op::Op;
