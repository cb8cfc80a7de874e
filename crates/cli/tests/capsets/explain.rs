//! `--explain`: what each extension adds.

use super::{capvec, json, rows};
use serde_json::Value;

/// For each case: the smallest set that reaches the best speed, and what each extension adds on the way there.
#[test]
fn explain_shows_what_each_extension_adds() {
    let args = ["bench", "-q", "--cases", "chacha20", "--bytes", "1024", "--explain", "--caps"];
    let (record, _) = json(&[&args[..], &["scalar,v,zbb,v_zbb,zbb_zvkb,full"]].concat(), 0);
    let e = &record["explanations"][0];
    assert_eq!((&e["case"], &e["best"]), (&"chacha20".into(), &"zbb_zvkb".into()), "{e}");
    let kbps = |set: &str| {
        rows(&record).iter().find(|r| r["capset"] == set).unwrap()["kBps"].as_f64().unwrap()
    };
    assert!(kbps("zbb_zvkb") > kbps("v_zbb") && kbps("v_zbb") > kbps("scalar"));
    let adds: Vec<&Value> = e["steps"].as_array().unwrap().iter().map(|s| &s["adds"]).collect();
    assert!(!adds.is_empty() && adds.iter().all(|a| !a.as_array().unwrap().is_empty()), "{e}");
    let (table, _) = capvec(&[&args[..], &["scalar,v_zbb,zbb_zvkb"]].concat(), 0);
    assert!(table.contains("zvkb"), "{table}");
}

/// Zvkb and Zvknha have no effect alone. `--explain` measures the pair and reports that each needs the other; without it,
/// the pair is listed as unmeasured.
#[test]
fn extensions_that_help_only_together_are_measured_together() {
    let args = ["bench", "-q", "--cases", "sha256", "--bytes", "1024", "--kat", "none", "--caps"];
    let of = |args: &[&str]| json(args, 0).0["explanations"][0].clone();
    let pair = of(&[&args[..], &["scalar,full", "--explain"]].concat());
    let effect = |name: &str| {
        let all = pair["effects"].as_array().unwrap();
        all.iter()
            .find(|e| e["extension"] == name)
            .unwrap_or_else(|| panic!("{name}: {pair}"))
            .clone()
    };
    for (name, needs) in [("zvkb", "zvknha"), ("zvknha", "zvkb")] {
        assert_eq!(effect(name)["needs"], serde_json::json!([needs]), "{pair}");
        assert_eq!(
            (&effect(name)["least_on"], &effect(name)["most_on"]),
            (&"scalar".into(), &needs.into())
        );
        assert!(effect(name)["most"].as_f64().unwrap() > 5.0, "{pair}");
    }
    let singles = of(&[&args[..], &["singles"]].concat());
    let open = |name: &str| {
        let all = singles["unmeasured"].as_array().unwrap();
        all.iter().find(|e| e["extension"] == name).map(|e| e["with"].clone())
    };
    assert_eq!(open("zvkb"), Some(serde_json::json!(["zvknha"])), "{singles}");
    assert_eq!(open("zba"), None);
}

/// Each step adds a single extension: `--explain` measures the sets that this needs in addition to the two requested
/// ones, and a message says so.
#[test]
fn extensions_of_several_rules_are_separate_steps() {
    let args = ["bench", "--cases", "aes-128-gcm,sha256", "--bytes", "16384", "--kat", "none"];
    let args = [&args[..], &["--caps", "scalar,full", "--explain"]].concat();
    let (record, stderr) = json(&args, 0);
    assert!(
        stderr.contains("--explain on karu64: ") && stderr.contains("instead of 4"),
        "{stderr}"
    );
    let all = record["explanations"].as_array().unwrap();
    let gcm = all.iter().find(|e| e["case"] == "aes-128-gcm" && e["direction"] == "enc").unwrap();
    assert_eq!(
        (&gcm["best"], &gcm["reached"]),
        (&"zvkb_zvkg_zvkned".into(), &"best".into()),
        "{gcm}"
    );
    let mut added: Vec<&str> = Vec::new();
    for step in gcm["steps"].as_array().unwrap() {
        let adds = step["adds"].as_array().unwrap();
        assert_eq!(adds.len(), 1, "{gcm}");
        added.extend(adds.iter().filter_map(Value::as_str));
    }
    added.sort();
    assert_eq!(added, ["zvkb", "zvkg", "zvkned"]);
    // The effect of Zvkg, computed from the rows of two sets.
    let kbps = |set: &str| {
        let of = |r: &&Value| {
            r["capset"] == set && r["case"] == "aes-128-gcm" && r["direction"] == "enc"
        };
        rows(&record).iter().find(of).unwrap()["kBps"].as_f64().unwrap()
    };
    let effects = gcm["effects"].as_array().unwrap();
    let zvkg = effects.iter().find(|e| e["extension"] == "zvkg").unwrap();
    assert!(
        zvkg["most"].as_f64().unwrap() >= kbps("zvkb_zvkg_zvkned") / kbps("zvkb_zvkned"),
        "{zvkg}"
    );
    for e in all {
        assert_eq!(e["unmeasured"], serde_json::json!([]), "{e}");
    }
}
