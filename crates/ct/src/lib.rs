//! Constant-time checks: runs a program on the reference interpreter with a shadow of what depends on secrets, and reports
//! where time or memory accesses depend on them. docs/constant-time.md says what is checked.

#![warn(missing_docs)]

mod arity;
mod chains;
mod checker;
mod engine;
mod examine;
mod findings;
mod follow;
mod held;
mod marks;
mod origin;
mod report;
mod requests;
mod symbols;
mod transfers;
mod unchecked;

pub use checker::Checker;
pub use findings::{Finding, Kind, Step};
pub use marks::{Marks, WrongMark};
pub use report::{Report, json, text};
