//! A record together with everything that is computed from its facts: what tables, plots and files show.

mod figure;
mod record;
mod record_json;
mod row_json;

pub use figure::Figure;
pub use record::Evaluated;
#[cfg(test)]
pub(crate) use record_json::RecordJson;
pub(crate) use row_json::RowJson;
