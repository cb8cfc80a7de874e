//! The entry points of hostile input, each as a function of bytes that must not panic, hang or use unbounded memory.
//! `tests/short.rs` runs all of them on the committed corpus and on mutations of it; `make fuzz TARGET=…` runs one
//! under libFuzzer.

#![warn(missing_docs)]

mod bare;
mod ct;
mod custom;
mod decode;
mod engines;
mod gdb;
mod program;
mod report;
mod scan;
mod semantics;
mod symbols;
mod syscalls;
mod text;

/// A target: it panics if something is wrong.
pub type Target = fn(&[u8]);

/// Every target, by the name of its corpus.
pub const TARGETS: &[(&str, Target)] = &[
    ("bare", bare::run),
    ("capabilities", text::capabilities),
    ("cases", text::cases),
    ("checkpoint", text::checkpoint),
    ("core", text::core),
    ("ct", ct::run),
    ("custom", custom::run),
    ("decode", decode::run),
    ("engines", engines::run),
    ("gdb", gdb::run),
    ("import", text::import),
    ("isa", text::isa),
    ("program", program::run),
    ("record", report::record),
    ("report", report::report),
    ("scan", scan::run),
    ("semantics", semantics::run),
    ("symbols", symbols::run),
    ("syscalls", syscalls::run),
    ("vectors", text::vectors),
];

/// The target of this name.
pub fn target(name: &str) -> Option<Target> {
    TARGETS.iter().find(|t| t.0 == name).map(|t| t.1)
}
