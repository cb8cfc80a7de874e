//! What surrounds generated code: the host registers and functions that it relies on, the ways in which it returns to
//! the run loop, the memory that holds it, and the tables that it reads.

pub mod constant;
pub mod convention;
pub mod faults;
pub mod float_flags;
pub mod stack;

use std::ops::Range;

/// Addresses of the functions and data that generated code uses. `border` emits the functions, except the thunks, which are
/// Rust functions.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// Leaves to the run loop; writes the homes back first.
    pub leave: u64,
    /// Leaves to the run loop by the edge whose number is in RAX; writes the homes back first.
    pub leave_edge: u64,
    /// Leaves to the run loop; all registers are written back already.
    pub leave_saved: u64,
    /// Continues a return whose target, in RCX, differs from the address after the frame's call, which has been popped. RAX is the
    /// exit.
    pub other_return: u64,
    /// Continues a return to RCX through the table of targets. RAX is the exit.
    pub find_return: u64,
    /// Calls a handler.
    pub thunk: u64,
    /// Calls the handler of an instruction that accesses a CSR.
    pub csr_thunk: u64,
    /// Calls the handler of an instruction with a dynamic cost, and counts it.
    pub timed_thunk: u64,
    /// Counts a scalar access.
    pub access: u64,
    /// Slow paths of scalar loads and of stores, by the binary logarithm of their size.
    pub scalar: [[u64; 4]; 2],
    /// Counts deferred vector instructions.
    pub catch_up: u64,
    /// Access a line, by `Side`.
    pub lines: [u64; 3],
    /// Access the lines of a span, by `Side`.
    pub spans: [u64; 3],
    /// Access the lines of strided elements, by `Side`.
    pub strided: [u64; 3],
    /// Writes registers back: see `emit::spill`.
    pub spill: u64,
    /// Compare whether accesses lie in one page that grants what they need: loads, stores, and both.
    pub pages: [u64; 3],
    /// Predict a branch by tagged tables: one that was not taken, one that was.
    pub branches: [u64; 2],
    /// The table of indirect-jump targets.
    pub targets: u64,
    /// The cells of the stack.
    pub stack: u64,
}

impl Runtime {
    /// The places of the functions that are not the border's.
    pub fn functions(&self) -> [Range<u64>; 3] {
        [self.thunk, self.csr_thunk, self.timed_thunk].map(|at| at..at + 1)
    }
}
