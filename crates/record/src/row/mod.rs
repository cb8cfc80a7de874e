//! One measured figure.

mod facts;
mod share;

pub use facts::Row;
pub use share::FunctionShare;
