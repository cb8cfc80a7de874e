//! One measured figure.

mod convert;
mod facts;
mod json;
mod share;

pub use facts::Row;
pub use share::FunctionShare;
