//! The counts by function, whatever called it.

use crate::tree::{Count, Profile};

/// A function's counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index of the function.
    pub function: u32,
    /// Of its own instructions.
    pub own: Count,
    /// With all that it called. A recursive function counts once.
    pub total: Count,
    /// How often it was called.
    pub calls: u64,
}

/// The functions that ran, those with the most cycles of their own first. Processes are left out.
pub fn flat(profile: &Profile) -> Vec<Row> {
    let totals = profile.totals();
    let empty =
        |function| Row { function, own: Count::default(), total: Count::default(), calls: 0 };
    let mut rows: Vec<Row> = (0..profile.functions.len() as u32).map(empty).collect();
    let outermost = outermost(profile);
    for (k, n) in profile.nodes.iter().enumerate() {
        let row = &mut rows[n.function as usize];
        row.own += n.own;
        row.calls += n.calls;
        if outermost[k] {
            row.total += totals[k];
        }
    }
    let is_process = |r: &Row| profile.functions[r.function as usize].object.is_empty();
    rows.retain(|r| !is_process(r) && (r.total != Count::default() || r.calls > 0));
    rows.sort_by_key(|r| std::cmp::Reverse((r.own.cycles, r.own.insns)));
    rows
}

/// For each node, whether its function is not on the path above it.
fn outermost(profile: &Profile) -> Vec<bool> {
    let above = |k: usize| {
        let function = profile.nodes[k].function;
        let mut at = k as u32;
        while !profile.is_root(at) {
            at = profile.nodes[at as usize].parent;
            if profile.nodes[at as usize].function == function {
                return false;
            }
        }
        true
    };
    (0..profile.nodes.len()).map(above).collect()
}
