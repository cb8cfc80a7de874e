//! Written by capvec-isagen from `isa/*.toml`.

pub mod ext;
pub mod names;
pub mod op;
pub mod rows;
