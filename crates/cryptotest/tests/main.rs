//! The tests of this crate are one program, because each program costs a link. `random.rs` has a process of its own: it changes
//! the state that all threads share.

mod builds;
mod ended;
mod known;
mod limits;
