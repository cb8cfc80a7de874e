//! Semantics: one file per extension, named as its table in `isa/`, one function per mnemonic with dots as
//! underscores. A row of the table without a function does not compile (`generated.rs`).

use crate::hart::pending;
use crate::insn::Handler;
use crate::mode::Mode;

mod generated;
mod i;
mod v_cmp;
mod v_fixed;
mod v_int;
mod v_mul;
mod v_red;
mod zicsr;

pub(crate) use generated::handlers;
