//! The tests of this crate are one program, because each program costs a link with the whole simulator.

mod dispatch;
mod driver;
mod engines;
mod loops;
mod replay;
mod ssh;
mod targets;
