//! Random programs over the whole table on the interpreter and the translating engine, with random budgets:
//! after each run all state is equal.
#![cfg(all(target_arch = "x86_64", unix))]

mod common;

use common::campaign::campaign;
use common::programs::{all, program, scalar};
use common::{EAGER, Pair};

#[test]
fn scalar_programs() {
    let ops = scalar();
    campaign("scalar_programs", Pair::new(128, EAGER), 1500, |rng| program(rng, &ops));
}

#[test]
fn programs_over_the_whole_table() {
    let ops = all();
    let pair = Pair::new(256, EAGER);
    campaign("programs_over_the_whole_table", pair, 1500, |rng| program(rng, &ops));
}
