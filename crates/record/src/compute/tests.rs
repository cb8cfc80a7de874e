//! What a file says about figures that are computed has no effect.

use crate::read::parse;
use crate::testing::{row, set};
use crate::view::{markdown, text};
use crate::{ConfigurationRecord, CoreRecord, Evaluated, Figure, Record, Row};
use serde_json::{Value, json};

/// Three sets on karu64, with all sizes that a fit needs.
fn measured(subject: &str, core: &str, sets: &[(&str, f64)]) -> Record {
    let mut record = Record { self_check: "exact".into(), ..Record::default() };
    record.target.architecture = "riscv64".into();
    for (name, per_byte) in sets {
        let place = ConfigurationRecord {
            subject: subject.into(),
            core: core.into(),
            reports_capabilities: Some(true),
            ..set(name)
        };
        record.rows.extend([256, 1024, 16384].map(|bytes| Row {
            subject: subject.into(),
            core: core.into(),
            capstring: place.capstring.clone().unwrap(),
            ..row("sha256", name, bytes, 500.0 + per_byte * bytes as f64)
        }));
        record.configurations.push(place);
    }
    record.cores = vec![CoreRecord {
        name: core.into(),
        label: core.into(),
        base: core.into(),
        ..CoreRecord::default()
    }];
    record
}

const SETS: [(&str, f64); 3] = [("scalar", 70.0), ("zvkb", 70.0), ("zvkb_zvknha", 1.5)];

/// A record with everything that is computed.
fn explained() -> Evaluated {
    let mut record = measured("openssl", "karu64", &SETS);
    let names = ["zvkb", "zvknha"].map(String::from).to_vec();
    record.dispatch = [("sha256".to_string(), vec![names])].into();
    let driver = record.rows[2].clone();
    let (subject, stated_kbps) = (crate::subject::SPEED.into(), driver.kbps());
    record.speed =
        vec![Row { subject, stated_kbps, ops_per_s: None, insns_per_op: None, ..driver }];
    record.evaluate().unwrap()
}

/// Falsifies every field that is computed, in JSON.
fn falsify(record: &mut Value) {
    for list in ["rows", "speed"] {
        for row in record[list].as_array_mut().unwrap() {
            let figures = [
                "insns_per_byte",
                "cycles_per_byte",
                "speedup",
                "published_kBps",
                "ratio",
                "best_published_insns_per_byte",
                "over_best_published",
                "estimate_insns_per_byte",
                "over_estimate",
                "insns_ratio",
            ];
            for figure in figures {
                row[figure] = json!(777.0);
            }
            // `openssl speed` states nothing else.
            if list == "rows" {
                row["kBps"] = json!(777.0);
            }
            row["kernel_needs"] = json!("zkr");
            row["best_published_source"] = json!("nobody");
        }
    }
    record["fits"][0]["insns"]["per_byte"] = json!(777.0);
    let explanation = &mut record["explanations"][0];
    explanation["best"] = json!("full");
    explanation["steps"][0]["factor"] = json!(777.0);
    explanation["effects"][0]["needs"] = json!(["zkr"]);
    explanation["unmeasured"] = json!([{ "extension": "zkr", "with": ["v"] }]);
}

fn json(record: &Evaluated) -> Value {
    serde_json::to_value(record).unwrap()
}

#[test]
fn a_falsified_record_is_shown_as_its_facts_are() {
    let record = explained();
    let published: Vec<_> = record.derived.iter().filter_map(|d| d.published_kbps).collect();
    assert_eq!(published, [209.5, 2414.2]);
    assert_eq!(record.derived_speed[0].published_kbps, Some(209.5));
    assert!(record.derived.iter().any(|d| d.over_estimate.is_some()));
    assert_eq!((record.fits.len(), record.explanations.len()), (3, 3));
    let mut value = json(&record);
    falsify(&mut value);
    assert_eq!(value.to_string().matches("777").count(), 11 * 9 + 10 + 2);
    let read = parse(value.to_string().as_bytes()).unwrap();
    assert_eq!(json(&read), json(&record));
    assert_eq!(text(&read, None).unwrap(), text(&record, None).unwrap());
    assert_eq!(markdown(&read).unwrap(), markdown(&record).unwrap());
    assert_eq!(read.csv(), record.csv());
    assert!(text(&read, None).unwrap().contains("zvkb with zvknha"));
}

#[test]
fn falsified_columns_of_a_csv_are_computed_anew() {
    let record = explained();
    let mut false_ones = record.clone();
    for derived in false_ones.derived.iter_mut().chain(&mut false_ones.derived_speed) {
        derived.speedup = Some(777.0);
        derived.published_kbps = Some(777.0);
        derived.ratio = Some(777.0);
        derived.estimate_ipb = Some(777.0);
        derived.kernel_needs = "zkr".into();
    }
    assert!(false_ones.csv().contains("777"));
    assert_eq!(parse(false_ones.csv().as_bytes()).unwrap().csv(), record.csv());
}

/// A CSV has three decimals of operations per second, too few for signatures that take seconds.
#[test]
fn ratios_of_slow_operations_in_a_csv_are_of_their_cycles() {
    let mut record = measured("openssl", "karu64", &[("scalar", 70.0), ("full", 1.5)]);
    for row in &mut record.rows {
        row.ops_per_s = row.ops_per_s.map(|o| o / 1e5);
    }
    let record = record.evaluate().unwrap();
    let read = parse(record.csv().as_bytes()).unwrap();
    let ratios = |r: &Evaluated| r.derived.iter().map(|d| d.speedup.unwrap()).collect::<Vec<_>>();
    for (read, measured) in ratios(&read).into_iter().zip(ratios(&record)) {
        assert!((read / measured - 1.0).abs() < 1e-5, "{read} instead of {measured}");
    }
    // Nothing says which extensions the hart had if the library detected them.
    let csv = "case,capset,bytes,vlen,core,subject,insns_per_op\nsha256,auto,16384,256,karu64,openssl,24576\n";
    let unknown = parse(csv.as_bytes()).unwrap();
    assert!(unknown.derived[0].kernel_needs.is_empty());
}

#[test]
fn every_library_and_core_is_compared_with_its_own_scalar_set() {
    let places =
        [("openssl", "karu64", 70.0), ("openssl", "marian", 35.0), ("capvec", "karu64", 140.0)];
    let part = |(subject, core, scalar)| {
        measured(subject, core, &[("scalar", scalar), ("zvkb_zvknha", 1.5)])
    };
    let alone = places.map(|place| part(place).evaluate().unwrap());
    let [mut all, second, third] = places.map(part);
    all.join(second);
    all.join(third);
    let all = all.evaluate().unwrap();
    let each = |f: fn(&Evaluated) -> Value| {
        Value::Array(alone.iter().flat_map(|r| f(r).as_array().unwrap().clone()).collect())
    };
    assert_eq!(json(&all)["rows"], each(|r| json(r)["rows"].clone()));
    assert_eq!(json(&all)["fits"], each(|r| json(r)["fits"].clone()));
    let published: Vec<_> = all.derived.iter().map(|d| d.published_kbps).collect();
    assert_eq!(published.iter().flatten().count(), 2, "{published:?}");
}

/// Such a record names neither the rules nor, in explanations and configurations, a core.
#[test]
fn an_old_explanation_keeps_what_followed_from_its_rules() {
    let record = explained();
    let mut old = json(&record);
    old.as_object_mut().unwrap().remove("dispatch");
    for list in ["explanations", "configurations"] {
        for entry in old[list].as_array_mut().unwrap() {
            entry["core"] = json!("");
            entry.as_object_mut().unwrap().remove("reports_capabilities");
        }
    }
    old["explanations"][0]["steps"][0]["factor"] = json!(777.0);
    old["explanations"][0]["best"] = json!("full");
    let read = parse(old.to_string().as_bytes()).unwrap();
    assert_eq!(json(&read)["explanations"], json(&record)["explanations"]);
    // Without explanations, nobody asked for them.
    old["explanations"] = json!([]);
    assert!(parse(old.to_string().as_bytes()).unwrap().explanations.is_empty());
}

/// Numbers that nobody measures, but that a stranger's file may have.
#[test]
fn zeros_and_extremes_give_no_ratio_that_is_not_finite() {
    let mut record = explained().into_facts();
    for (i, row) in record.rows.iter_mut().enumerate() {
        let extreme = Some([0.0, 1e-300, 1e17][i % 3]);
        (row.ops_per_s, row.insns_per_op, row.cycles_per_op) = (extreme, extreme, extreme);
    }
    let read = parse(json(&record.evaluate().unwrap()).to_string().as_bytes()).unwrap();
    let finite = |r: Figure| r.fields().iter().all(|f| !f.contains("inf") && !f.contains("NaN"));
    assert!(read.figures().all(finite));
    let (before, text) = (json(&read).to_string(), text(&read, None).unwrap());
    assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
    assert_eq!(json(&parse(before.as_bytes()).unwrap()).to_string(), before);
}
