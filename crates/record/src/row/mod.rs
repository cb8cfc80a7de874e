//! One measured figure.

mod cost;
mod facts;
mod share;

pub use cost::Cost;
pub use facts::{PASS, Row, UNCHECKED};
pub use share::FunctionShare;
