//! Pages of records. Nothing here measures: everything is regenerated from records, which are taken for what a stranger
//! wrote.

mod data;
mod doctor;
mod found;
mod html;
mod input;
mod method;
mod page;
mod problems;
mod summary;
mod tables;

pub use found::{Found, What};
pub use input::{Input, input, parse_any};
pub use page::{page, page_with};
