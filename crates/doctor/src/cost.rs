//! What each extension that a core lacks would gain there, by algorithm.

use crate::examine::Request;
use anyhow::Result;
use capvec_bench::capset::{CapSet, Dispatch, Wanted};
use capvec_bench::case::Case;
use capvec_bench::run::Runner;
use capvec_bench::sweep::{self, Plan};
use capvec_isa::capability::openssl_known;
use capvec_isa::{Ext, ExtSet};
use capvec_record::Row;
use capvec_record::compute::explain::helpful;
use capvec_record::doctor::Cost;

/// Name of the set that the core has.
const NOW: &str = "core";

/// What a set adds to the core, and the name under which it is measured.
struct Addition {
    name: String,
    exts: Vec<Ext>,
    set: ExtSet,
}

fn known() -> ExtSet {
    openssl_known().collect()
}

/// The set with everything it implies, and V with extensions that the library uses only together with V.
fn whole(set: ExtSet) -> ExtSet {
    let closed = set.closed();
    let all = if closed.has(Ext::Zve32x) { closed.with(Ext::V).closed() } else { closed };
    all.intersection(known())
}

/// Extensions that the core lacks: singly, and as the sets that paths of the dispatch need.
fn additions(dispatch: &Dispatch, case: &Case, core: ExtSet) -> Vec<Addition> {
    let singles = dispatch.relevant(case).iter().map(|e| ExtSet::of(&[e])).collect::<Vec<_>>();
    let together = dispatch.paths(case);
    let mut all: Vec<Addition> = Vec::new();
    for wanted in singles.into_iter().chain(together) {
        let new = whole(wanted).minus(core);
        let set = core.union(new);
        if new.is_empty() || all.iter().any(|a| a.set == set) {
            continue;
        }
        let implied = |e: &Ext| new.iter().any(|o| o != *e && whole(ExtSet::of(&[o])).has(*e));
        let exts: Vec<Ext> = new.iter().filter(|e| !implied(e)).collect();
        let name = exts.iter().map(|e| e.name()).collect::<Vec<_>>().join("_");
        all.push(Addition { name, exts, set });
    }
    all
}

/// Measures the core as it is and with each addition, and reports the gains; of additions with equal gains, the
/// smallest.
///
/// # Errors
/// The simulator does not run the cases.
pub fn cost(runner: &Runner, request: &Request) -> Result<Vec<Cost>> {
    let cases = &request.cases;
    let core = whole(runner.isa().exts);
    let dispatch = Dispatch::load()?;
    let now = CapSet::parse("auto", runner.isa())?.configured(NOW, Some(core));
    let all: Vec<usize> = (0..cases.len()).collect();
    let mut wanted = vec![Wanted { capset: now.clone(), cases: all }];
    // Not vectors, if the core's model has no vector unit.
    let model = runner.target().core();
    let timed = |a: &Addition| {
        model.is_none_or(|core| core.can_time(now.exts.union(a.set).closed()).is_ok())
    };
    let helps = |case: &Case| additions(&dispatch, case, core).into_iter().filter(timed).collect();
    let added: Vec<Vec<Addition>> = cases.iter().map(helps).collect();
    for (i, list) in added.iter().enumerate() {
        for a in list {
            if let Some(w) = wanted.iter_mut().find(|w| w.capset.name == a.name) {
                w.cases.push(i);
                continue;
            }
            let hart = CapSet { exts: now.exts.union(a.set).closed(), ..now.clone() };
            let capset = hart.configured(&a.name, Some(a.set));
            wanted.push(Wanted { capset, cases: vec![i] });
        }
    }
    let plan = Plan {
        cases: cases.clone(),
        wanted,
        vlens: vec![request.vlen],
        bytes: vec![request.bytes],
        gate: Some(request.gate.clone()),
        ..Plan::default()
    };
    let swept = sweep::run(runner, &plan, None, &|| ())?;
    let mut costs = Vec::new();
    for (case, list) in cases.iter().zip(&added) {
        for own in swept.rows.iter().filter(|r| r.capset == NOW && r.case == case.id) {
            costs.extend(of(own, list, &swept.rows));
        }
    }
    Ok(costs)
}

/// The gains of the additions for one row, the largest factor first.
fn of(own: &Row, list: &[Addition], rows: &[Row]) -> Vec<Cost> {
    let with = |a: &Addition| {
        let same = |r: &&Row| {
            r.capset == a.name && r.case == own.case && r.direction == own.direction && r.passed()
        };
        let row = rows.iter().find(same)?;
        Some((row.rate()? / own.rate()?, row.kbps()))
    };
    let measured: Vec<(&Addition, f64, Option<f64>)> =
        list.iter().filter_map(|a| with(a).map(|(f, k)| (a, f, k))).collect();
    let line = |adds: Vec<String>, factor: f64, then_kbps: Option<f64>| Cost {
        case: own.case.clone(),
        algorithm: own.algorithm.clone(),
        direction: own.direction.clone(),
        now_kbps: own.kbps(),
        adds,
        factor,
        then_kbps,
    };
    let sets: Vec<(ExtSet, f64)> = measured.iter().map(|(a, f, _)| (a.set, *f)).collect();
    let kept = helpful(1.0, &sets).into_iter().filter_map(|i| measured.get(i));
    let name = |a: &Addition| a.exts.iter().map(|e| e.name().into()).collect();
    let mut lines: Vec<Cost> = kept.map(|(a, f, k)| line(name(a), *f, *k)).collect();
    lines.sort_by(|a, b| b.factor.total_cmp(&a.factor));
    if lines.is_empty() { vec![line(Vec::new(), 1.0, own.kbps())] } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_bench::case::select;

    fn names(case: &str, core: &str) -> Vec<String> {
        let case = select(&[case.into()]).unwrap().remove(0);
        let core: capvec_isa::Isa = core.parse().unwrap();
        let all = additions(&Dispatch::load().unwrap(), &case, whole(core.exts));
        all.into_iter().map(|a| a.name).collect()
    }

    #[test]
    fn only_what_the_core_lacks_is_added() {
        let all = names("sha256", "rv64gcv_zvkb");
        assert!(all.contains(&"zvknha".to_string()) && all.contains(&"zvknhb".into()), "{all:?}");
        assert!(!all.iter().any(|n| n.contains("zvkb")), "{all:?}");
        // Without vectors in the core, V is added but not named.
        assert!(names("sha256", "rv64gc").contains(&"zvkb_zvknha".to_string()));
        assert!(names("sha256", "rv64gcv_zvkng").iter().all(|n| n == "zvbb"));
    }

    fn row(set: &str, ops: f64) -> Row {
        Row {
            capset: set.into(),
            case: "x".into(),
            answers: "pass".into(),
            ops_per_s: Some(ops),
            ..Row::default()
        }
    }

    #[test]
    fn sets_with_the_same_effect_are_shown_once() {
        let add = |exts: &[Ext]| Addition {
            name: exts.iter().map(|e| e.name()).collect::<Vec<_>>().join("_"),
            exts: exts.to_vec(),
            set: ExtSet::of(exts),
        };
        let list = [add(&[Ext::Zvkg]), add(&[Ext::Zvkg, Ext::Zvkb]), add(&[Ext::Zbb])];
        let rows = [row("zvkg", 30.0), row("zvkg_zvkb", 30.1), row("zbb", 10.01)];
        let lines = of(&row(NOW, 10.0), &list, &rows);
        assert_eq!((lines.len(), lines[0].adds.clone()), (1, vec!["zvkg".to_string()]));
        assert!((lines[0].factor - 3.0).abs() < 1e-9);
        let none = of(&row(NOW, 10.0), &list[2..], &rows);
        assert_eq!((none.len(), none[0].factor, none[0].adds.len()), (1, 1.0, 0));
    }
}
