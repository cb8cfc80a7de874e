//! The instruction table, extension sets, capability strings, decoder and disassembler.
//!
//! `isa/*.toml` is the one source; `generated/` is made from it and checked for drift.

#![warn(missing_docs)]

pub mod capability;
mod clash;
pub mod class;
mod csr;
pub mod custom;
pub mod decode;
pub mod disasm;
pub mod ext;
mod ext_set;
pub mod foreign_isa_string;
mod generated;
mod isa_error;
pub mod isa_string;
pub mod lint;
pub mod op;
mod registry;
pub mod row;
mod rva_profile;
pub mod variable;

pub use clash::{Clash, Common};
pub use class::Class;
pub use csr::csr_name;
pub use decode::{DecodeError, Decoded, decode, encode};
pub use disasm::disassemble;
pub use ext::{Ext, ExtSet};
pub use isa_error::IsaError;
pub use isa_string::Isa;
pub use op::Op;
