//! Translations that are used again: by other harts, after code has changed, in engines of the same kind. Builds with assertions
//! compare the code that is placed with that of a new translation, to the byte.
#![cfg(translates)]

use crate::common::campaign::campaign;
use crate::common::programs::{all, program, scalar};
use crate::common::{CODE, EAGER, Pair};
use capvec_isa::{Ext, Op};
use capvec_jit::{Host, Kept, Options};
use capvec_sim::hart::{Agnostic, Hart};
use capvec_sim::testing::{Rng, config, word};
use capvec_sim::{Memory, Stop};
use std::sync::Arc;

fn kept() -> Kept {
    Kept::new(1 << 20)
}

/// The same random programs in two engines, one after the other.
fn twice(name: &str, core: &str, vlen: u32, options: Options, ops: &[Op]) {
    let mut reused = 0;
    for seed in 0..20 {
        let kept = kept();
        for _ in 0..2 {
            let pair = Pair::sharing(core, vlen, options, &kept);
            let mut rng = Rng::seeded(seed);
            campaign(name, pair, 6, |_| program(&mut rng, ops));
        }
        reused += kept.reused();
    }
    assert!(reused > 50, "{name}: {reused} translations were used again");
}

#[test]
fn random_programs() {
    for hot_threshold in [0, 3] {
        let options = Options { hot_threshold, count: hot_threshold == 3, ..EAGER };
        twice("kept, scalar", "ideal", 128, options, &scalar());
        twice("kept, all", "ideal", 256, options, &all());
    }
}

#[test]
fn random_programs_on_cores() {
    for core in ["karu64", "ux900", "marian"] {
        for hot_threshold in [0, 3] {
            let options = Options { hot_threshold, ..EAGER };
            twice(&format!("kept, {core}"), core, 128, options, &all());
        }
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Adds `by` to a0 forever.
fn adding(by: i64) -> Vec<u8> {
    let add = word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (10, 10, by));
    bytes(&[add, word(Op::Jal, |d| d.imm = -4)])
}

/// Runs this code with these translations for a while; returns how many were used.
fn uses(kept: &Kept, mut pair: Pair, code: &[u8]) -> usize {
    let before = kept.reused();
    pair.load(code);
    for _ in 0..10 {
        pair.run(100);
    }
    kept.reused() - before
}

#[test]
fn other_code_at_the_same_address() {
    let kept = kept();
    let pair = || Pair::sharing("ideal", 128, EAGER, &kept);
    assert_eq!(uses(&kept, pair(), &adding(1)), 0);
    assert_eq!(uses(&kept, pair(), &adding(2)), 0);
    // A longer block with the same beginning.
    let longer = [&adding(1)[..4], &adding(2)].concat();
    assert_eq!(uses(&kept, pair(), &longer), 0);
    assert_eq!(uses(&kept, pair(), &adding(1)), 1);
}

#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "without core models there are two kinds")]
fn other_kinds_of_engines() {
    let kept = kept();
    let code = adding(1);
    let engine = |core, vlen, options| Pair::sharing(core, vlen, options, &kept);
    let kinds = || {
        let without = Options { host: Host { sha: false, ..Host::ALL }, ..EAGER };
        [
            engine("ideal", 128, EAGER),
            engine("ideal", 128, Options { count: true, ..EAGER }),
            engine("karu64", 128, EAGER),
            // Only a core model depends on VLEN.
            engine("karu64", 256, EAGER),
            engine("ux900", 128, without),
        ]
    };
    // Those of the first are dropped for those of the fifth.
    let found: Vec<usize> = kinds().into_iter().map(|pair| uses(&kept, pair, &code)).collect();
    assert_eq!(found, [0; 5]);
    assert_eq!(uses(&kept, engine("karu64", 128, EAGER), &code), 1);
    assert_eq!(uses(&kept, engine("ideal", 128, EAGER), &code), 0);
    assert_eq!(uses(&kept, engine("ideal", 256, EAGER), &code), 1);
}

/// vtype and vl, which a loop of one vector instruction needs at its entry.
fn set_vector_state(pair: &mut Pair, avl: u64) {
    pair.load(&bytes(&[
        // 32-bit elements, undisturbed.
        word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 11, 0x10)),
        word(Op::Ebreak, |_| ()),
    ]));
    pair.both(|h| h.write_x(11, avl));
    assert!(matches!(pair.run(10), Stop::Trap(_)));
}

#[test]
fn vector_code_is_for_one_state_and_one_hart() {
    let kept = kept();
    let code = bytes(&[
        word(Op::VaddVv, |d| (d.rd, d.rs1, d.rs2) = (8, 8, 9)),
        word(Op::Jal, |d| d.imm = -4),
    ]);
    let run = |vlen, avl, agnostic| {
        let mut pair = Pair::sharing("ideal", vlen, EAGER, &kept);
        pair.replace_harts(agnostic);
        set_vector_state(&mut pair, avl);
        uses(&kept, pair, &code)
    };
    assert_eq!(run(256, 8, Agnostic::Undisturbed), 0);
    assert_eq!(run(256, 8, Agnostic::Undisturbed), 1);
    assert_eq!(run(256, 4, Agnostic::Undisturbed), 0, "vl");
    assert_eq!(run(512, 8, Agnostic::Undisturbed), 0, "VLEN");
    assert_eq!(run(256, 8, Agnostic::Ones), 0, "policy");
}

/// Runs a loop of this vector instruction, with 64-bit elements in two registers, on a hart with these extensions.
fn on_hart(kept: &Kept, exts: &[Ext], insn: u32) -> usize {
    let mut pair = Pair::sharing("ideal", 128, EAGER, kept);
    pair.both(|h| {
        let config = Arc::new(config(exts, 128, Agnostic::Undisturbed));
        let mem = std::mem::replace(&mut h.mem, Memory::new().expect("memory"));
        *h = Hart::new(config, mem);
    });
    pair.load(&bytes(&[
        word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 0, 0x19)),
        word(Op::Ebreak, |_| ()),
    ]));
    assert!(matches!(pair.run(10), Stop::Trap(_)));
    uses(kept, pair, &bytes(&[insn, word(Op::Jal, |d| d.imm = -4)]))
}

/// With Zvknha, SHA-2 on 64-bit elements is illegal.
#[test]
fn what_is_legal_depends_on_the_hart() {
    let kept = kept();
    let insn = word(Op::Vsha2msVv, |d| (d.rd, d.rs1, d.rs2) = (8, 10, 12));
    let run = |ext| on_hart(&kept, &[Ext::V, ext], insn);
    assert_eq!(run(Ext::Zvknhb), 0);
    assert_eq!(run(Ext::Zvknha), 0);
    assert!(run(Ext::Zvknhb) > 0);
}

/// What is used again is dropped like any other translation when its code changes, and only in its own space.
#[test]
fn code_changes_after_its_translation_was_used_again() {
    let kept = kept();
    let mut rng = Rng::new("code_changes_after_its_translation_was_used_again");
    let pair = || Pair::sharing("karu64", 128, Options { hot_threshold: 1, ..EAGER }, &kept);
    let mut pairs = [pair(), pair(), pair()];
    let versions = [1, 2, 3].map(adding);
    for _ in 0..200 {
        let pair = &mut pairs[rng.below(3) as usize];
        if rng.one_in(3) {
            let code = &versions[rng.below(3) as usize];
            pair.load(code);
        } else if pair.jit.1.pc >= CODE {
            let _ = pair.run(rng.below(50));
        }
    }
    assert!(kept.reused() > 20, "{}", kept.reused());
}
