//! Every rule against the semantics: whatever values the tainted bits of the operands have, no clean bit of the result changes.

use crate::tester::{Forgotten, Sums, Tester, is_tested};
use capvec_isa::op::OPS;
use capvec_isa::{Class, Op};
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::testing::{Rng, config, ext_sets};
use capvec_text::digits::grouped;
use std::collections::BTreeMap;

/// Number of executions per row and configuration.
const TRIALS: u32 = 6;

/// Tests all rows of this XLEN; returns how precise the rules are.
fn test_all(xlen: u8, vlen: u32, agnostic: Agnostic, trials: u32) -> Sums {
    let mut sums = BTreeMap::new();
    let mut executed: BTreeMap<&str, u32> = BTreeMap::new();
    let mut faults = Vec::new();
    for (n, exts) in ext_sets().into_iter().enumerate() {
        let config = Config { xlen, ..config(&exts, vlen, agnostic) };
        let mut tester = Tester::new(config, Rng::new("soundness"));
        let sets = tester.rig.h.config.exts;
        // The other sets differ only in drafts.
        let tested = |op: &Op| is_tested(*op, xlen) && sets.intersects(op.row().exts);
        let new = |op: &Op| n == 0 || op.row().class == Class::Vkeccak;
        for op in OPS.into_iter().filter(tested).filter(new) {
            let found = tester.test(op, trials, Forgotten::Nothing, &mut sums);
            faults.extend(found.fault);
            *executed.entry(op.name()).or_default() += found.executed;
        }
    }
    assert!(faults.is_empty(), "clean bits have changed:\n{}", faults.join("\n"));
    let rare: Vec<_> = executed.iter().filter(|(_, n)| **n < trials).collect();
    println!("executed less often: {rare:?}");
    // User mode may not execute cbo.inval; RV32 has no indices of 64 bits.
    let may_not = |name: &str| name == "cbo.inval" || (xlen == 32 && name.contains("xei64"));
    let never = executed.iter().filter(|(name, n)| **n == 0 && !may_not(name));
    let never: Vec<&str> = never.map(|(name, _)| *name).collect();
    assert!(never.is_empty(), "never executed: {never:?}");
    let missing =
        OPS.into_iter().filter(|op| is_tested(*op, xlen) && !executed.contains_key(op.name()));
    assert_eq!(missing.map(Op::name).collect::<Vec<_>>(), [""; 0]);
    sums
}

#[test]
fn no_clean_bit_changes_at_vlen_128() {
    test_all(64, 128, Agnostic::Ones, TRIALS);
}

#[test]
fn no_clean_bit_changes_at_vlen_256() {
    test_all(64, 256, Agnostic::Undisturbed, TRIALS);
}

#[test]
fn no_clean_bit_changes_on_rv32() {
    test_all(32, 128, Agnostic::Undisturbed, TRIALS);
}

/// Prints the table for docs/taint.md; `make taint` runs it.
#[test]
#[ignore = "takes minutes"]
fn precision() {
    let sums = test_all(64, 256, Agnostic::Undisturbed, 200);
    println!("| rule | tainted bits of results | of them changed |");
    println!("|---|---|---|");
    for (rule, p) in &sums {
        let percent = 100.0 * p.changed as f64 / p.tainted.max(1) as f64;
        println!("| `{rule}` | {} | {percent:.0} % |", grouped(p.tainted, ','));
    }
}
