//! HTML pages of records. Nothing here measures: everything is computed from records, which are treated as untrusted input.

#![warn(missing_docs)]

mod embed;
mod given;
mod input;
mod method;
mod other_record;
mod page;
mod plot_data;
mod plots;
mod problems;
mod summary;
mod tables;

pub use given::Given;
pub use input::{Input, input, parse_any};
pub use other_record::{Content, OtherRecord};
pub use page::{page, page_with, page_with_figures};

use capvec_record::labels::Labels;
use capvec_record::read::Loaded;

/// Labels for the records of a page and for their rows.
fn labels(runs: &[Loaded]) -> Labels {
    Labels::of(&runs.iter().map(|run| &*run.record).collect::<Vec<_>>())
}
