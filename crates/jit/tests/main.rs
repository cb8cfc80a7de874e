//! The tests of this crate are one program, because each program costs a link with the whole simulator. `pages.rs` has a process of
//! its own: it watches the mappings of the process.

mod aligned;
mod both;
mod calls;
mod code;
mod common;
mod cycles;
mod debug;
mod draft_answers;
mod engine;
mod faults;
mod float;
mod kept;
mod large;
mod layers;
mod lockstep;
mod of_program;
mod returns;
mod sorted;
mod vector;
mod words;
