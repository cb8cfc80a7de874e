//! Which thread runs when, and what happens while none can.

mod host_input;
mod idle;
mod run_loop;
mod schedule;
mod waiting;

pub use host_input::HostInput;
pub use schedule::{Quantum, Schedule, Slice};
