//! The JSON of a record: facts together with what is computed from them. It is only written here; `read` takes the facts alone.

mod figure;
mod record;

#[cfg(test)]
pub(crate) use figure::Rates;
#[cfg(test)]
pub(crate) use record::RecordJson;
