//! Chains and effects, with made-up costs.

use super::*;
use crate::compute::explain::{Rules, explanations};
use crate::sets::exts;
use crate::testing::{row, set};
use crate::{ConfigurationRecord, Reached, Record, Row};
use capvec_isa::{Ext, ExtSet};

/// Rows of a case whose cost is a function of the set.
fn measured(names: &[&str], cost: impl Fn(ExtSet) -> f64) -> (Vec<Row>, Vec<ConfigurationRecord>) {
    let sets: Vec<ConfigurationRecord> = names.iter().map(|n| set(n)).collect();
    let cost = |s: &ConfigurationRecord| cost(exts(&s.expected));
    let rows = sets.iter().map(|s| row("x", &s.capset, 64, cost(s))).collect();
    (rows, sets)
}

/// The rules of the case x.
fn rules(paths: &[&[Ext]]) -> Rules {
    [("x".to_string(), paths.iter().map(|p| p.iter().copied().collect()).collect())].into()
}

fn one(names: &[&str], cost: impl Fn(ExtSet) -> f64) -> Explanation {
    let (rows, sets) = measured(names, cost);
    explanations(&rows, &sets, &rules(&[])).remove(0)
}

fn adds(e: &Explanation) -> Vec<String> {
    e.steps.iter().map(|s| s.adds.join(" ")).collect()
}

#[test]
fn the_chain_takes_what_helps_most_first() {
    let cost = |s: ExtSet| {
        let part = |e, with: f64, without: f64| if s.has(e) { with } else { without };
        part(Ext::Zvkned, 10.0, 600.0) + part(Ext::Zvkg, 5.0, 300.0)
    };
    let e = one(&["scalar", "zba", "zvkg", "zvkned", "zvkg_zvkned", "full"], cost);
    assert_eq!(adds(&e), ["zvkned", "zvkg"]);
    assert_eq!((e.best.as_str(), e.reached), ("zvkg_zvkned", Reached::Best));
    assert!((e.steps[0].factor - 900.0 / 310.0).abs() < 1e-9);
    assert_eq!(e.idle(), "zba (on scalar)");
}

/// With the rule of sha256 alone, the explanation depends on what was measured.
#[test]
fn an_extension_that_helps_only_together_is_not_called_idle() {
    let both = |s: ExtSet| if s.has(Ext::Zvkb) && s.has(Ext::Zvknha) { 10.0 } else { 100.0 };
    let rule = rules(&[&[Ext::Zvkb, Ext::Zvknha]]);
    let explained = |names: &[&str]| {
        let (rows, sets) = measured(names, both);
        let e = explanations(&rows, &sets, &rule).remove(0);
        (e.idle(), e.together(), e.missing())
    };
    // Zba was added to scalar only.
    let (idle, together, missing) = explained(&["scalar", "zba", "zvkb_zvknha"]);
    assert_eq!((idle.as_str(), together.as_str()), ("zba (on scalar)", "–"));
    assert_eq!(missing, "zvkb with zvknha, zvknha with zvkb, and 1 other");
    // Adding Zvkb alone to scalar does not show its whole effect.
    let (idle, together, missing) = explained(&["scalar", "v", "zvkb", "zvkb_zbb"]);
    assert_eq!((idle.as_str(), together.as_str()), ("v (on scalar), zbb (on zvkb)", "–"));
    assert_eq!(missing, "zvkb with zvknha");
    // With the pair measured, it is known what each needs.
    let (idle, together, missing) = explained(&["scalar", "zvkb", "zvknha", "zvkb_zvknha"]);
    assert_eq!(idle, "–");
    assert_eq!(together, "zvkb with zvknha, zvknha with zvkb");
    assert_eq!(missing, "1 other");
    // An extension that implies the companion may take its place.
    let (_, together, _) = explained(&["scalar", "zvbb", "zvknha", "zvbb_zvknha"]);
    assert_eq!(together, "zvbb with zvknha, zvknha with zvkb");
}

#[test]
fn extensions_that_help_only_together_are_one_step() {
    let both = |s: ExtSet| if s.has(Ext::Zvkb) && s.has(Ext::Zvknha) { 10.0 } else { 100.0 };
    let sets = ["scalar", "v", "zvkb", "zvbb", "zvknha", "zvkb_zvknha", "zvbb_zvknhb", "full"];
    let e = one(&sets, both);
    assert_eq!(adds(&e), ["zvkb zvknha"]);
    assert_eq!(e.best, "zvkb_zvknha");
    // V was added to scalar alone; the others help in some pair.
    assert!(e.idle().starts_with("v (on scalar)") && !e.idle().contains("zvknha"), "{}", e.idle());
}

#[test]
fn slowdowns_are_reported_and_a_chain_may_miss_the_best_set() {
    let cost = |s: ExtSet| match (s.has(Ext::Zbc), s.has(Ext::Zbb)) {
        (true, true) => 80.0,
        (true, false) => 50.0,
        (false, true) => 40.0,
        _ => 100.0,
    };
    let e = one(&["scalar", "zbb", "zbc", "zbb_zbc"], cost);
    assert_eq!(adds(&e), ["zbb"]);
    assert_eq!(e.slowing(), "zbb (0.62) zbc (0.50)");
    let (rows, sets) = measured(&["scalar", "zbc", "zbb_zbkb"], |s| {
        if s.has(Ext::Zbb) {
            10.0
        } else if s.has(Ext::Zbc) {
            50.0
        } else {
            100.0
        }
    });
    assert_eq!(explanations(&rows, &sets, &rules(&[]))[0].reached, Reached::No);
}

#[test]
fn a_set_as_fast_as_the_best_is_another_one() {
    // One extension helps alone, two others help as much together; the two imply fewer extensions.
    let cost = |s: ExtSet| {
        let scalar = s.has(Ext::Zknd) && s.has(Ext::Zkne);
        if s.has(Ext::Zvkned) || scalar { 10.0 } else { 100.0 }
    };
    let e = one(&["scalar", "zvkned", "zknd_zkne"], cost);
    assert_eq!((adds(&e), e.best.as_str()), (vec!["zvkned".to_string()], "zknd_zkne"));
    assert_eq!(e.reached, Reached::AnotherSet);
    // A set that the chain passes is reported as reached, though a later set is a little faster.
    let cost = |s: ExtSet| match (s.has(Ext::Zvkned), s.has(Ext::Zvkg)) {
        (false, _) => 100.0,
        (true, false) => 10.0,
        (true, true) => 9.94,
    };
    let e = one(&["scalar", "zvkned", "zvkg_zvkned"], cost);
    assert_eq!(e.reached, Reached::Best, "{}", e.best);
}

#[test]
fn operations_without_a_message_are_explained_too() {
    let cost = |s: ExtSet| if s.has(Ext::Zvkned) { 10.0 } else { 25.0 };
    let (mut rows, sets) = measured(&["scalar", "zba", "zvkned"], cost);
    for r in &mut rows {
        (r.bytes, r.direction) = (0, "sign".into());
    }
    rows.extend(measured(&["scalar", "zba", "zvkned"], |_| 1.0).0);
    let all = explanations(&rows, &sets, &rules(&[]));
    assert_eq!(all.len(), 2);
    assert_eq!((adds(&all[0]), all[0].best.as_str()), (vec!["zvkned".into()], "zvkned"));
    let record = Record { rows, ..Record::default() }.evaluate().unwrap();
    let sections = sections(&Evaluated { explanations: all, ..record });
    assert_eq!(sections.len(), 4);
    let chain = &sections[2].grid;
    assert_eq!(chain.head[1..4], ["operation", "adds", "ops/s"]);
    assert_eq!(chain.body[1], ["x", "sign", "+ zvkned", "100000.0", "2.50", "2.50"]);
    assert!(sections[3].grid.body[0].contains(&"zba (on scalar)".to_string()));
}

#[test]
fn without_scalar_nothing_is_explained() {
    let (rows, sets) = measured(&["zbb", "zbc"], |_| 1.0);
    assert!(explanations(&rows, &sets, &rules(&[])).is_empty());
    assert!(sections(&Record { rows, ..Record::default() }.evaluate().unwrap()).is_empty());
}
