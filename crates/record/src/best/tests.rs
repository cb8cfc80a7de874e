//! The best rows, and groups of rows.

use super::*;
use crate::testing::{row, set};

#[test]
fn the_smallest_of_equally_fast_sets_is_best() {
    let sets = ["scalar", "full", "zvkg", "zvkb_zvkg"].map(set);
    let costs = [100.0, 10.0, 10.03, 10.0];
    let rows: Vec<Row> =
        sets.iter().zip(costs).map(|(s, cost)| row("x", &s.capset, 64, cost)).collect();
    let all: Vec<&Row> = rows.iter().collect();
    assert_eq!(best(&all, &KnownSets::of(&sets)).unwrap().capset, "zvkg");
}

/// Times that vary by 3 % do not distinguish sets that are 4 % apart; counts do, whatever a record says about
/// them.
#[test]
fn times_whose_ranges_overlap_are_equal() {
    let sets = ["scalar", "zvkg", "full"].map(set);
    let best_of = |spread: f64, timed: bool| {
        let timed = |name: &str, cost: f64| Row {
            ns_per_op: timed.then_some(cost),
            mad_percent: Some(spread),
            ..row("x", name, 64, cost)
        };
        let rows = [timed("scalar", 900.0), timed("zvkg", 104.0), timed("full", 100.0)];
        best(&rows.iter().collect::<Vec<_>>(), &KnownSets::of(&sets)).unwrap().capset.clone()
    };
    assert_eq!([best_of(0.1, true), best_of(3.0, true)], ["full", "zvkg"]);
    assert_eq!(best_of(3.0, false), "full");
}

/// Measured on a busy machine: SHA-256 with 16 KiB, and ChaCha20 with 1 KiB.
#[test]
fn a_wide_spread_does_not_make_a_set_best() {
    let timed = |name: &str, gbps: f64, spread: f64| Row {
        ns_per_op: Some(16384.0 / gbps),
        mad_percent: Some(spread),
        ..row("x", name, 16384, 16384.0 / gbps)
    };
    let named = |name: &str, hart: &str| ConfigurationRecord {
        capset: name.into(),
        hart: hart.into(),
        ..ConfigurationRecord::default()
    };
    let sets = [
        named("scalar", ""),
        named("sha", "sha"),
        named("ssse3_avx_avx2_sha", "ssse3 avx avx2 sha"),
        named("auto", "ssse3 avx avx2 sha aes"),
    ];
    let best_of = |rows: [(&str, f64, f64); 3]| {
        let rows = rows.map(|(name, gbps, spread)| timed(name, gbps, spread));
        best(&rows.iter().collect::<Vec<_>>(), &KnownSets::of(&sets)).unwrap().capset.clone()
    };
    let sha = ("sha", 0.6242, 64.9);
    let of_sha256 =
        |spread| best_of([("scalar", 0.1498, 1.0), sha, ("ssse3_avx_avx2_sha", 1.745, spread)]);
    // A wide spread of the fastest set does not make another set best either.
    assert_eq!([2.9, 64.9].map(of_sha256), ["ssse3_avx_avx2_sha"; 2]);
    let chacha20 = |scalar, auto| {
        best_of([("scalar", 0.1554, scalar), ("sha", 0.155, scalar), ("auto", 0.743, auto)])
    };
    assert_eq!([chacha20(90.0, 90.0), chacha20(90.0, 1.0), chacha20(1.0, 90.0)], ["auto"; 3]);
    // The best set is within 5 % of the fastest. It differs from the fastest only if both spread that much.
    let near = |gbps: f64, spread: f64, fastest: f64| {
        best_of([("scalar", 0.1, 0.0), ("sha", gbps, spread), ("auto", 1.0, fastest)])
    };
    assert_eq!([near(0.96, 60.0, 60.0), near(0.96, 3.0, 60.0)], ["sha"; 2]);
    assert_eq!([near(0.94, 60.0, 60.0), near(0.96, 60.0, 0.1), near(0.96, 0.1, 60.0)], ["auto"; 3]);
}

#[test]
fn an_operation_with_a_wrong_answer_has_no_best_row() {
    let mut rows = vec![row("x", "scalar", 64, 9.0), row("x", "full", 64, 1.0)];
    rows.extend([row("y", "scalar", 64, 9.0), row("y", "full", 64, 1.0)]);
    rows[2].answers = "wrong".into();
    let record = Record { rows, ..Record::default() };
    assert_eq!(best_rows(&record), [1]);
    let all = operations(record.rows.iter());
    assert_eq!(standing(&all[1], &KnownSets::of(&[])).unwrap().capset, "scalar");
}

#[test]
fn a_set_is_looked_up_for_its_core() {
    let set = |core: &str, beyond_core| ConfigurationRecord {
        core: core.into(),
        capset: "zvkg".into(),
        beyond_core,
        ..ConfigurationRecord::default()
    };
    let sets = [set("a", true), set("b", false)];
    let on = |core: &str| Row { core: core.into(), ..row("x", "zvkg", 64, 1.0) };
    let shown_on = |core: &str, sets: &[_]| shown(&on(core), &KnownSets::of(sets));
    assert_eq!(["a", "b"].map(|core| shown_on(core, &sets)), ["zvkg *", "zvkg"]);
    // A record may have both kinds; the first says how large the set is.
    let sized =
        |core: &str, hart: &str| ConfigurationRecord { hart: hart.into(), ..set(core, false) };
    let (any, own) = (sized("", "v zvkg"), sized("a", "zvkg"));
    for (sets, size) in [([any.clone(), own.clone()], 2), ([own, any], 1)] {
        assert_eq!(KnownSets::of(&sets).size(&on("a")), size);
    }
    assert_eq!(shown_on("a", &[set("", true)]), "zvkg *");
    assert_eq!(shown_on("a", &[set("a", false), set("", true)]), "zvkg *");
    assert_eq!(shown_on("a", &[set("a", false), set("a", true)]), "zvkg *");
}

#[test]
fn groups_keep_their_order() {
    let rows = [row("b", "s", 1, 1.0), row("a", "s", 1, 1.0), row("b", "s", 2, 1.0)];
    let groups = groups(rows.iter(), |r| r.case.clone());
    let sizes: Vec<_> = groups.iter().map(|g| (g[0].case.as_str(), g.len())).collect();
    assert_eq!(sizes, [("b", 2), ("a", 1)]);
}
