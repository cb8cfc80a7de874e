//! By case: how the best capability set is reached, and what each extension adds.
//!
//! Works on what was measured, and so says more the more sets there are. A chain begins at scalar and takes, again
//! and again, the extension (with what it implies) that makes the case fastest; where no single one helps, as few
//! together as do.

use crate::best::{SAME_SPEED, best, groups, several};
use crate::capset::{CapSet, brings};
use crate::grid::{Grid, Section, fixed};
use crate::operations::rate;
use crate::record::Row;
use capvec_isa::{Ext, ExtSet};
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

/// What one extension does to a case, over every measured set to which it can be added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Effect {
    /// The extension.
    pub extension: String,
    /// Number of measured sets to which it was added.
    pub pairs: usize,
    /// Smallest factor on the speed.
    pub least: f64,
    /// Largest.
    pub most: f64,
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
    /// Whether the chain ends at the best speed.
    pub reached: bool,
    /// The chain.
    pub steps: Vec<Step>,
    /// What each extension does.
    pub effects: Vec<Effect>,
}

/// A measured set, as what the library was to see of it.
struct Node<'a> {
    set: ExtSet,
    name: &'a str,
    ops_per_s: f64,
    kbps: Option<f64>,
}

/// Explains every case of `rows` of which scalar was measured and every set gave figures.
pub fn explanations(rows: &[Row], capsets: &[CapSet]) -> Vec<Explanation> {
    // Of two sets that are the same to the library, the smaller stands for both.
    let mut order: Vec<&CapSet> = capsets.iter().filter(|c| !c.is_verbatim()).collect();
    order.sort_by_key(|c| c.size());
    let groups = groups(rows.iter(), |r| (r.vlen, r.case.clone(), r.direction.clone(), r.bytes));
    groups.iter().filter_map(|g| explain(g, &order, capsets)).collect()
}

fn explain(rows: &[&Row], order: &[&CapSet], capsets: &[CapSet]) -> Option<Explanation> {
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
    let end = steps.last().map_or(nodes[scalar].ops_per_s, |s| s.ops_per_s);
    Some(Explanation {
        vlen: best.vlen,
        case: best.case.clone(),
        direction: best.direction.clone(),
        bytes: best.bytes,
        scalar_ops_per_s: nodes[scalar].ops_per_s,
        scalar_kbps: nodes[scalar].kbps,
        best: best.capset.clone(),
        reached: best.ops_per_s.is_some_and(|k| end >= k * (1.0 - SAME_SPEED)),
        steps,
        effects: effects(&nodes),
    })
}

/// What is in `to` and not in `from`, without what others of that bring.
fn added(from: ExtSet, to: ExtSet) -> ExtSet {
    let new = to.minus(from);
    let brought = new
        .iter()
        .fold(ExtSet::EMPTY, |all, e| all.union(brings(ExtSet::of(&[e])).minus(ExtSet::of(&[e]))));
    new.minus(brought)
}

fn chain(nodes: &[Node], scalar: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = &nodes[scalar];
    loop {
        let faster = |n: &&Node| {
            n.set != at.set
                && n.set.contains(at.set)
                && n.ops_per_s > at.ops_per_s * (1.0 + SAME_SPEED)
        };
        let count = |n: &Node| added(at.set, n.set).iter().count();
        let candidates: Vec<&Node> = nodes.iter().filter(faster).collect();
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

fn effects(nodes: &[Node]) -> Vec<Effect> {
    let speed: HashMap<ExtSet, f64> = nodes.iter().map(|n| (n.set, n.ops_per_s)).collect();
    let all = nodes.iter().fold(ExtSet::EMPTY, |s, n| s.union(n.set));
    let effect = |e: Ext| {
        let own = brings(ExtSet::of(&[e]));
        let without = nodes.iter().filter(|n| !n.set.has(e));
        let factors: Vec<f64> =
            without.filter_map(|n| Some(speed.get(&n.set.union(own))? / n.ops_per_s)).collect();
        (!factors.is_empty()).then(|| Effect {
            extension: e.name().into(),
            pairs: factors.len(),
            least: factors.iter().copied().fold(f64::INFINITY, f64::min),
            most: factors.iter().copied().fold(0.0, f64::max),
        })
    };
    all.iter().filter_map(effect).collect()
}

impl Explanation {
    fn matching(&self, f: impl Fn(&Effect) -> bool, show: impl Fn(&Effect) -> String) -> String {
        let found: Vec<String> = self.effects.iter().filter(|e| f(e)).map(show).collect();
        if found.is_empty() { "–".into() } else { found.join(" ") }
    }

    /// Extensions that never changed the speed.
    fn idle(&self) -> String {
        let idle = |e: &Effect| e.least >= 1.0 - SAME_SPEED && e.most <= 1.0 + SAME_SPEED;
        self.matching(idle, |e| e.extension.clone())
    }

    /// Extensions that cost speed somewhere, with the worst factor.
    fn slowing(&self) -> String {
        let slows = |e: &Effect| e.least < 1.0 - SAME_SPEED;
        self.matching(slows, |e| format!("{} ({:.2})", e.extension, e.least))
    }
}

/// What the columns mean.
const LEGEND: &str = "\
From scalar on, each line adds the extension that helps most, or as few together as help. factor: over the line before.
adds nothing: no measured set became faster or slower by it, within 0.5 %. slows: the worst factor on a measured set.
";

/// The chains and what adds nothing, with what the columns mean: of messages of the largest size, encryption, then of
/// operations without a message. Empty without explanations.
pub(crate) fn sections(rows: &[Row], explanations: &[Explanation]) -> Vec<Section> {
    let largest = explanations.iter().map(|e| e.bytes).max().unwrap_or(0);
    let vlens = several(rows, |r| r.vlen);
    let sized = |e: &&Explanation| e.bytes > 0 && e.bytes == largest && e.direction == "enc";
    let messages: Vec<_> = explanations.iter().filter(sized).collect();
    let operations: Vec<_> = explanations.iter().filter(|e| e.bytes == 0).collect();
    let sorts = [messages, operations];
    sorts.iter().filter(|s| !s.is_empty()).flat_map(|s| pair(s, vlens)).collect()
}

/// The two tables of explanations that all have a message or all have none.
fn pair(shown: &[&Explanation], vlens: bool) -> [Section; 2] {
    let operations = shown.iter().all(|e| e.bytes == 0);
    let line = |first: [String; 3], rest: Vec<String>| {
        let [case, operation, vlen] = first;
        let mut cells = vec![case];
        cells.extend(vlens.then_some(vlen));
        cells.extend(operations.then_some(operation));
        cells.extend(rest);
        cells
    };
    let of = |e: &Explanation| [e.case.clone(), e.direction.clone(), e.vlen.to_string()];
    let head = |words: &[&str]| {
        line(
            ["case", "operation", "VLEN"].map(String::from),
            words.iter().map(|w| w.to_string()).collect(),
        )
    };
    let unit = if operations { "ops/s" } else { "kB/s" };
    let speed = |ops_per_s: f64, kbps: Option<f64>| match operations {
        true => rate(Some(ops_per_s)),
        false => fixed(kbps, 1),
    };
    let mut chains = Grid { head: head(&["adds", unit, "factor", "speed-up"]), body: Vec::new() };
    let words = ["best capability set", "on the chain", "adds nothing", "slows"];
    let mut verdicts = Grid { head: head(&words), body: Vec::new() };
    for e in shown {
        let first = speed(e.scalar_ops_per_s, e.scalar_kbps);
        chains.body.push(line(of(e), vec!["scalar".into(), first, "–".into(), "–".into()]));
        for s in &e.steps {
            let factors = [s.factor, s.ops_per_s / e.scalar_ops_per_s].map(|v| fixed(Some(v), 2));
            let cells = [format!("+ {}", s.adds.join(" ")), speed(s.ops_per_s, s.kbps)];
            chains.body.push(line(of(e), cells.into_iter().chain(factors).collect()));
        }
        let reached = if e.reached { "yes" } else { "no" };
        let cells = vec![e.best.clone(), reached.into(), e.idle(), e.slowing()];
        verdicts.body.push(line(of(e), cells));
    }
    [
        Section { title: "What each extension adds", grid: chains, legend: "" },
        Section { title: "Smallest set, and what adds nothing", grid: verdicts, legend: LEGEND },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::best::tests::row;

    /// Rows of a case whose cost is a function of the set.
    fn measured(names: &[&str], cost: impl Fn(ExtSet) -> f64) -> (Vec<Row>, Vec<CapSet>) {
        let isa = "rv64gcv".parse().unwrap();
        let sets: Vec<CapSet> = names.iter().map(|n| CapSet::parse(n, &isa).unwrap()).collect();
        let rows = sets.iter().map(|s| row("x", &s.name, 64, cost(s.expected))).collect();
        (rows, sets)
    }

    fn one(names: &[&str], cost: impl Fn(ExtSet) -> f64) -> Explanation {
        let (rows, sets) = measured(names, cost);
        explanations(&rows, &sets).remove(0)
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
        assert_eq!((e.best.as_str(), e.reached), ("zvkg_zvkned", true));
        assert!((e.steps[0].factor - 900.0 / 310.0).abs() < 1e-9);
        assert_eq!(e.idle(), "zba");
    }

    #[test]
    fn extensions_that_help_only_together_are_one_step() {
        let both = |s: ExtSet| if s.has(Ext::Zvkb) && s.has(Ext::Zvknha) { 10.0 } else { 100.0 };
        let sets = ["scalar", "v", "zvkb", "zvbb", "zvknha", "zvkb_zvknha", "zvbb_zvknhb", "full"];
        let e = one(&sets, both);
        assert_eq!(adds(&e), ["zvkb zvknha"]);
        assert_eq!(e.best, "zvkb_zvknha");
        // V was added to scalar alone; the others help somewhere.
        assert!(e.idle().contains('v') && !e.idle().contains("zvknha"), "{}", e.idle());
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
        assert!(!explanations(&rows, &sets)[0].reached);
    }

    #[test]
    fn operations_without_a_message_are_explained_too() {
        let cost = |s: ExtSet| if s.has(Ext::Zvkned) { 10.0 } else { 25.0 };
        let (mut rows, sets) = measured(&["scalar", "zba", "zvkned"], cost);
        for r in &mut rows {
            (r.bytes, r.kbps, r.direction) = (0, None, "sign".into());
        }
        rows.extend(measured(&["scalar", "zba", "zvkned"], |_| 1.0).0);
        let all = explanations(&rows, &sets);
        assert_eq!(all.len(), 2);
        assert_eq!((adds(&all[0]), all[0].best.as_str()), (vec!["zvkned".into()], "zvkned"));
        let sections = sections(&rows, &all);
        assert_eq!(sections.len(), 4);
        let chain = &sections[2].grid;
        assert_eq!(chain.head[1..4], ["operation", "adds", "ops/s"]);
        assert_eq!(chain.body[1], ["x", "sign", "+ zvkned", "100000.0", "2.50", "2.50"]);
        assert!(sections[3].grid.body[0].contains(&"zba".to_string()));
    }

    #[test]
    fn without_scalar_nothing_is_explained() {
        let (rows, sets) = measured(&["zbb", "zbc"], |_| 1.0);
        assert!(explanations(&rows, &sets).is_empty());
        assert!(sections(&rows, &[]).is_empty());
    }
}
