//! The effects of single extensions on a case: pairs of measured sets that differ in one extension and what it implies.

use super::node::Node;
use crate::best::SAME_SPEED;
use crate::{Effect, Unmeasured};
use capvec_isa::capability::openssl_closed;
use capvec_isa::{Ext, ExtSet};
use std::collections::HashMap;

/// What was found about single extensions.
pub(super) struct Judged {
    pub effects: Vec<Effect>,
    pub unmeasured: Vec<Unmeasured>,
    pub others: usize,
}

/// A measured set, and how the speed changes when the extension is added to it.
struct Pair<'a> {
    on: &'a Node<'a>,
    factor: f64,
}

/// For each extension, its measured effect, or that it was not measured although one of `asked` has it.
pub(super) fn judge(nodes: &[Node], asked: &[ExtSet]) -> Judged {
    let speed: HashMap<ExtSet, f64> = nodes.iter().map(|n| (n.set, n.ops_per_s)).collect();
    let all = nodes.iter().fold(ExtSet::EMPTY, |s, n| s.union(n.set));
    let mut judged = Judged { effects: Vec::new(), unmeasured: Vec::new(), others: 0 };
    for e in all.iter() {
        let own = openssl_closed(ExtSet::of(&[e]));
        let without = nodes.iter().filter(|n| !n.set.has(e));
        let pair = |on| Some(Pair { on, factor: speed.get(&n_with(on, own))? / on.ops_per_s });
        let pairs: Vec<Pair> = without.filter_map(pair).collect();
        let companions = companions(e, own, asked);
        let Some(companions) = companions else {
            // The dispatch does not test it.
            judged.others += usize::from(pairs.is_empty());
            judged.effects.extend(effect(e, &pairs, &[]));
            continue;
        };
        let seen = |c: &&ExtSet| pairs.iter().any(|p| p.on.set.contains(openssl_closed(**c)));
        let (seen, unseen): (Vec<&ExtSet>, Vec<&ExtSet>) = companions.iter().partition(seen);
        // If the extension helps together with a measured companion, that answers the question.
        let helps = pairs.iter().any(|p| !idle(p.factor));
        if !helps && let Some(first) = unseen.first() {
            judged.unmeasured.push(Unmeasured { extension: e.name().into(), with: names(**first) });
        }
        let seen: Vec<ExtSet> = seen.into_iter().copied().collect();
        judged.effects.extend(effect(e, &pairs, &seen));
    }
    judged
}

fn n_with(n: &Node, own: ExtSet) -> ExtSet {
    n.set.union(own)
}

fn names(set: ExtSet) -> Vec<String> {
    set.iter().map(|e| e.name().into()).collect()
}

/// What the paths need together with `e`, the smallest set first; `None` if they do not need `e`. `own` is `e` with
/// what it implies.
fn companions(e: Ext, own: ExtSet, asked: &[ExtSet]) -> Option<Vec<ExtSet>> {
    // Every vector extension implies V, but paths do not need it for that reason.
    let meant = if e == Ext::V { own } else { own.minus(ExtSet::of(&[Ext::V])) };
    let paths = asked.iter().filter(|p| p.intersects(meant));
    let mut company: Vec<ExtSet> = paths.map(|p| p.minus(own)).collect();
    company.sort_by_key(|c| c.iter().count());
    (!company.is_empty()).then_some(company)
}

/// Whether this factor of a speed is within the differences that alignment alone makes.
pub(crate) fn idle(factor: f64) -> bool {
    (1.0 - SAME_SPEED..=1.0 + SAME_SPEED).contains(&factor)
}

fn effect(e: Ext, pairs: &[Pair], companions: &[ExtSet]) -> Option<Effect> {
    let least = pairs.iter().min_by(|a, b| a.factor.total_cmp(&b.factor))?;
    // The smallest of the sets that show the largest effect.
    let most = pairs.iter().rev().max_by(|a, b| a.factor.total_cmp(&b.factor))?;
    let has = |p: &Pair, c: &ExtSet| p.on.set.contains(openssl_closed(*c));
    let needed = |c: &&ExtSet| {
        let (with, without): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(|p| has(p, c));
        let helps = with.iter().any(|p| p.factor > 1.0 + SAME_SPEED);
        helps && !without.is_empty() && without.iter().all(|p| idle(p.factor))
    };
    Some(Effect {
        extension: e.name().into(),
        pairs: pairs.len(),
        least: least.factor,
        least_on: least.on.name.into(),
        most: most.factor,
        most_on: most.on.name.into(),
        needs: companions.iter().find(needed).copied().map_or(Vec::new(), names),
    })
}
