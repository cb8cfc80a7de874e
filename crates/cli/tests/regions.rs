//! `capvec run --region` and `measure --region`: exact counts of functions and marked code.

use crate::common::{capvec, compiled, guest, output};
use serde_json::Value;
use std::collections::BTreeMap;

/// The output, and the regions by name.
fn regions(options: &[&str]) -> (String, BTreeMap<String, Value>) {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("regions.json");
    let stats = format!("--stats-json={}", file.display());
    let bind = compiled("regions");
    let options = [options, &[&bind, &stats, "--no-cwd"]].concat();
    let (out, _) = output(&mut guest(&options, &["/built/regions"]), 0);
    let json = std::fs::read_to_string(file).expect("a file");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let all = json["regions"].as_array().expect("a list").iter();
    (out, all.map(|r| (r["region"].as_str().expect("a name").into(), r.clone())).collect())
}

fn number(region: &Value, field: &str) -> u64 {
    region[field].as_u64().unwrap_or_else(|| panic!("{field} of {region}"))
}

/// The counts follow from the assembly of the program.
#[test]
fn marks_and_functions_have_the_counts_of_their_assembly() {
    let (_, all) = regions(&["--core", "ideal", "--region", "counted,twice,@marks"]);
    for (name, entries, insns) in [
        ("mark 7", 10, 30),
        ("mark 8", 1, 2 + 201),
        ("mark 9", 1, 5),
        ("counted", 3, 201 + 11 + 15),
        ("twice", 1, 6 + 11 + 15),
    ] {
        let r = &all[name];
        let found = ["entries", "retired", "cycles"].map(|f| number(r, f));
        assert_eq!(found, [entries, insns, insns], "{name}");
    }
    assert_eq!(all.len(), 5, "{:?}", all.keys());
    let marked = &all["mark 9"];
    assert_eq!(
        marked["by_instruction"],
        serde_json::json!({ "vadd.vv": 2, "vsetivli": 2, "vxor.vv": 1 })
    );
    let vectors = serde_json::json!([
        { "sew": 8, "lmul_log2": -1, "vl": 3, "retired": 1 },
        { "sew": 32, "lmul_log2": 1, "vl": 8, "retired": 2 },
    ]);
    assert_eq!(marked["vectors"], vectors);
}

/// The translating engine counts what the interpreter does: opcodes, vector states and cycles, on cores with caches and out of order, too.
#[test]
fn both_engines_have_the_same_figures() {
    for core in ["ideal", "karu64", "spacemit-x60", "spacemit-x100"] {
        let of = |engine: &str| {
            let wanted = "counted,twice,main,printf,@marks";
            regions(&["--core", core, "--engine", engine, "--region", wanted]).1
        };
        let (interp, jit) = (of("interp"), of("jit"));
        assert_eq!(interp, jit, "{core}");
        assert!(number(&interp["main"], "cycles") > number(&interp["printf"], "cycles"));
        assert!(number(&interp["printf"], "cycles") > 0 && interp.contains_key("mark 9"));
    }
}

/// The same for a library's code, hot enough to be translated, with vectors and in several processes.
#[test]
fn both_engines_have_the_same_figures_of_a_library() {
    let of = |engine: &str| {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("regions.json");
        let stats = format!("--stats-json={}", file.display());
        let wanted = "--region=EVP_EncryptUpdate,main,memcpy";
        let options = ["--core", "karu64", "--engine", engine, wanted, &stats];
        let speed = ["-seconds", "1", "-bytes", "1000", "-evp", "aes-128-ctr", "-multi", "2"];
        output(&mut guest(&options, &[&["openssl", "speed"], &speed[..]].concat()), 0);
        let json = std::fs::read_to_string(file).expect("a file");
        serde_json::from_str::<Value>(&json).expect("JSON")
    };
    let (interp, jit) = (of("interp"), of("jit"));
    assert_eq!(interp, jit);
    let regions = jit["regions"].as_array().expect("a list");
    let vectors = regions.iter().filter_map(|r| r["vectors"].as_array()).map(Vec::len);
    assert!(regions.len() == 3 && vectors.sum::<usize>() > 3, "{jit}");
}

/// The cycles of a region between two readings are the difference that the program computes from them.
#[test]
fn readings_of_counters_are_regions() {
    let (out, all) = regions(&["--core", "karu64", "--region", "@counters"]);
    let (name, pair) = all.iter().find(|(name, _)| name.contains("main+")).expect("a pair in main");
    assert!(name.contains(" to main+"), "{name}");
    assert_eq!(out.trim(), number(pair, "cycles").to_string());
    assert_eq!(number(pair, "retired"), 3);
}

#[test]
fn what_does_not_go_together_is_refused() {
    for (options, says) in [
        (&["--region", "@mark"][..], "write @marks, @counters or the name of a function"),
        (&["--region", "main", "--stats"], "--region does not work with --stats"),
        (&["--region", "@counters", "--engine", "jit"], "works only with --engine interp"),
    ] {
        let (_, error) = output(capvec().arg("run").args(options).args(["--", "true"]), 2);
        assert!(error.contains(says), "{error}");
    }
}
