//! The vector unit: an instruction's cost by the data it moves, and when it can start.

mod in_order;
mod queue;
mod rounds;
mod shape;
mod unit;

pub use unit::{Prepared, Standalone, VectorUnit};
