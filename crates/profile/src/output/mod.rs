//! Profiles as text and in the formats of other tools.

mod flat;
mod folded;
mod text;

pub use flat::{Row, flat};
pub use folded::folded;
pub use text::{callers, summary};
