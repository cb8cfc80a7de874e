//! Connections of TLS, and operations with several attempts.

use super::{capvec, column, csv};
use std::path::Path;

const CASE: &str = "tls13-x25519mlkem768-p256-aes128gcm";

const SHORT: &str = r#"
family = "short"
[[case]]
id = "tls13-short"
title = "Short"
kind = "tls"
algorithm = "X25519"
parameter = "TLS_AES_128_GCM_SHA256"
key_of = "ecdsa-p256"
operations = OPERATIONS
repeats = 2
why = "A test."
[[case.answer]]
source = "this test"
operation = "server"
out = "HEX"
"#;

/// The file of a cheaper case than those of the program, with these operations.
pub fn short_case(dir: &Path, operations: &[&str]) -> String {
    let agreed = "TLSv1.3 x25519 EC TLS_AES_128_GCM_SHA256 full";
    let hex: String = agreed.bytes().map(|b| format!("{b:02x}")).collect();
    let text = SHORT.replace("HEX", &hex).replace("OPERATIONS", &format!("{operations:?}"));
    let file = dir.join("short.toml");
    std::fs::write(&file, text).expect("a file");
    file.to_str().expect("UTF-8").into()
}

#[test]
fn both_ends_of_a_handshake_are_measured_and_divided() {
    let dir = tempfile::tempdir().expect("a directory");
    let (file, out) =
        (short_case(dir.path(), &["server", "client-resumed", "enc"]), dir.path().join("out"));
    let out = out.to_str().expect("UTF-8");
    let args = [
        "--core",
        "ideal",
        "--cases",
        &file,
        "--caps",
        "full",
        "--kat",
        "none",
        "--profile",
        "--out",
        out,
    ];
    let table = csv(&args);
    let expected = ["server", "client-resumed", "enc", "enc"];
    assert_eq!(column(&table, "direction"), expected);
    assert_eq!(column(&table, "answers"), ["pass"; 4]);
    let text = std::fs::read_to_string(dir.path().join("out/record.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let number = |row: &serde_json::Value, name: &str| row[name].as_f64().unwrap_or_default();
    for row in record["rows"].as_array().expect("rows") {
        // The server sends a certificate in a full handshake.
        let least = match row["direction"].as_str() {
            Some("server") => 700.0,
            _ => 100.0,
        };
        assert!(number(row, "wire_bytes") > least, "{row}");
        // The functions are those of this end alone, and nothing is missing. Heap and caches differ a little between runs.
        let parts = row["functions"].as_array().expect("functions").iter();
        let sum: f64 = parts.map(|f| number(f, "insns")).sum();
        let all = number(row, "insns_per_op");
        assert!((sum / all - 1.0).abs() < 0.02, "{}: {sum} of {all}", row["direction"]);
    }
    let report = std::fs::read_to_string(dir.path().join("out/table.md")).expect("a table");
    for part in ["Handshakes of TLS 1.3", "What the cycles are spent on", "key exchange"] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn connections_are_refused_where_they_cannot_be_measured() {
    for (flags, said) in [
        (["--subject", "capvec"], "openssl"),
        (
            ["--target", "native"],
            "--cases tls: --target native cannot measure each end of a handshake",
        ),
    ] {
        let out = capvec(&["bench", "--cases", CASE]).args(flags).assert().code(2);
        let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(text.contains(said), "{text}");
    }
    let out = capvec(&["doctor", "--cases", CASE]).assert().code(2);
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(text.contains("is no algorithm"), "{text}");
}

/// The mean of the same 16 messages is the usual figure.
#[test]
fn single_signatures_are_those_of_the_usual_figure() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().to_str().expect("UTF-8");
    let args = [
        "--core",
        "ideal",
        "--cases",
        "ml-dsa-44",
        "--caps",
        "rv64gc",
        "--kat",
        "none",
        "--out",
        out,
    ];
    let table = csv(&args);
    assert_eq!(column(&table, "capset"), ["scalar"; 3]);
    let text = std::fs::read_to_string(dir.path().join("record.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let sign = record["rows"].as_array().expect("rows").iter().find(|r| r["direction"] == "sign");
    let sign = sign.expect("a signature");
    let each = sign["each"].as_array().expect("single signatures");
    assert_eq!(each.len(), 64);
    let insns = |n: usize| each[n]["insns"].as_f64().expect("a count");
    let mean = (0..16).map(insns).sum::<f64>() / 16.0;
    let usual = sign["insns_per_op"].as_f64().expect("a count");
    assert!((mean / usual - 1.0).abs() < 1e-4, "{mean} and {usual}");
    // More attempts cost more: the dearest signature is one of those with most attempts.
    let attempts = |n: usize| each[n]["attempts"].as_u64().expect("a number");
    let dearest = (0..64).max_by(|a, b| insns(*a).total_cmp(&insns(*b))).expect("a maximum");
    assert_eq!(attempts(dearest), (0..64).map(attempts).max().expect("a maximum"));
}
