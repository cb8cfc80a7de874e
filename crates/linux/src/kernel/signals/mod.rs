//! Signals: sending, delivering, returning.

mod deliver;
mod frame;
mod send;

pub use frame::{frame_size, trampoline};
