//! Views of a record: tables, and the sentences that explain them.

mod axes;
pub mod best;
mod builds;
pub mod explain;
pub mod fit;
pub mod grid;
mod libraries;
pub mod meaning;
mod measured;
mod mix;
mod operations;
mod peers;
mod predictions;
mod speed;
pub mod table;
pub mod unit;
