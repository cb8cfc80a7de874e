//! What a record holds besides the facts, for programs that read the file: figures that are computed from the facts. Reading a
//! record computes them anew (`compute`), whatever the file says.

pub mod explanation;
pub mod fit;
pub mod row;
