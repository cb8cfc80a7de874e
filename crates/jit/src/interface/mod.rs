//! What the engine and the code generators agree on, and what code generators for different hosts share.
//!
//! - The engine gives a code generator a `Source` (`trace`), the state of the vector unit (`state`), and how to count entries
//!   (`counting`) and report calls (`call_log`).
//! - `vset` says what state a vset leaves, and `judge` what is legal in a state.
//! - It gets an `Entry`, and generated code returns an `Exit` (`entry`, `exit`).
//! - `Code` (`code`, `links`) is all generated code: the memory that holds it (`buffer`), the edges between traces (`link`), and
//!   the table of indirect-jump targets (`targets`).
//! - `Portable` is code that can be placed elsewhere again, by what it refers to (`relocation`).
//! - `recoveries` is the table by which a trace continues when one of its loads or stores faults.
//! - `frames` says which calls return within a trace, `addresses` and `group` which accesses share a permission check, and
//!   `three_terms` what the instructions of SHA-2 and SM3 combine.

pub mod addresses;
mod buffer;
pub mod call_log;
pub mod code;
pub mod counting;
pub mod entry;
pub mod exit;
mod fetch;
pub mod frames;
pub mod group;
pub mod judge;
pub mod link;
mod links;
pub mod portable;
#[cfg(target_arch = "x86_64")]
pub mod recoveries;
pub mod relocation;
pub mod state;
pub mod targets;
pub mod three_terms;
pub mod trace;
pub mod translated;
pub mod translation;
pub mod vset;
