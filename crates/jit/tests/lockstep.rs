//! Random programs over the whole table on the interpreter and the translating engine, with random budgets: the
//! complete state must be equal after each run.
#![cfg(translates)]

use crate::common::campaign::campaign;
use crate::common::programs::{all, program, scalar, words};
use crate::common::{EAGER, Pair};
use capvec_jit::Options;
use capvec_sim::hart::MustAlign;
use capvec_timing::Core;

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

/// Misaligned accesses of scalar or vector instructions, or of both, trap.
#[test]
fn programs_on_harts_that_trap() {
    for (scalar, vector) in [(true, false), (false, true), (true, true)] {
        let ideal = Core::load("ideal").expect("a core that is built in");
        let core = Core { vlen: 128, must_align: MustAlign { scalar, vector }, ..ideal };
        let ops = all();
        let name = format!("programs_on_harts_that_trap {scalar} {vector}");
        campaign(&name, Pair::of(&core, EAGER), 400, |rng| program(rng, &ops));
    }
}

/// The blocks are already known when they are translated, so many become traces.
#[test]
fn programs_that_are_translated_late() {
    for hot_threshold in [1, 2, 5] {
        let ops = if hot_threshold == 2 { all() } else { scalar() };
        let name = format!("programs_that_are_translated_late {hot_threshold}");
        let pair = Pair::new(128, Options { hot_threshold, count: hot_threshold == 1, ..EAGER });
        campaign(&name, pair, 800, |rng| program(rng, &ops));
    }
}

#[test]
fn programs_of_words() {
    for hot_threshold in [0, 1, 3] {
        let pair = Pair::new(128, Options { hot_threshold, ..EAGER });
        campaign(&format!("programs_of_words {hot_threshold}"), pair, 1000, words);
    }
}
