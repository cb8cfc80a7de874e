//! Runs the same instructions on the unit and in the simulator, and compares results, exceptions and cycles.

use crate::{cleared, common, unit};
use capvec_isa::{Class, Op};
use capvec_rtl::harness::{Harness, Request};
use capvec_rtl::lockstep::{Judge, compare, text};
use capvec_rtl::model::Parameters as _;
use capvec_rtl::{DRAFTS, EXTENSIONS, Parameters, Source, Verilator, stimulus};
use capvec_sim::testing::{Rng, word};
use capvec_sim::vector::VType;
use std::collections::BTreeMap;

/// Drafts that are on; Zvknhk0p1 excludes one of them.
const ON: [&str; 3] = ["Zvknhk0p2", "Xcapvecmulq0p1", "Zvknf0p2022"];

/// The configuration of `make test`. `make rtl-test` also runs those below.
pub fn usual() -> Parameters {
    Parameters::all(256, 128).with(&ON)
}

/// VLEN and DLEN of the other configurations.
const WIDTHS: [(u32, u32); 8] = [
    (128, 64),
    (256, 64),
    (128, 128),
    (1024, 128),
    (256, 256),
    (512, 256),
    (512, 512),
    (1024, 512),
];

fn widths() -> impl Iterator<Item = Parameters> {
    WIDTHS.into_iter().map(|(vlen, dlen)| Parameters::all(vlen, dlen).with(&ON))
}

fn single_extensions() -> impl Iterator<Item = Parameters> {
    EXTENSIONS.into_iter().map(|name| Parameters { on: vec![name], ..usual() })
}

/// For each extension, all extensions except it and those that include it.
fn all_but_one() -> impl Iterator<Item = Parameters> {
    EXTENSIONS.into_iter().map(|off| {
        let includes = |on: &str| matches!((on, off), ("Zvbb", "Zvkb") | ("Zvknhb", "Zvknha"));
        let on = EXTENSIONS.into_iter().filter(|on| *on != off && !includes(on)).collect();
        Parameters { on, ..usual() }
    })
}

/// Random instructions in programs of 32, with and without stalls.
fn random(harness: &mut Harness, programs: u64) {
    let parameters = harness.model().parameters.clone();
    let mut judge = Judge::new(&parameters);
    let mut rng = Rng::new("random");
    let ops = stimulus::ops(&[&EXTENSIONS[..], &DRAFTS].concat());
    let mut illegal = 0;
    let mut executed: BTreeMap<&str, u64> = BTreeMap::new();
    for n in 0..programs {
        stimulus::fill(&mut harness.registers, &mut rng);
        let program: Vec<Request> =
            (0..32).map(|_| stimulus::request(rng.pick(&ops), parameters.vlen, &mut rng)).collect();
        let mut stalls = (n % 4 != 0).then(|| Rng::seeded(rng.next()));
        compare(harness, &mut judge, &program, &mut stalls, |r, done| {
            illegal += u64::from(done.illegal);
            if done.results > 0 {
                *executed.entry(judge_name(r)).or_default() += 1;
            }
        })
        .unwrap_or_else(|e| panic!("program {n}: {e:#}"));
    }
    let sum: u64 = executed.values().sum();
    println!("{parameters:?}: {sum} executed, {illegal} illegal instructions without difference");
    let rare: Vec<_> = stimulus::ops(&parameters.on)
        .into_iter()
        .filter(|op| executed.get(op.name()).is_none_or(|n| *n < programs / 20))
        .collect();
    assert!(rare.is_empty(), "hardly executed: {rare:?} of {executed:?}");
    assert!(illegal > programs, "hardly any illegal instruction: {illegal}");
}

fn judge_name(r: &Request) -> &'static str {
    unit::op(r.insn).map_or("none", Op::name)
}

/// Enabled cycles from the last operands of a group to its first result (docs/rtl.md).
fn latency(op: Op) -> u64 {
    match op.row().class {
        Class::Vsm4 => 4,
        Class::Vsha2 | Class::Vmulq => 2,
        _ => 1,
    }
}

/// Every enabled instruction, at its largest vl, takes a beat in each cycle, with the same latency for all operands.
fn cycles(harness: &mut Harness) {
    let parameters = harness.model().parameters.clone();
    let (vlen, dlen) = (u64::from(parameters.vlen), u64::from(parameters.dlen));
    let mut judge = Judge::new(&parameters);
    let mut rng = Rng::new("cycles");
    for op in stimulus::ops(&parameters.on) {
        match op.row().class {
            Class::Vkeccak => {
                keccak_cycles(harness, &mut judge, op);
                continue;
            }
            Class::VaesAll => {
                all_rounds_cycles(harness, &mut judge, op);
                continue;
            }
            _ => {}
        }
        let wide = op.row().class == Class::Vsm3;
        let sews: &[u64] = match op.row().class {
            Class::Vclmul => &[64],
            Class::Vsha2 if parameters.on.contains(&"Zvknhb") => &[32, 64],
            _ => &[32],
        };
        for &sew in sews {
            let widens = op.name().starts_with("vwsll");
            let vtype = (sew.trailing_zeros() - 3) << 3 | if widens { 2 } else { 3 };
            let request = Request {
                insn: word(op, |d| {
                    (d.rd, d.rs2, d.rs1) =
                        (8, 16, if op.row().args.contains("s1") { 24 } else { 0 })
                }),
                vtype: vtype as u8,
                vl: VType::decode(vtype.into(), 64).vlmax(vlen) as u32,
                ..Request::default()
            };
            let group =
                if wide || (op.row().class == Class::Vsha2 && sew == 64) { 256 } else { 128 };
            let gather = (group / dlen).max(1) - 1;
            for data in 0..4 {
                match data {
                    0 => harness.registers.fill(0),
                    1 => harness.registers.fill(0xff),
                    _ => rng.fill(&mut harness.registers),
                }
                compare(harness, &mut judge, &[request], &mut None, |r, done| {
                    let what = text(r);
                    assert_eq!(done.operands, 8 * vlen / dlen, "beats: {what}");
                    assert_eq!(done.first_operand - done.issued, 1, "issue: {what}");
                    assert_eq!(
                        done.first_result - done.first_operand,
                        latency(op) + gather,
                        "latency: {what}"
                    );
                    // At DLEN 64, the second half of a 256-bit group may delay the next group by a cycle.
                    let slack = if dlen == 64 && group == 256 { done.operands / 4 - 1 } else { 0 };
                    let span = done.last_result - done.first_result;
                    assert!(
                        (done.operands - 1..done.operands + slack).contains(&span),
                        "{span} cycles: {what}"
                    );
                })
                .unwrap_or_else(|e| panic!("{e:#}"));
            }
        }
    }
}

/// A state of Keccak enters a beat per cycle, and leaves likewise while the next one enters; in between, there are two rounds
/// per cycle.
fn keccak_cycles(harness: &mut Harness, judge: &mut Judge, op: Op) {
    let (vlen, dlen) =
        (u64::from(harness.model().parameters.vlen), u64::from(harness.model().parameters.dlen));
    // VLEN 128 has one group, whatever vl is, and so has draft 0.1.
    let one = vlen == 128 || harness.model().parameters.on.contains(&"Zvknhk0p1");
    let states = if one { 1 } else { 8 * vlen / 2048 };
    let beats = 1600u64.div_ceil(dlen.max(128)) * (128 / dlen).max(1);
    for short in [false, true] {
        let insn = word(op, |d| (d.rd, d.imm) = (16, short.into()));
        let vl = (8 * vlen / 64) as u32;
        let request = Request { insn, vtype: 3 << 3 | 3, vl, ..Request::default() };
        let cycles = if short { 6 } else { 12 };
        compare(harness, judge, &[request], &mut None, |r, done| {
            let what = text(r);
            assert_eq!(done.operands, states * beats, "beats: {what}");
            assert_eq!(done.first_operand - done.issued, 1, "issue: {what}");
            assert_eq!(
                done.first_result - done.first_operand,
                beats + cycles + 1,
                "latency: {what}"
            );
            let span = done.last_result - done.first_result;
            assert_eq!(span, (states - 1) * (beats + cycles) + beats - 1, "{what}");
        })
        .unwrap_or_else(|e| panic!("{e:#}"));
    }
}

/// All rounds of AES: a block, or DLEN if it is wider, occupies the datapath for a cycle per round, and for one cycle before.
fn all_rounds_cycles(harness: &mut Harness, judge: &mut Judge, op: Op) {
    let (vlen, dlen) =
        (u64::from(harness.model().parameters.vlen), u64::from(harness.model().parameters.dlen));
    let rounds = if op.name().contains("256") { 14 } else { 10 };
    let vs1 = if op.row().args.contains("vs1") { 24 } else { 0 };
    let insn = word(op, |d| (d.rd, d.rs2, d.rs1) = (8, 16, vs1));
    let vl = (8 * vlen / 32) as u32;
    let request = Request { insn, vtype: 2 << 3 | 3, vl, ..Request::default() };
    let halves = (128 / dlen).max(1);
    compare(harness, judge, &[request], &mut None, |r, done| {
        let what = text(r);
        assert_eq!(done.operands, 8 * vlen / dlen, "beats: {what}");
        let first = done.first_result - done.first_operand;
        assert_eq!(first, rounds + 2 + halves - 1, "latency: {what}");
        let span = done.last_result - done.first_result;
        assert_eq!(span, (done.operands / halves - 1) * (rounds + 1) + halves - 1, "{what}");
    })
    .unwrap_or_else(|e| panic!("{e:#}"));
}

/// Every byte goes through every S-box; random operands might miss some.
fn sboxes(harness: &mut Harness) {
    let parameters = harness.model().parameters.clone();
    let mut judge = Judge::new(&parameters);
    let ops = stimulus::ops(&parameters.on).into_iter();
    for op in ops.filter(|op| matches!(op.row().class, Class::Vaes | Class::Vsm4)) {
        for byte in 0..=255u8 {
            // The bytes of the state are consecutive, so that each byte reaches each S-box; with zero keys, so does SM4's first round.
            harness.registers.fill(0);
            let (vd, vs2) = (harness.registers.len() / 4, harness.registers.len() / 2);
            let state = std::array::from_fn::<u8, 16, _>(|k| byte.wrapping_add(k as u8));
            harness.registers[vd..vd + 16].copy_from_slice(&state);
            if op.name().contains("k") && !op.name().ends_with("vs") {
                harness.registers[vs2..vs2 + 16].copy_from_slice(&state);
            }
            let insn = word(op, |d| (d.rd, d.rs2, d.imm) = (8, 16, 0));
            let request = Request { insn, vtype: 2 << 3, vl: 4, ..Request::default() };
            compare(harness, &mut judge, &[request], &mut None, |_, _| {})
                .unwrap_or_else(|e| panic!("{e:#}"));
        }
    }
}

/// All checks of one configuration.
pub fn all(parameters: Parameters, programs: u64) {
    let Some(mut harness) = unit::harness(parameters) else { return };
    sboxes(&mut harness);
    cycles(&mut harness);
    random(&mut harness, programs);
    cleared::check(harness.model().parameters.clone(), programs / 50);
}

#[test]
fn the_unit_and_the_simulator_agree() {
    all(usual(), common::programs(1000));
}

#[test]
fn lint_is_clean() {
    let Some(verilator) = common::verilator() else { return };
    let source = Source::load(&["zvku"]).expect("the unit's sources");
    for parameters in widths().chain(single_extensions()) {
        lint(&verilator, &source, &parameters);
    }
}

fn lint(verilator: &Verilator, source: &Source, parameters: &Parameters) {
    let lint = parameters.design().lint(verilator, source, &common::directory());
    lint.unwrap_or_else(|e| panic!("{parameters:?}: {e:#}"));
}

#[test]
#[ignore = "minutes: make rtl-test"]
fn every_width_agrees_with_the_simulator() {
    for parameters in widths() {
        all(parameters, common::programs(1000));
    }
}

#[test]
#[ignore = "minutes: make rtl-test"]
fn every_single_extension_agrees_with_the_simulator() {
    for parameters in single_extensions() {
        all(parameters, common::programs(1000));
    }
}

#[test]
#[ignore = "minutes: make rtl-test"]
fn every_draft_agrees_with_the_simulator_in_every_width() {
    for draft in DRAFTS {
        for (vlen, dlen) in WIDTHS {
            all(Parameters { vlen, dlen, on: vec![draft] }, common::programs(200));
        }
    }
}

#[test]
#[ignore = "minutes: make rtl-test"]
fn without_any_one_extension_the_unit_agrees_with_the_simulator() {
    let Some(verilator) = common::verilator() else { return };
    let source = Source::load(&["zvku"]).expect("the unit's sources");
    for parameters in all_but_one() {
        lint(&verilator, &source, &parameters);
        all(parameters, common::programs(300));
    }
}
