//! Reports and comparisons. Nothing here measures: everything is regenerated from records, which are taken for what
//! a stranger wrote.

mod compare;
mod csv;
mod data;
mod doctor;
mod found;
mod html;
mod load;
mod method;
mod page;
mod problems;
mod same_name;
mod summary;
mod tables;

pub use compare::{Comparison, Dimension, Figure, Options, compare};
pub use found::{Found, What};
pub use load::{Input, Loaded, input, load, parse, parse_any};
pub use page::{page, page_with};
