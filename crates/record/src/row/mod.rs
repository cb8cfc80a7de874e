//! One measured figure.

mod cost;
mod facts;
mod share;

pub use cost::Cost;
pub use facts::Row;
pub use share::FunctionShare;
