//! Costs of single instructions that replace those of the core: on a core with a blocking vector unit, they add up.

use crate::{xbutterfly, xkeccak, xrotxor};
use capvec_isa::custom::{Cost, Per};
use capvec_isa::{Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{CODE, config, word};
use capvec_sim::{Hart, Memory, Stop, mem::PAGE, mem::Perm};
use capvec_timing::{Core, Price, Setting};
use std::sync::Arc;

/// karu64 with settings.
fn set(settings: &[(&str, &str)]) -> Result<Core, String> {
    let setting =
        |(key, value): &(&str, &str)| Setting { key: (*key).into(), value: (*value).into() };
    let settings: Vec<Setting> = settings.iter().map(setting).collect();
    Core::load("karu64").expect("a core").with(&settings).map_err(|e| e.to_string())
}

/// Cycles of these instructions on karu64, run once.
fn cycles(prices: &[(Op, Price)], words: &[u32]) -> u64 {
    cycles_on(&Core::load("karu64").expect("a core").priced("other prices", prices), words)
}

fn cycles_on(core: &Core, words: &[u32]) -> u64 {
    let mem = Memory::new().expect("address space");
    mem.map(CODE, PAGE, Perm::R.union(Perm::X)).expect("code page");
    let code: Vec<u8> = words.iter().chain(&[0x0010_0073]).flat_map(|w| w.to_le_bytes()).collect();
    mem.write_as(CODE, &code, Perm::NONE).expect("the words fit in a page");
    let exts = [xrotxor().0, xkeccak().0, Ext::V, Ext::Zvkned];
    let mut h = Hart::new(Arc::new(config(&exts, 256, Agnostic::Ones)), mem);
    h.pc = CODE;
    h.write_x(10, 4);
    assert!(matches!(core.engine(false).run(&mut h, u64::MAX), Stop::Trap(_)));
    h.cycles
}

fn vector_words(op: Op) -> Vec<u32> {
    let vset = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 10, 2 << 3));
    vec![vset, word(op, |d| (d.rd, d.rs2) = (8, 16))]
}

#[test]
fn scalar_costs() {
    let (rotate, words) =
        (xrotxor().1[0], |n| vec![word(xrotxor().1[0], |d| (d.rd, d.rs1) = (5, 5)); n]);
    let cost = |latency| Price::Cost(Cost::Scalar { latency, occupancy: 1 });
    let at = |price: Option<Price>| {
        let prices: Vec<_> = price.map(|p| (rotate, p)).into_iter().collect();
        // The cost of one more instruction in a chain of dependent ones.
        cycles(&prices, &words(9)) - cycles(&prices, &words(8))
    };
    let fetch = at(Some(Price::Free));
    assert!(at(None) >= fetch);
    assert_eq!(at(Some(cost(60))), 60);
}

#[test]
fn vector_costs() {
    let (op, words) = (Op::VaesemVv, vector_words(Op::VaesemVv));
    let step = |first| [(op, Price::Cost(Cost::Vector { per: Per::Group, first, next: 1 }))];
    let (one, ten) = (cycles(&step(1), &words), cycles(&step(10), &words));
    assert_eq!(ten - one, 9);
    assert_eq!(cycles(&[], &words), one, "karu64's own cost is 1");
    let free = cycles(&[(op, Price::Free)], &words);
    assert!(free < one, "{free} {one}");
}

/// What --set says replaces what the file and the class say; `priced` replaces both.
#[test]
fn costs_that_are_set() {
    let rotate = xrotxor().1[0];
    let words = vec![word(rotate, |d| (d.rd, d.rs1) = (5, 5)); 9];
    let core = set(&[("insn.rotxor.latency", "60")]).expect("a core");
    let price = |latency| [(rotate, Price::Cost(Cost::Scalar { latency, occupancy: 1 }))];
    assert_eq!(cycles_on(&core, &words), cycles(&price(60), &words));
    assert!(core.identity.label.contains("insn.rotxor.latency"), "{}", core.identity.label);
    let again = core.priced("again", &price(7));
    assert_eq!(cycles_on(&again, &words), cycles(&price(7), &words));
    // A vector instruction: its group, or a beat, unless `per` says otherwise.
    let keccak = xkeccak().1[0];
    let vset = word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (5, 11, 3 << 3 | 3));
    let words = [word(Op::Addi, |d| (d.rd, d.imm) = (11, 32)), vset, word(keccak, |d| d.rd = 8)];
    let at = |first: &str| {
        let core = set(&[("insn.xkeccak_v.first", first)]).expect("a core");
        cycles_on(&core, &words)
    };
    assert_eq!(at("100") - at("1"), 99);
}

#[test]
fn costs_that_cannot_be_set() {
    let _ = (xrotxor(), xbutterfly());
    for (key, value, part) in [
        ("insn.rotxor.latency", "0", "from 1 to 10000"),
        ("insn.rotxor.latencies", "3", "the keys are insn.NAME.latency"),
        ("insn.nope.latency", "3", "--isa-file has no such instruction"),
        ("insn.rotxor.occupancy", "3", "give insn.rotxor.latency, too"),
        ("insn.rotxor.first", "3", "for vector instructions"),
        ("insn.vbfly_vv.next", "3", "give insn.vbfly_vv.first, too"),
        ("insn.vbfly_vv.per", "group", "known values: beat, element"),
    ] {
        let error = set(&[(key, value)]).expect_err(key);
        assert!(error.contains(part), "{key}={value}: {error}");
    }
}
