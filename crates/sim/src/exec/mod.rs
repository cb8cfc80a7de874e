//! Semantics: one file per extension, named like its table in `isa/`, with one function per mnemonic, whose dots
//! become underscores. A row of the table without a function does not compile (`generated.rs`).

// Every handler has the mode as a parameter, whether its semantics depend on it or not.
#![allow(clippy::extra_unused_type_parameters)]

use crate::insn::Handler;
use crate::mode::Mode;

mod a;
mod alu;
mod custom;
mod d;
mod f;
mod float;
mod generated;
mod i;
mod m;
mod machine;
mod v_cmp;
mod v_config;
mod v_fixed;
mod v_fp;
mod v_fred;
mod v_int;
mod v_mask;
mod v_mem;
mod v_mul;
mod v_perm;
mod v_red;
mod xcapvecmulq0p1;
mod zawrs;
mod zba;
mod zbb;
mod zbc;
mod zbkb;
mod zbkx;
mod zbs;
mod zfa;
mod zfhmin;
mod zicbom;
mod zicbop;
mod zicboz;
mod zicond;
mod zicsr;
mod zifencei;
mod zihintpause;
mod zimop;
mod zknd;
mod zkne;
mod zknh;
mod zksed;
mod zksh;
mod zvbb;
mod zvbc;
mod zvkg;
mod zvkgs0p7;
mod zvkk0p2024;
mod zvkned;
mod zvknf0p2022;
mod zvknh;
mod zvknhk0p1;
mod zvknhk0p2;
mod zvksed;
mod zvksh;

pub use custom::{Semantics, install};
pub(crate) use generated::handlers;
