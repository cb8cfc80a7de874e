//! `capvec report` and `capvec compare`, on records of a real sweep.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn capvec(args: &[&str]) -> (i32, String, String) {
    let out = Command::cargo_bin("capvec").unwrap().args(args).output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code().unwrap(), text(&out.stdout), text(&out.stderr))
}

fn record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/report/plots")
}

/// The record with cycles of `aes-128-gcm` grown by a part.
fn slower(dir: &Path, by: f64) -> PathBuf {
    let text = std::fs::read_to_string(record()).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    for row in json["rows"].as_array_mut().unwrap() {
        if row["case"] == "aes-128-gcm" && row["capset"] == "full" {
            row["cycles_per_op"] = (row["cycles_per_op"].as_f64().unwrap() * (1.0 + by)).into();
        }
    }
    let file = dir.join("record.json");
    std::fs::write(&file, json.to_string()).unwrap();
    file
}

#[test]
fn a_report_is_one_file_and_its_path_is_told() {
    let dir = tempfile::tempdir().unwrap();
    slower(dir.path(), 0.0);
    let file = dir.path().join("r.html");
    let (input, output) = (dir.path().to_str().unwrap(), file.to_str().unwrap());
    let (status, out, err) = capvec(&["report", input, "-o", output, "--title", "A <b> title"]);
    assert_eq!((status, out.trim()), (0, output), "{err}");
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.contains("<h1>A &lt;b&gt; title</h1>") && page.contains("data-plot=\"vlens\""));
    let (status, out, _) = capvec(&["report", input, "-o", "-"]);
    assert!(status == 0 && out.starts_with("<!doctype html>"));
}

#[test]
fn errors_of_a_report_name_the_flag_and_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().to_str().unwrap();
    let (status, _, err) = capvec(&["report", here, "-o", "x.html"]);
    assert!(status == 2 && err.contains("no record in it; give a directory"), "{err}");
    let record = record();
    let record = record.to_str().unwrap();
    let (status, _, err) = capvec(&["report", record, "-o", here]);
    assert!(status == 2 && err.contains("-o") && err.contains("name a file"), "{err}");
    let nowhere = format!("{here}/no/x.html");
    let (status, _, err) = capvec(&["report", record, "-o", &nowhere]);
    assert!(status == 1 && err.contains(&nowhere) && err.contains("writable directory"), "{err}");
}

#[test]
fn a_comparison_s_exit_status_is_its_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let new = slower(dir.path(), 0.03);
    let (old, new) = (record(), new);
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    assert_eq!(capvec(&["compare", old, old, "--fail-over", "0"]).0, 0);
    assert_eq!(capvec(&["compare", old, new]).0, 0);
    assert_eq!(capvec(&["compare", old, new, "--fail-over", "5%"]).0, 0);
    let (status, out, _) = capvec(&["compare", old, new, "--fail-over", "2%", "--format", "md"]);
    assert!(
        status == 1 && out.starts_with("### ❌") && out.contains("| +3.00 % | regression |"),
        "{out}"
    );
    let figures = ["compare", old, new, "--fail-over", "2%", "--figures", "insns"];
    assert_eq!(capvec(&figures).0, 0);
    let (status, out, _) = capvec(&["compare", old, new, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(status == 0 && json["pairs"][0]["changes"][0]["figure"] == "insns");
    let csv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/record/csv");
    let (status, _, err) = capvec(&["compare", old, csv.to_str().unwrap()]);
    assert!(status == 2 && err.contains("core karu64 / marian"), "{err}");
    let (status, _, err) = capvec(&["compare", old, new, "--fail-over", "much"]);
    assert!(status == 2 && err.contains("such as 2%"), "{err}");
}
