use super::*;
use serde_json::Value;

const FILE: &str = include_str!("../../../report/tests/records/doctor.json");

/// Whoever reads a file sees all that was written, the scans included.
#[test]
fn what_is_written_is_read_back() {
    let mut file: Value = serde_json::from_str(FILE).unwrap();
    let scan = serde_json::json!({ "machine": "riscv64", "uses": [] });
    file["diagnosis"]["facts"]["file"]["scan"] = scan.clone();
    let record: Record<Value> = serde_json::from_value(file).unwrap();
    assert_eq!(record.schema, 0);
    let written = Record { schema: SCHEMA, ..record };
    let text = serde_json::to_string(&written).unwrap();
    let back: Record<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    assert_eq!(back.diagnosis.unwrap().facts.file.unwrap().scan, scan);
    assert_eq!(parse(&text).unwrap().findings().len(), written.findings().len());
    assert!(written.is_lost() && !written.is_wrong());
}

#[test]
fn a_newer_format_and_an_unknown_verdict_are_refused() {
    let error = |text: &str| format!("{:#}", parse(text).unwrap_err());
    assert!(error("{\"diagnosis\":null,\"schema\":2}").contains("use a newer capvec"));
    let unknown = FILE.replace("\"accelerated\"", "\"fine\"");
    assert!(error(&unknown).contains("unknown variant `fine`"), "{}", error(&unknown));
}

/// A verdict is written in lower case with hyphens, and shown with spaces.
#[test]
fn verdicts_have_one_name() {
    let all = [Verdict::Accelerated, Verdict::HiddenByKernel, Verdict::NotDetected, Verdict::Wrong];
    for verdict in all {
        let written = serde_json::to_value(verdict).unwrap();
        assert_eq!(written.as_str().unwrap().replace('-', " "), verdict.name());
    }
}
