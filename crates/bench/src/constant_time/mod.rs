//! Constant-time checks of the cases.

mod check;
mod rules;
mod timing;
mod view;

pub use check::{Checked, Plan, run};
pub use timing::run as time;
pub use view::{document, text, timing_document, timing_text};
