//! Signals: their numbers, sets, what is pending, and what a process does about them.

mod action;
mod set;

pub use action::{Action, Actions, AltStack, DEFAULT, Disposition, IGNORE, default_of, sa, ss};
pub use set::{Detail, Pending, SIGINFO_SIZE, SigInfo, SigSet, code, name, sig};
