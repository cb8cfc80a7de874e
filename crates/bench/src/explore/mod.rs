//! `capvec explore`: the same cases without and with the added instructions, at several costs and VLENs.

mod measure;
mod plan;
mod request;
mod sets;

pub use measure::run;
pub use plan::Plan;
pub use request::Request;
