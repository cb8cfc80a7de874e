//! Families of capability sets.

use super::*;
use crate::case::select;

fn isa() -> Isa {
    "rv64gcv".parse().unwrap()
}

fn expanded(names: &[&str], cases: &[&str]) -> Vec<Wanted> {
    let owned = |v: &[&str]| v.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    expand(&owned(names), &select(&owned(cases)).unwrap(), &isa()).unwrap()
}

fn names(list: &[Wanted]) -> Vec<&str> {
    list.iter().map(|w| w.capset.name.as_str()).collect()
}

#[test]
fn singles_are_every_capability_after_scalar() {
    let list = expanded(&["singles"], &["sha256"]);
    let names = names(&list);
    assert_eq!((names.len(), names[0]), (25, "scalar"));
    assert!(names.contains(&"zvkned") && names.contains(&"v") && names.contains(&"zkr"));
}

/// A set beyond the core is marked as such in every family.
#[test]
fn sets_beyond_the_core_are_marked() {
    let list = expanded(&["scalar", "singles", "dispatch", "full"], &["aes-128-ecb"]);
    let marked =
        |name: &str| list.iter().find(|w| w.capset.name == name).expect(name).capset.beyond_core;
    assert!(!marked("scalar") && !marked("v"));
    assert!(marked("zbb") && marked("zvkned") && marked("zknd_zkne") && marked("full"));
}

#[test]
fn dispatch_measures_each_case_with_its_own_sets() {
    let list = expanded(&["dispatch"], &["sha256", "chacha20"]);
    assert_eq!(names(&list), ["scalar", "zvkb_zvknha", "v_zbb", "zbb_zvkb"]);
    let cases: Vec<_> = list.iter().map(|w| w.cases.clone()).collect();
    assert_eq!(cases, [vec![0, 1], vec![0], vec![1], vec![1]]);
}

/// Counted by hand: one set without V; with V, Zvkb or Zvbb or neither, times Zvknha or Zvknhb or neither.
#[test]
fn subsets_of_sha256_are_one_and_nine() {
    let list = expanded(&["all-subsets"], &["sha256"]);
    assert_eq!(list.len(), 1 + 9 + 1);
    assert_eq!(list[0].capset.name, "scalar");
    assert_eq!(list[list.len() - 1].capset.name, "full");
    // Zknd, Zkne; V or not; Zvkned; Zvkb, Zvbb or neither.
    assert_eq!(expanded(&["all-subsets"], &["aes-128-ctr"]).len(), 4 * (1 + 2 * 3) + 1);
    // Zknd, Zkne, Zbc, Zbb, Zbkb; V or not; Zvkned, Zvkg, Zvbc; Zvkb, Zvbb or neither.
    assert_eq!(expanded(&["all-subsets"], &["aes-128-gcm"]).len(), 32 * (1 + 8 * 3) + 1);
}

#[test]
fn explanations_are_measured_by_pairs() {
    let cases = select(&["sha256".into(), "aes-128-ctr".into()]).unwrap();
    let asked = expand(&["zvkb_zvknha_zvkned".into()], &cases, &isa()).unwrap();
    let list = explained(asked, &cases, &isa()).unwrap();
    let of = |i: usize| {
        let own = list.iter().filter(|w| w.cases.contains(&i));
        own.map(|w| w.capset.name.as_str()).collect::<Vec<_>>()
    };
    let first = "zvkb_zvknha_zvkned";
    assert_eq!(of(0), [first, "scalar", "zvkb_zvknha", "zvknha", "zvkb"]);
    // Zknd and Zkne were not requested.
    assert_eq!(of(1), [first, "scalar", "zvkb", "zvkned", "zvkb_zvkned"]);
}

/// The effect of one rule's set on another shows only where both are measured together.
#[test]
fn explanations_are_measured_together_with_other_rules() {
    let cases = select(&["aes-128-gcm".into()]).unwrap();
    let asked = expand(&["scalar".into(), "full".into()], &cases, &isa()).unwrap();
    let list = explained(asked, &cases, &isa()).unwrap();
    let names = names(&list);
    let best = "zvkb_zvkg_zvkned";
    for set in [best, "zvkg_zvkned", "zvkb_zvkned", "zvkb_zvkg", "zvbb_zvkg"] {
        assert!(names.contains(&set), "{set}: {names:?}");
    }
}

#[test]
fn no_two_sets_are_the_same_and_names_read_back() {
    let list = expanded(&["all-subsets", "published", "singles", "zvkned_zvkb"], &["published"]);
    for (i, w) in list.iter().enumerate() {
        assert!(!list[..i].iter().any(|o| o.capset.same_as(&w.capset)), "{}", w.capset.name);
        let again = CapSet::parse(&w.capset.name, &isa()).unwrap();
        assert!(again.same_as(&w.capset), "{}", w.capset.name);
        assert!(!w.cases.is_empty() && w.cases.is_sorted());
    }
    // A set named explicitly joins the same set under its shortest name, and adds its cases to it.
    assert!(list.iter().any(|w| w.capset.name == "zvkb_zvkned" && w.cases.len() == 10));
}

/// Found by brute force: closing every subset gives the same sets.
#[test]
fn subsets_are_those_of_brute_force() {
    let relevant: ExtSet =
        [Ext::Zbb, Ext::Zvkb, Ext::Zvbb, Ext::Zvknha, Ext::Zvknhb, Ext::V].into_iter().collect();
    let members: Vec<Ext> = relevant.iter().collect();
    let brute: HashSet<ExtSet> = (0..1u32 << members.len())
        .map(|bits| {
            let chosen = members.iter().enumerate().filter(|(i, _)| bits >> i & 1 != 0);
            let mut set: ExtSet = chosen.map(|(_, e)| *e).collect();
            if set.intersects(vector()) {
                set = set.with(Ext::V);
            }
            set.closed().intersection(known())
        })
        .collect();
    let found = subsets(relevant);
    assert_eq!(found.len(), brute.len());
    assert_eq!(found.into_iter().collect::<HashSet<_>>(), brute);
}
