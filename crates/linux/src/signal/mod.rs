//! Signals: sending, delivering, returning.

mod action;
mod deliver;
mod frame;
mod send;
mod set;

pub use action::{Action, Actions, AltStack, DEFAULT, Disposition, IGNORE, default_of, sa, ss};
pub use frame::{frame_size, trampoline};
pub use set::{Detail, Pending, SIGINFO_SIZE, SigInfo, SigSet, code, name, sig};
