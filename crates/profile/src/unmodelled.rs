//! The plan of a block without a core model: each instruction counts as one cycle.

use capvec_sim::timing::{Dynamic, Plan, StaticCosts};

/// The plan of a block of this many instructions. Every instruction is dynamic: the interpreter reports it after it has executed,
/// and then forgets its accesses.
pub fn unmodelled(insns: usize) -> Plan {
    let cumulative: Vec<u32> = (0..=insns as u32).collect();
    let dynamic = |index| Dynamic { index, note: 0, issue: 0 };
    let dynamic: Vec<Dynamic> = (0..insns as u8).map(dynamic).collect();
    Plan { costs: StaticCosts::new(&cumulative, &dynamic), ..Plan::default() }
}
