//! The plan of a block where a cycle is an instruction.

use capvec_sim::timing::{Dynamic, Plan};

/// The plan of a block of this many instructions. Every instruction is reported after it has executed; the interpreter also forgets the
/// accesses of these.
pub fn unmodelled(insns: usize) -> Plan {
    Plan {
        cumulative: (0..=insns as u32).collect(),
        dynamic: (0..insns as u8).map(|index| Dynamic { index, note: 0, issue: 0 }).collect(),
        ..Plan::default()
    }
}
