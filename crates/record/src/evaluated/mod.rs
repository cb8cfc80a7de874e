//! A record together with everything that is computed from its facts: what tables, plots and files show.

mod figure;
mod record;

pub use figure::Figure;
pub use record::Evaluated;
