//! The vector unit: what an instruction costs by what it moves, and when it can start.

mod shape;
mod unit;

pub use unit::{Alone, Prepared, VectorUnit};
