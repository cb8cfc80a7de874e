//! For each case, how the best capability set is reached, and what each extension adds.
//!
//! Only measured sets count, so more sets explain more. A chain begins at scalar and repeatedly adds the extension
//! (with what it implies) that makes the case fastest; where no single extension helps, it adds the smallest group that
//! does.

mod effects;
mod node;
mod old;

use crate::best::{KnownSets, SAME_SPEED, best, groups, operation};
use crate::sets::{Sets, exts};
use crate::{ConfigurationRecord, Explanation, Reached, Record, Row, Step};
use capvec_isa::capability::openssl_closed;
use capvec_isa::{Ext, ExtSet};
use effects::Judged;
pub(crate) use effects::idle;
use node::Node;
use std::collections::{HashMap, HashSet};

/// For each case, the sets of extensions that rules of the dispatch name, each as a whole.
pub(crate) type Rules = HashMap<String, Vec<ExtSet>>;

/// Sets of one case are compared with each other, pair by pair. The largest families have hundreds; a case with more than this
/// is not explained.
const MOST_SETS: usize = 2048;
/// Every extension is looked up in every rule. A case has a few dozen; more than this are ignored.
const MOST_RULES: usize = 256;

/// The explanations of a record whose command asked for them; `stored` are those of its file.
pub fn of(record: &Record, stored: &[Explanation]) -> Vec<Explanation> {
    if record.dispatch.is_empty() && stored.is_empty() {
        return Vec::new();
    }
    let rule = |names: &Vec<String>| names.iter().filter_map(|n| Ext::from_name(n)).collect();
    let rules = |(case, all): (&String, &Vec<Vec<String>>)| {
        (case.clone(), all.iter().take(MOST_RULES).map(rule).collect::<Vec<ExtSet>>())
    };
    let rules: Rules = record.dispatch.iter().map(rules).collect();
    let mut all = explanations(&record.rows, &record.configurations, &rules);
    if rules.is_empty() {
        old::keep_rules(&mut all, stored);
    }
    all
}

/// Explains every case of `rows` for which scalar was measured and every set has figures.
pub(crate) fn explanations(
    rows: &[Row],
    sets: &[ConfigurationRecord],
    rules: &Rules,
) -> Vec<Explanation> {
    let (of, known) = (Sets::of(sets), KnownSets::of(sets));
    let groups = groups(rows.iter(), |r| operation(r));
    groups.iter().filter_map(|g| explain(g, &of, &known, rules)).collect()
}

/// The sets of these rows. Of two that look the same to the library, the smaller represents both.
fn nodes<'a>(rows: &[&'a Row], sets: &Sets<'a>) -> Vec<Node<'a>> {
    let known = rows.iter().filter_map(|r| Some((*r, sets.listed(r)?)));
    let mut known: Vec<(&Row, &ConfigurationRecord)> = known.filter(|(_, c)| !c.verbatim).collect();
    known.sort_by_cached_key(|(_, c)| c.size());
    let mut seen = HashSet::new();
    let node = |(r, c): (&'a Row, &'a ConfigurationRecord)| {
        let ops_per_s = r.ops_per_s.filter(|s| *s > 0.0)?;
        Some(Node { set: exts(&c.expected), name: &c.capset, ops_per_s, kbps: r.kbps() })
    };
    known.into_iter().filter_map(node).filter(|n| seen.insert(n.set)).collect()
}

fn explain(rows: &[&Row], of: &Sets, sets: &KnownSets, rules: &Rules) -> Option<Explanation> {
    let nodes = nodes(rows, of);
    if nodes.len() > MOST_SETS {
        return None;
    }
    let scalar = nodes.iter().position(|n| n.set.is_empty())?;
    let best = best(rows, sets)?;
    let steps = chain(&nodes, scalar);
    let asked = rules.get(&best.case).map_or(&[][..], Vec::as_slice);
    let Judged { effects, unmeasured, others } = effects::judge(&nodes, asked);
    let reached = reached(&nodes[scalar], &steps, best);
    Some(Explanation {
        core: best.core.clone(),
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

/// What `to` has and `from` lacks, without what other extensions of the difference imply.
fn added(from: ExtSet, to: ExtSet) -> ExtSet {
    let new = to.minus(from);
    let brought = new.iter().fold(ExtSet::EMPTY, |all, e| {
        all.union(openssl_closed(ExtSet::of(&[e])).minus(ExtSet::of(&[e])))
    });
    new.minus(brought)
}

/// Of measured sets with their speeds, the indices of those that are faster than `now`; of two sets with the same gain,
/// one containing the other, only the smaller.
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
