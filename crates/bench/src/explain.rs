//! By case: how the best capability set is reached, and what each extension adds.
//!
//! Works on what was measured, and so says more the more sets there are. A chain begins at scalar and takes, again
//! and again, the extension (with what it implies) that makes the case fastest; where no single one helps, as few
//! together as do.

mod effects;
mod show;

pub use effects::{Company, Effect, Unmeasured};
pub(crate) use show::sections;

use crate::best::{SAME_SPEED, best, groups};
use crate::capset::{CapSet, brings};
use crate::record::Row;
use capvec_isa::ExtSet;
use effects::Judged;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// One link of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// Extensions that were added, without what they imply.
    pub adds: Vec<String>,
    /// The set that this gives.
    pub capset: String,
    /// Its modelled speed in operations per second.
    pub ops_per_s: f64,
    /// In 1000 bytes per second, if the operation has a message.
    #[serde(rename = "kBps")]
    pub kbps: Option<f64>,
    /// Over the step before.
    pub factor: f64,
}

/// How the best set of a case is reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Explanation {
    /// Vector register length in bits.
    pub vlen: u32,
    /// Case.
    pub case: String,
    /// What is done: `enc`, `sign`, …
    pub direction: String,
    /// Message size in bytes; 0 where there is no message.
    pub bytes: usize,
    /// Speed without any capability, in operations per second.
    pub scalar_ops_per_s: f64,
    /// In 1000 bytes per second, if the operation has a message.
    #[serde(rename = "scalar_kBps")]
    pub scalar_kbps: Option<f64>,
    /// The smallest set that reaches the best speed.
    pub best: String,
    /// Where the chain ends.
    pub reached: Reached,
    /// The chain.
    pub steps: Vec<Step>,
    /// What each extension does, as far as it was measured.
    pub effects: Vec<Effect>,
    /// What was not measured of extensions that the dispatch asks for.
    pub unmeasured: Vec<Unmeasured>,
    /// Number of other extensions of the measured sets that were not measured by themselves.
    pub others: usize,
}

/// Where a chain ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reached {
    /// At the smallest set of the best speed, or that stands on the way.
    Best,
    /// At another set of the best speed.
    AnotherSet,
    /// At a slower set.
    #[default]
    No,
}

/// By case, the sets of extensions that rules of the dispatch name: on each, all of it is asked for together.
pub type Rules = HashMap<String, Vec<ExtSet>>;

/// A measured set, as what the library was to see of it.
struct Node<'a> {
    set: ExtSet,
    name: &'a str,
    ops_per_s: f64,
    kbps: Option<f64>,
}

/// Explains every case of `rows` of which scalar was measured and every set gave figures.
pub fn explanations(rows: &[Row], capsets: &[CapSet], rules: &Rules) -> Vec<Explanation> {
    // Of two sets that are the same to the library, the smaller stands for both.
    let mut order: Vec<&CapSet> = capsets.iter().filter(|c| !c.is_verbatim()).collect();
    order.sort_by_key(|c| c.size());
    let groups = groups(rows.iter(), |r| (r.vlen, r.case.clone(), r.direction.clone(), r.bytes));
    groups.iter().filter_map(|g| explain(g, &order, capsets, rules)).collect()
}

fn explain(
    rows: &[&Row],
    order: &[&CapSet],
    capsets: &[CapSet],
    rules: &Rules,
) -> Option<Explanation> {
    let by_name: HashMap<&str, &Row> = rows.iter().map(|r| (r.capset.as_str(), *r)).collect();
    let mut nodes: Vec<Node> = Vec::new();
    for c in order {
        if let Some(row) = by_name.get(c.name.as_str())
            && let Some(ops_per_s) = row.ops_per_s
            && !nodes.iter().any(|n| n.set == c.expected)
        {
            nodes.push(Node { set: c.expected, name: &c.name, ops_per_s, kbps: row.kbps });
        }
    }
    let scalar = nodes.iter().position(|n| n.set.is_empty())?;
    let best = best(rows, capsets)?;
    let steps = chain(&nodes, scalar);
    let asked = rules.get(&best.case).map_or(&[][..], Vec::as_slice);
    let Judged { effects, unmeasured, others } = effects::judge(&nodes, asked);
    let reached = reached(&nodes[scalar], &steps, best);
    Some(Explanation {
        vlen: best.vlen,
        case: best.case.clone(),
        direction: best.direction.clone(),
        bytes: best.bytes,
        scalar_ops_per_s: nodes[scalar].ops_per_s,
        scalar_kbps: nodes[scalar].kbps,
        best: best.capset.clone(),
        reached,
        steps,
        effects,
        unmeasured,
        others,
    })
}

fn reached(scalar: &Node, steps: &[Step], best: &Row) -> Reached {
    let end = steps.last().map_or(scalar.ops_per_s, |s| s.ops_per_s);
    let names = [scalar.name].into_iter().chain(steps.iter().map(|s| s.capset.as_str()));
    match best.ops_per_s {
        _ if names.into_iter().any(|n| n == best.capset) => Reached::Best,
        Some(most) if end >= most * (1.0 - SAME_SPEED) => Reached::AnotherSet,
        _ => Reached::No,
    }
}

/// What is in `to` and not in `from`, without what others of that bring.
fn added(from: ExtSet, to: ExtSet) -> ExtSet {
    let new = to.minus(from);
    let brought = new
        .iter()
        .fold(ExtSet::EMPTY, |all, e| all.union(brings(ExtSet::of(&[e])).minus(ExtSet::of(&[e]))));
    new.minus(brought)
}

/// Of measured sets with their speeds those that are faster than `now`, by their places; of two that bring the same, one
/// within the other, the smaller.
pub fn helpful(now: f64, sets: &[(ExtSet, f64)]) -> Vec<usize> {
    let faster = |speed: f64| speed > now * (1.0 + SAME_SPEED);
    let needless = |set: ExtSet, speed: f64| {
        sets.iter().any(|(other, s)| {
            *other != set && set.contains(*other) && *s >= speed * (1.0 - SAME_SPEED)
        })
    };
    let kept = sets.iter().enumerate().filter(|(_, (set, s))| faster(*s) && !needless(*set, *s));
    kept.map(|(i, _)| i).collect()
}

fn chain(nodes: &[Node], scalar: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = &nodes[scalar];
    loop {
        let count = |n: &Node| added(at.set, n.set).iter().count();
        let above: Vec<&Node> =
            nodes.iter().filter(|n| n.set != at.set && n.set.contains(at.set)).collect();
        let sets: Vec<(ExtSet, f64)> = above.iter().map(|n| (n.set, n.ops_per_s)).collect();
        let helpful = helpful(at.ops_per_s, &sets);
        let candidates: Vec<&Node> =
            helpful.iter().filter_map(|i| above.get(*i).copied()).collect();
        let Some(fewest) = candidates.iter().map(|n| count(n)).min() else { return steps };
        let candidates: Vec<&Node> =
            candidates.into_iter().filter(|n| count(n) == fewest).collect();
        let most = candidates.iter().map(|n| n.ops_per_s).fold(0.0, f64::max);
        let small = candidates
            .into_iter()
            .filter(|n| n.ops_per_s >= most * (1.0 - SAME_SPEED))
            .min_by_key(|n| n.set.iter().count());
        let Some(next) = small else { return steps };
        steps.push(Step {
            adds: added(at.set, next.set).iter().map(|e| e.name().into()).collect(),
            capset: next.name.into(),
            ops_per_s: next.ops_per_s,
            kbps: next.kbps,
            factor: next.ops_per_s / at.ops_per_s,
        });
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::best::tests::row;
    use capvec_isa::Ext;

    /// Rows of a case whose cost is a function of the set.
    fn measured(names: &[&str], cost: impl Fn(ExtSet) -> f64) -> (Vec<Row>, Vec<CapSet>) {
        let isa = "rv64gcv".parse().unwrap();
        let sets: Vec<CapSet> = names.iter().map(|n| CapSet::parse(n, &isa).unwrap()).collect();
        let rows = sets.iter().map(|s| row("x", &s.name, 64, cost(s.expected))).collect();
        (rows, sets)
    }

    /// Of the case x.
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

    /// Of sha256's rule alone, what is said depends on what was measured.
    #[test]
    fn what_helps_in_company_only_is_not_called_idle() {
        let both = |s: ExtSet| if s.has(Ext::Zvkb) && s.has(Ext::Zvknha) { 10.0 } else { 100.0 };
        let rule = rules(&[&[Ext::Zvkb, Ext::Zvknha]]);
        let told = |names: &[&str]| {
            let (rows, sets) = measured(names, both);
            let e = explanations(&rows, &sets, &rule).remove(0);
            (e.idle(), e.together(), e.missing())
        };
        // Nothing was added to nothing but what zba is.
        let (idle, together, missing) = told(&["scalar", "zba", "zvkb_zvknha"]);
        assert_eq!((idle.as_str(), together.as_str()), ("zba (on scalar)", "–"));
        assert_eq!(missing, "zvkb with zvknha, zvknha with zvkb, and 1 other");
        // Zvkb alone, on scalar, is not all that there is to it.
        let (idle, together, missing) = told(&["scalar", "v", "zvkb", "zvkb_zbb"]);
        assert_eq!((idle.as_str(), together.as_str()), ("v (on scalar), zbb (on zvkb)", "–"));
        assert_eq!(missing, "zvkb with zvknha");
        // With the pair, it is told what it needs.
        let (idle, together, missing) = told(&["scalar", "zvkb", "zvknha", "zvkb_zvknha"]);
        assert_eq!(idle, "–");
        assert_eq!(together, "zvkb with zvknha, zvknha with zvkb");
        assert_eq!(missing, "1 other");
        // What brings the one stands for it.
        let (_, together, _) = told(&["scalar", "zvbb", "zvknha", "zvbb_zvknha"]);
        assert_eq!(together, "zvbb with zvknha, zvknha with zvkb");
    }

    #[test]
    fn extensions_that_help_only_together_are_one_step() {
        let both = |s: ExtSet| if s.has(Ext::Zvkb) && s.has(Ext::Zvknha) { 10.0 } else { 100.0 };
        let sets = ["scalar", "v", "zvkb", "zvbb", "zvknha", "zvkb_zvknha", "zvbb_zvknhb", "full"];
        let e = one(&sets, both);
        assert_eq!(adds(&e), ["zvkb zvknha"]);
        assert_eq!(e.best, "zvkb_zvknha");
        // V was added to scalar alone; the others help somewhere.
        assert!(
            e.idle().starts_with("v (on scalar)") && !e.idle().contains("zvknha"),
            "{}",
            e.idle()
        );
    }

    #[test]
    fn what_slows_is_told_and_a_chain_may_miss_the_best() {
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
        // One helps by itself, two others together just as much; they imply fewer extensions.
        let cost = |s: ExtSet| {
            let scalar = s.has(Ext::Zknd) && s.has(Ext::Zkne);
            if s.has(Ext::Zvkned) || scalar { 10.0 } else { 100.0 }
        };
        let e = one(&["scalar", "zvkned", "zknd_zkne"], cost);
        assert_eq!((adds(&e), e.best.as_str()), (vec!["zvkned".to_string()], "zknd_zkne"));
        assert_eq!(e.reached, Reached::AnotherSet);
        // What stands on the way is on the chain, though a later set is a little faster.
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
            (r.bytes, r.kbps, r.direction) = (0, None, "sign".into());
        }
        rows.extend(measured(&["scalar", "zba", "zvkned"], |_| 1.0).0);
        let all = explanations(&rows, &sets, &rules(&[]));
        assert_eq!(all.len(), 2);
        assert_eq!((adds(&all[0]), all[0].best.as_str()), (vec!["zvkned".into()], "zvkned"));
        let sections = sections(&rows, &all);
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
        assert!(sections(&rows, &[]).is_empty());
    }
}
