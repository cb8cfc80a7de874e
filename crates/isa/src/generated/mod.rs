//! Written by capvec-isagen from `isa/*.toml`.

pub mod ext;
pub mod op;
pub mod rows;
