//! Pages of records. Nothing here measures: everything is regenerated from records, which are taken for what a stranger
//! wrote.

mod doctor;
mod found;
mod html;
mod input;
mod method;
mod page;
mod plot_data;
mod problems;
mod summary;
mod tables;

pub use found::{Found, What};
pub use input::{Input, input, parse_any};
pub use page::{page, page_with};

use capvec_record::labels::Labels;
use capvec_record::read::Loaded;

/// What tells the records of a page apart, and their rows.
fn labels(runs: &[Loaded]) -> Labels {
    Labels::of(&runs.iter().map(|run| &run.record).collect::<Vec<_>>())
}
