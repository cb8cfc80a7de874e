//! Semantics: one file per extension, named as its table in `isa/`, one function per mnemonic with dots as
//! underscores. A row of the table without a function does not compile (`generated.rs`).

use crate::hart::pending;
use crate::insn::Handler;
use crate::mode::Mode;

mod a;
mod generated;
mod i;
mod m;
mod zawrs;
mod zicbom;
mod zicbop;
mod zicboz;
mod zicsr;
mod zifencei;
mod zihintpause;
mod zimop;

pub(crate) use generated::handlers;
