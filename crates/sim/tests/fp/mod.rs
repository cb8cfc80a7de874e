//! `fp` against a reference in exact integers, the host's own arithmetic, and independently computed tables.

mod arith;
mod convert;
mod estimate;
mod host;
mod model;
mod moves;
mod order;
mod patterns;
mod reference;
mod scalar;
mod vector;
