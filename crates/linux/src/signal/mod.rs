//! Signals: numbers, sets, pending signals, actions.

mod action;
mod set;

pub use action::{Action, Actions, AltStack, DEFAULT, Disposition, IGNORE, default_of, sa, ss};
pub use set::{Detail, Pending, RAW, RAW_AT, SIGINFO_SIZE, SigInfo, SigSet, code, name, sig};
