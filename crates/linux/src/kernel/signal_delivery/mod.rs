//! Signals: sending, delivery, return from handlers.

mod deliver;
mod frame;
mod send;

pub use frame::{frame_size, pop};
