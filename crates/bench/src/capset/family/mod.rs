//! Names that stand for many capability sets.

use super::dispatch::Dispatch;
use super::{CapSet, known};
use crate::case::Case;
use anyhow::Result;
use capvec_isa::capability::openssl_closed;
use capvec_isa::lint::vector;
use capvec_isa::{Ext, ExtSet, Isa};
use capvec_record::published;
use std::collections::{HashMap, HashSet};

/// A capability set and the cases that are measured with it.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The set.
    pub capset: CapSet,
    /// Indices of the cases, ascending.
    pub cases: Vec<usize>,
}

/// Whether one of `names` stands for sets that show what extensions add.
pub fn explains(names: &[String]) -> bool {
    names.iter().any(|n| matches!(n.as_str(), "singles" | "dispatch" | "all-subsets"))
}

/// The sets that `names` stand for, without duplicates, in order of first appearance.
///
/// `singles` is each capability known to OpenSSL, alone; `dispatch` the smallest set for every path that OpenSSL's
/// dispatch can take for a case; `all-subsets` every set of the capabilities that the case's dispatch asks for, without
/// sets of equal closure, and the full set as a control; `published` the sets of the published table. The first three
/// begin with `scalar`, and `dispatch` and `all-subsets` measure each case with its own sets only. Other names are
/// those of [`CapSet::parse`].
///
/// # Errors
/// Names the flag and says what is wrong with the name.
pub fn expand(names: &[String], cases: &[Case], isa: &Isa) -> Result<Vec<Wanted>> {
    let mut list = List(Vec::new());
    let all: Vec<usize> = (0..cases.len()).collect();
    CapSet::refuse_blank(names)?;
    for name in names {
        match name.as_str() {
            "singles" => {
                let each = known().iter().map(|e| ExtSet::of(&[e]));
                for set in std::iter::once(ExtSet::EMPTY).chain(each) {
                    list.add(named(set).on(isa), &all);
                }
            }
            "dispatch" => {
                // Read only where it is needed: a sweep expands thousands of single sets.
                let dispatch = Dispatch::load()?;
                for (i, case) in cases.iter().enumerate() {
                    dispatch
                        .paths(case)
                        .into_iter()
                        .for_each(|set| list.add(named(set).on(isa), &[i]));
                }
            }
            "all-subsets" => {
                for (set, own) in all_subsets(cases, &Dispatch::load()?) {
                    list.add(named(set).on(isa), &own);
                }
                list.add(CapSet::parse("full", isa)?, &all);
            }
            "published" => {
                let rows = published::speeds::KARU64.lines()?;
                for r in rows.iter().filter(|r| cases.iter().any(|c| c.id == r.case)) {
                    list.add(CapSet::parse(&r.best_capset, isa)?, &all);
                }
            }
            _ => list.add(CapSet::parse(name, isa)?, &all),
        }
    }
    Ok(list.0)
}

/// Adds to `wanted` the sets that show the effect of each of its extensions: scalar; for each case, the smallest set
/// for every combination of paths that the dispatch can take, and that set without each of its extensions; and each
/// rule's set with one extension replaced by another that implies it. Extensions that `wanted` lacks are left out.
///
/// # Errors
/// The rules are broken.
pub fn explained(wanted: Vec<Wanted>, cases: &[Case], isa: &Isa) -> Result<Vec<Wanted>> {
    let dispatch = Dispatch::load()?;
    let mut list = List(wanted);
    for (i, case) in cases.iter().enumerate() {
        let own = list.0.iter().filter(|w| w.cases.contains(&i));
        let all = own.fold(ExtSet::EMPTY, |s, w| s.union(w.capset.expected));
        list.add(named(ExtSet::EMPTY).on(isa), &[i]);
        let possible = |p: &ExtSet| all.contains(openssl_closed(*p));
        for path in dispatch.paths(case).into_iter().filter(possible) {
            list.add(named(path).on(isa), &[i]);
            for e in path.iter() {
                list.add(named(path.minus(ExtSet::of(&[e]))).on(isa), &[i]);
            }
        }
        let other = dispatch.relevant(case).intersection(all);
        for path in dispatch.asked(case).into_iter().filter(possible) {
            for (e, instead) in path.iter().flat_map(|e| other.iter().map(move |o| (e, o))) {
                let implies = instead != e && ExtSet::of(&[instead]).closed().has(e);
                if implies && !path.has(instead) {
                    let set = path.minus(ExtSet::of(&[e])).with(instead);
                    list.add(named(set).on(isa), &[i]);
                }
            }
        }
    }
    Ok(list.0)
}

struct List(Vec<Wanted>);

impl List {
    fn add(&mut self, capset: CapSet, cases: &[usize]) {
        match self.0.iter_mut().find(|w| w.capset.same_as(&capset)) {
            Some(w) => {
                w.cases.extend(cases);
                w.cases.sort_unstable();
                w.cases.dedup();
            }
            None => self.0.push(Wanted { capset, cases: cases.to_vec() }),
        }
    }
}

/// The subsets of every case, each once with its cases, in ascending order of size.
fn all_subsets(cases: &[Case], dispatch: &Dispatch) -> Vec<(ExtSet, Vec<usize>)> {
    let mut of: HashMap<ExtSet, Vec<usize>> = HashMap::new();
    let mut order = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        for set in subsets(dispatch.relevant(case)) {
            let users = of.entry(set).or_default();
            if users.is_empty() {
                order.push(set);
            }
            users.push(i);
        }
    }
    order.sort_by_key(|s| s.iter().count());
    order.into_iter().filter_map(|s| Some((s, of.remove(&s)?))).collect()
}

/// A set under the shortest name that [`CapSet::parse`] accepts for it: what the set's other extensions imply is left
/// out, and so is V where an extension implies it.
fn named(set: ExtSet) -> CapSet {
    let set = openssl_closed(set);
    let members: Vec<Ext> = set.iter().collect();
    let implied = members.iter().fold(ExtSet::EMPTY, |all, e| {
        all.union(openssl_closed(ExtSet::of(&[*e])).minus(ExtSet::of(&[*e])))
    });
    let least = members.iter().filter(|e| !implied.has(**e));
    let name = least.map(|e| e.name()).collect::<Vec<_>>().join("_");
    CapSet::exactly(if name.is_empty() { "scalar" } else { &name }, set)
}

/// Every closed subset of `relevant`, without duplicates, small ones first.
fn subsets(relevant: ExtSet) -> Vec<ExtSet> {
    let vectors = relevant.intersects(vector());
    let relevant = if vectors { relevant.with(Ext::V) } else { relevant };
    let mut seen = HashSet::from([ExtSet::EMPTY]);
    let mut sets = vec![ExtSet::EMPTY];
    // Adding one capability at a time to the sets found so far reaches every closed set.
    let mut at = 0;
    while let Some(set) = sets.get(at).copied() {
        for e in relevant.iter() {
            let next = openssl_closed(set.with(e));
            if seen.insert(next) {
                sets.push(next);
            }
        }
        at += 1;
    }
    sets.sort_by_key(|s| s.iter().count());
    sets
}

#[cfg(test)]
mod tests;
