//! Cases: what is measured, with known answers. The data is in `cases/*.toml`.

mod case_files;
mod definition;
mod kind;
mod select;

pub use case_files::{all, parse};
pub use definition::{Answer, Case, Pattern, RANDOM, has_connections, pattern_message};
pub use kind::{Kind, Operation};
pub use select::{LIST, refuse_blank, spelled, unknown};
pub use select::{select, select_by};
