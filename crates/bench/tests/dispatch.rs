//! Compares `cases/dispatch.toml` with the stock library: instruction counts distinguish the paths.

use capvec_bench::capset::{CapSet, Dispatch, Wanted, expand};
use capvec_bench::case::{Case, Operation, select};
use capvec_bench::run::Runner;
use capvec_bench::sweep::{self, Plan};
use capvec_guest::Program;
use capvec_isa::capability::openssl_known;
use capvec_timing::Core;
use std::collections::HashMap;

/// At least one case for each rule; larger parameters and RSA would take minutes and show the same.
const CASES: [&str; 5] = ["symmetric", "ec", "ml-kem-512", "ml-dsa-44", "slh-dsa-sha2-128f"];

/// The cases without their answers, which other tests check; SLH-DSA only with its fast operation.
fn cases() -> Vec<Case> {
    let mut cases = select(&CASES.map(String::from)).unwrap();
    for c in &mut cases {
        (c.answer, c.pattern, c.repeats) = (Vec::new(), Vec::new(), Some(2));
        if c.family == "slh-dsa" {
            c.operations = vec![Operation::Keygen];
        }
    }
    cases
}

/// The case as it is measured: the digest to sign is given, so the hash that the case names affects only its answers.
fn as_measured(case: &Case) -> Case {
    let mut measured = case.clone();
    if case.operations.contains(&Operation::Sign) {
        measured.parameter.clear();
    }
    measured
}

/// Instructions for one operation, by case, operation and set.
type Counts = HashMap<(String, String, String), f64>;

fn measure(wanted: Vec<Wanted>, cases: Vec<Case>) -> Counts {
    let core = Core::load("ideal").unwrap();
    let vlens = vec![core.vlen];
    let runner =
        Runner::new(core, "trixie-riscv64", &[Program::Measure, Program::MeasureEach], &mut |_| ())
            .unwrap();
    let plan = Plan { cases, wanted, vlens, bytes: vec![1024], ..Plan::default() };
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    let rows = swept.rows.into_iter();
    rows.map(|r| ((r.case, r.direction, r.capset), r.insns_per_op.expect("a figure"))).collect()
}

/// A dispatch that tests capabilities in another order retires a few more instructions, at most one or two for each block.
fn same_path(a: f64, b: f64) -> bool {
    (a - b).abs() <= (0.005 * b).max(24.0)
}

/// The largest relative change of instructions by a slight rule (`cases/dispatch.toml`).
const SLIGHT: f64 = 0.02;

/// Without the extensions that the rules name, every case takes the portable path; with all of them, it takes another one.
/// Slight rules change the count a little, but do change it.
#[test]
fn the_rules_name_exactly_the_extensions_that_change_the_path() {
    let dispatch = Dispatch::load().unwrap();
    let isa = Core::load("ideal").unwrap().isa;
    let cases = cases();
    let mut wanted = expand(&["scalar".into(), "full".into()], &cases, &isa).unwrap();
    let (mut without, mut slight): (Vec<String>, Vec<Option<String>>) = Default::default();
    let mut want = |capset: CapSet, i: usize| {
        let name = capset.name.clone();
        match wanted.iter_mut().find(|w| w.capset.same_as(&capset)) {
            Some(w) => {
                w.cases.push(i);
                w.capset.name.clone()
            }
            None => {
                wanted.push(Wanted { capset, cases: vec![i] });
                name
            }
        }
    };
    for (i, case) in cases.iter().enumerate() {
        let relevant = dispatch.relevant(case);
        // Also leaves out extensions that imply a relevant one: every vector extension implies V.
        let idle = |name: &&str| !CapSet::parse(name, &isa).unwrap().expected.intersects(relevant);
        let rest: Vec<&str> = openssl_known().map(|e| e.name()).filter(idle).collect();
        let capset = CapSet::parse(&rest.join("_"), &isa).unwrap();
        assert!(!capset.expected.intersects(relevant), "{}: implied", case.id);
        without.push(want(capset, i));
        let names: Vec<&str> = dispatch.slight(case).iter().map(|e| e.name()).collect();
        let only = |names: &str| want(CapSet::parse(names, &isa).unwrap(), i);
        slight.push((!names.is_empty()).then(|| names.join("_")).as_deref().map(only));
    }
    let counts = measure(wanted, cases.clone());
    for ((case, rest), slight) in cases.iter().zip(&without).zip(&slight) {
        let (mut differs, mut shows) = (false, false);
        for operation in &case.operations {
            let of = |set: &str| {
                counts[&(case.id.clone(), operation.name().to_string(), set.to_string())]
            };
            let (scalar, full, rest) = (of("scalar"), of("full"), of(rest));
            let what = format!("{} {}", case.id, operation.name());
            assert!(
                same_path(rest, scalar),
                "{what}: {rest} without the named extensions, {scalar} scalar"
            );
            let little = slight.as_deref().map_or(scalar, of);
            let change = (little - scalar).abs() / scalar;
            assert!(
                change <= SLIGHT,
                "{what}: {little} with the slight extensions, {scalar} scalar"
            );
            differs |= !same_path(full, little);
            // A change of at least one call of AES, which is more than testing capabilities in another order costs.
            shows |= (little - scalar).abs() > 24.0;
        }
        assert_eq!(differs, !dispatch.strict(&as_measured(case)).is_empty(), "{}", case.id);
        assert_eq!(shows, slight.is_some(), "{}: a slight rule without effect", case.id);
    }
}
