//! For each case, how the best capability set is reached, and what each extension adds.
//!
//! Only measured sets count, so more sets explain more. A chain begins at scalar and repeatedly adds the extension
//! (with what it implies) that makes the case fastest; where no single extension helps, it adds the smallest group that
//! does.

mod effects;
mod show;

pub(super) use show::sections;

use crate::view::best::{SAME_SPEED, best, groups};
use crate::{ConfigurationRecord, Explanation, Reached, Row, Step};
use capvec_isa::capability::openssl_closed;
use capvec_isa::{Ext, ExtSet};
use effects::Judged;
use std::collections::HashMap;

/// For each case, the sets of extensions that rules of the dispatch name, each as a whole.
pub type Rules = HashMap<String, Vec<ExtSet>>;

/// A measured set, as the library was expected to see it.
struct Node<'a> {
    set: ExtSet,
    name: &'a str,
    ops_per_s: f64,
    kbps: Option<f64>,
}

/// A set as records have it: names, separated by spaces.
pub(crate) fn exts(names: &str) -> ExtSet {
    names.split_whitespace().filter_map(Ext::from_name).collect()
}

/// Explains every case of `rows` for which scalar was measured and every set has figures.
pub fn explanations(rows: &[Row], sets: &[ConfigurationRecord], rules: &Rules) -> Vec<Explanation> {
    // Of two sets that look the same to the library, the smaller represents both.
    let mut order: Vec<&ConfigurationRecord> = sets.iter().filter(|c| !c.verbatim).collect();
    order.sort_by_key(|c| c.size());
    let groups = groups(rows.iter(), |r| (r.vlen, r.case.clone(), r.direction.clone(), r.bytes));
    groups.iter().filter_map(|g| explain(g, &order, sets, rules)).collect()
}

fn explain(
    rows: &[&Row],
    order: &[&ConfigurationRecord],
    sets: &[ConfigurationRecord],
    rules: &Rules,
) -> Option<Explanation> {
    let by_name: HashMap<&str, &Row> = rows.iter().map(|r| (r.capset.as_str(), *r)).collect();
    let mut nodes: Vec<Node> = Vec::new();
    for c in order {
        let set = exts(&c.expected);
        if let Some(row) = by_name.get(c.capset.as_str())
            && let Some(ops_per_s) = row.ops_per_s
            && !nodes.iter().any(|n| n.set == set)
        {
            nodes.push(Node { set, name: &c.capset, ops_per_s, kbps: row.kbps });
        }
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

#[cfg(test)]
mod tests;
