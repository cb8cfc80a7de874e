//! The instruction table, extension sets, capability strings, decoder and disassembler.
//!
//! `isa/*.toml` is the one source; the tables in `generated/` are made from it and checked for drift. Decoder, encoder and
//! disassembler are written by hand and read the tables.

#![warn(missing_docs)]

pub mod capability;
pub mod class;
mod csr;
pub mod custom;
pub mod decode;
pub mod disasm;
mod draft_clash;
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

pub use class::Class;
pub use csr::csr_name;
pub use decode::{DecodeError, Decoded, decode, encode};
pub use disasm::disassemble;
pub use draft_clash::{Clash, Common};
pub use ext::{Ext, ExtSet};
pub use isa_error::IsaError;
pub use isa_string::Isa;
pub use op::Op;
