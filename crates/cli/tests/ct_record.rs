//! The matrix of libcapvec in docs/constant-time-libraries.md is what the runs of `make ct` printed, and the page names what they left
//! out.
//!
//! `CAPVEC_CT_JSON=FILE,…` with the JSON of all runs (`capvec ct --cases … --format json`) writes the record that is compared.

use capvec_bench::case::{self, Case};
use capvec_bench::processor::Processor;
use capvec_targets::{CORE, Target, TargetName};
use capvec_timing::Core;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const RECORD: &str = "../../records/constant-time.json";
const PAGE: &str = "../../docs/constant-time-libraries.md";

/// The sets of `make ct`; `dispatch` stands for several.
const SETS: [&str; 6] = ["scalar", "zbb", "dispatch", "v", "full", "full_zvknhk0p2"];
const VLENS: [u32; 3] = [128, 256, 512];

/// The clean checks: VLENs by case and set, none for a set without vectors. With vectors, both policies for agnostic elements were clean.
type Clean = BTreeMap<String, BTreeMap<String, BTreeSet<u32>>>;

/// What the runs found to be clean; panics if anything was not.
fn clean(runs: &str) -> Clean {
    let mut policies: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for file in runs.split(',') {
        let run: Value =
            serde_json::from_str(&std::fs::read_to_string(file).expect(file)).expect("JSON");
        for row in run["rows"].as_array().expect("rows") {
            assert!(
                row["not_checked"].is_null() && row["findings"] == Value::Array(vec![]),
                "{row}"
            );
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            let key = (text("case"), text("caps"), row["vlen"].as_u64());
            policies.entry(key).or_default().insert(text("agnostic"));
        }
    }
    let mut all = Clean::new();
    for ((case, caps, vlen), policies) in policies {
        let vlens = all.entry(case).or_default().entry(caps).or_default();
        if let Some(vlen) = vlen {
            assert_eq!(policies.len(), 2, "{policies:?}");
            vlens.insert(vlen as u32);
        }
    }
    all
}

fn record() -> Clean {
    if let Ok(runs) = std::env::var("CAPVEC_CT_JSON") {
        let text = serde_json::to_string(&clean(&runs)).expect("JSON");
        // A line for each case.
        let text = text.replace("}},\"", "}},\n\"").replace("]},\"", "]},\n\"");
        std::fs::write(RECORD, text + "\n").expect("writable");
    }
    serde_json::from_str(&std::fs::read_to_string(RECORD).expect(RECORD)).expect("the record")
}

fn cases() -> Vec<Case> {
    case::select(&["symmetric", "pqc"].map(String::from)).expect("cases")
}

/// The sets that `dispatch` stands for, by case.
fn dispatched(cases: &[Case]) -> BTreeMap<String, BTreeSet<String>> {
    let core = Core::load(CORE).expect("the core");
    let target = Target { core: Some(core), ..Target::new(TargetName::Sim) };
    let processor = Processor::of(&target).expect("a simulator has a core");
    let expanded = processor.expand(&["dispatch".into()], cases).expect("sets");
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for wanted in expanded.wanted {
        for case in wanted.cases {
            all.entry(cases[case].id.clone()).or_default().insert(wanted.capset.name.clone());
        }
    }
    all
}

/// The table: clean checks by family of cases and set. Sets of `dispatch` that have a column of their own are counted there.
fn table(record: &Clean, cases: &[Case]) -> String {
    let mut counts: Vec<(&str, usize, [usize; SETS.len()])> = Vec::new();
    for case in cases {
        if counts.last().is_none_or(|(family, ..)| *family != case.family) {
            counts.push((&case.family, 0, [0; SETS.len()]));
        }
        let (_, number, columns) = counts.last_mut().expect("just added");
        *number += 1;
        for (set, vlens) in record.get(&case.id).into_iter().flatten() {
            let column = SETS.iter().position(|s| s == set);
            columns[column.unwrap_or(2)] += (2 * vlens.len()).max(1);
        }
    }
    let mut out = String::from("| family, cases |");
    SETS.iter().for_each(|set| write!(out, " {set} |").expect("a string"));
    out += "\n|---|--:|--:|--:|--:|--:|--:|\n";
    for (family, number, columns) in counts {
        let _ = write!(out, "| {family}, {number} |");
        for count in columns {
            let _ = match count {
                0 => write!(out, " |"),
                _ => write!(out, " {count} clean |"),
            };
        }
        out.push('\n');
    }
    out
}

#[test]
fn the_matrix_of_libcapvec_is_that_of_the_runs() {
    let table = table(&record(), &cases());
    let page = std::fs::read_to_string(PAGE).expect(PAGE);
    assert!(page.contains(&table), "{PAGE} should have this table:\n{table}");
}

#[test]
fn the_page_names_the_cases_that_were_not_run() {
    let (record, cases) = (record(), cases());
    let missing = cases.iter().map(|c| c.id.as_str()).filter(|id| !record.contains_key(*id));
    let missing: Vec<&str> = missing.collect();
    let page = std::fs::read_to_string(PAGE).expect(PAGE);
    let words: Vec<&str> = page.split_whitespace().collect();
    let sentence = format!("Not run with all of these sets: {}.", missing.join(", "));
    assert_eq!(words.join(" ").contains(&sentence), !missing.is_empty(), "{sentence}");
    assert_eq!(page.contains("Not run with all"), !missing.is_empty(), "{sentence}");
}

#[test]
fn the_runs_of_a_case_left_out_no_set_or_vlen() {
    let (record, cases) = (record(), cases());
    assert!(record.keys().all(|known| cases.iter().any(|case| case.id == *known)));
    let dispatched = dispatched(&cases);
    for case in &cases {
        let Some(own) = record.get(&case.id) else { continue };
        let others = dispatched[&case.id].iter().map(String::as_str);
        let wanted: BTreeSet<&str> =
            SETS.into_iter().filter(|s| *s != "dispatch").chain(others).collect();
        assert_eq!(own.keys().map(String::as_str).collect::<BTreeSet<_>>(), wanted, "{}", case.id);
        for (set, vlens) in own {
            assert!(vlens.is_empty() || *vlens == BTreeSet::from(VLENS), "{} {set}", case.id);
        }
        for set in ["v", "full", "full_zvknhk0p2"] {
            assert!(!own[set].is_empty(), "{} {set}", case.id);
        }
    }
}
