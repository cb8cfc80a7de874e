//! The plan of a block without a core model: each instruction counts as one cycle.

use capvec_sim::timing::{Dynamic, Plan};

/// The plan of a block of this many instructions. Every instruction is dynamic: the interpreter reports it after it has executed,
/// and then forgets its accesses.
pub fn unmodelled(insns: usize) -> Plan {
    Plan {
        cumulative: (0..=insns as u32).collect(),
        dynamic: (0..insns as u8).map(|index| Dynamic { index, note: 0, issue: 0 }).collect(),
        ..Plan::default()
    }
}
