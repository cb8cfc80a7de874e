//! How the figures of a record were measured.

use crate::kind::Kind;

/// How `insns` and `cycles` are measured in the simulator.
pub const METHOD: &str = "insns: retired instructions, exact, read by the guest around the operation, less an \
    empty loop; cycles: of the core model; kBps: bytes over modelled cycles at the core's frequency, in 1000 \
    bytes per second; ops_per_s: that frequency over cycles_per_op; nothing is wall-clock time";

/// The same under an emulator.
const EMULATED: &str = "insns: retired instructions between two system calls that mark a section, exact, from the \
    emulator's log of executed blocks, less an empty loop; no times: under emulation they mean nothing";

/// The same on a machine.
const REAL: &str = "ns_per_op: median of samples by the machine's monotonic clock, less an empty loop, after warming up; \
    mad_percent: their median absolute deviation; kBps and ops_per_s: of that median; insns and cycles: of the counter \
    named, user mode only, where it passes a loop of known length";

/// How figures of this kind are measured.
pub fn method(kind: Kind) -> &'static str {
    match kind {
        Kind::Modelled => METHOD,
        Kind::Emulated => EMULATED,
        Kind::Real => REAL,
    }
}
