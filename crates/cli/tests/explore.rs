//! `capvec explore`: its figures are those of `bench`, its limits bound them. docs/explore.md is tested in doc_commands.rs.

use crate::bench::connections::short_case;
use crate::common::{capvec, conforming, output};
use serde_json::Value;

fn explore(args: &[&str], status: i32) -> (String, String) {
    capvec().args(["bench", "-q", "--setup-only"]).assert().success();
    output(capvec().args(["explore", "-q"]).args(args), status)
}

fn json(args: &[&str]) -> Value {
    let (text, _) = explore(&[args, &["--format", "json"]].concat(), 0);
    conforming("explore", &text)
}

fn cycles(explored: &Value, with: &str, vlen: u64, price: &Value) -> f64 {
    let points = explored["points"].as_array().expect("points");
    let own =
        points.iter().find(|p| p["with"] == with && p["vlen"] == vlen && p["price"] == *price);
    own.and_then(|p| p["cycles"].as_f64()).unwrap_or_else(|| panic!("{with} {vlen} {price}"))
}

#[test]
fn figures_are_those_of_bench_and_within_the_limit() {
    let case = ["--cases", "sha3-256", "--bytes", "1024", "--vlen", "256,512"];
    let explored = json(&[&["--with", "zvknhk0p2", "--latency", "1,64"], &case[..]].concat());
    let args =
        ["bench", "-q", "--subject", "capvec", "--caps", "full,full_zvknhk0p2", "--kat", "none"];
    let (text, _) = output(capvec().args(args).args(case).args(["--format", "json"]), 0);
    let record = conforming("record", &text);
    for row in record["rows"].as_array().expect("rows") {
        let with = if row["capset"] == "full" { "" } else { "zvknhk0p2" };
        let own = cycles(&explored, with, row["vlen"].as_u64().expect("a VLEN"), &"core".into());
        assert_eq!(Some(own), row["cycles_per_op"].as_f64(), "{row}");
    }
    let at = |price: Value| cycles(&explored, "zvknhk0p2", 256, &price);
    let [free, one, many] = [
        at("free".into()),
        at(serde_json::json!({"cycles": 1})),
        at(serde_json::json!({"cycles": 64})),
    ];
    // Eight blocks: 63 cycles more for each.
    assert!(free < one && (many - one - 8.0 * 63.0).abs() < 8.0, "{free} {one} {many}");
    // All but the driver's own loop is in the functions.
    let functions = explored["functions"].as_array().expect("functions");
    let own = functions.iter().filter(|f| f["with"] == "zvknhk0p2");
    let sum: f64 = own.clone().filter_map(|f| f["insns"].as_f64()).sum();
    let points = explored["points"].as_array().expect("points");
    let point = points.iter().find(|p| p["with"] == "zvknhk0p2").and_then(|p| p["insns"].as_f64());
    assert!((sum - point.expect("a figure")).abs() < 40.0, "{sum} {point:?}");
    assert!(own.clone().any(|f| f["function"] == "cv_keccak_zvknhk0p2"), "{functions:?}");
    // Every instruction is of a class, and so is every cycle: but for the driver's loop, the sums are the figures.
    let classes = explored["classes"].as_array().expect("classes");
    let sum = |of: &str| -> f64 {
        let own = classes.iter().filter(|c| c["with"] == "zvknhk0p2");
        own.filter_map(|c| c[of].as_f64()).sum()
    };
    assert!((sum("insns") - point.expect("a figure")).abs() < 40.0, "{classes:?}");
    let all = at("core".into());
    assert!((sum("cycles") - all).abs() < 0.05 * all, "{} {all}", sum("cycles"));
    assert_eq!(explored["with"][0]["instructions"], serde_json::json!(["vkeccak.vi"]));
}

/// The functions of an operation that is measured once are those of one operation, too.
#[test]
fn operations_that_are_measured_once() {
    let args =
        ["--with", "zbb", "--base", "scalar", "--subject", "openssl", "--cases", "aes-128-cfb1"];
    let explored =
        json(&[&args[..], &["--bytes", "256", "--vlen", "256", "--latency", "1"]].concat());
    let insns = |of: &str, direction: &str| -> f64 {
        let all = explored[of].as_array().expect("figures");
        let own = |f: &&Value| f["with"] == "zbb" && f["direction"] == direction;
        let own = all.iter().filter(own).filter(|f| f["price"].is_null() || f["price"] == "core");
        own.filter_map(|f| f["insns"].as_f64()).sum()
    };
    for direction in ["enc", "dec"] {
        let [point, functions, classes] =
            ["points", "functions", "classes"].map(|of| insns(of, direction));
        assert!((functions / point - 1.0).abs() < 0.1, "{direction}: {functions} {point}");
        assert!((classes / point - 1.0).abs() < 0.1, "{direction}: {classes} {point}");
    }
}

/// The instructions of a handshake are those of one end, by function and by class.
#[test]
#[ignore = "ten seconds; run by `make test-long`"]
fn one_end_of_a_connection() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = short_case(dir.path(), &["server"]);
    let args = ["--with", "zvkb", "--base", "scalar", "--subject", "openssl", "--cases", &file];
    let explored = json(&[&args[..], &["--core", "ideal", "--vlen", "256"]].concat());
    let insns = |of: &str| -> f64 {
        let all = explored[of].as_array().expect("figures").iter();
        all.filter(|f| f["with"] == "zvkb").filter_map(|f| f["insns"].as_f64()).sum()
    };
    let [point, functions, classes] = ["points", "functions", "classes"].map(insns);
    assert!((functions / point - 1.0).abs() < 0.02, "{functions} {point}");
    assert!((classes / point - 1.0).abs() < 0.02, "{classes} {point}");
}

/// Drafts that exclude each other are compared, not added up; on a core without a model of cycles, only counts are.
#[test]
fn alternatives_and_cores_without_prices() {
    let args =
        ["--with", "zvknhk0p1", "--with", "zvknhk0p2", "--cases", "shake128", "--core", "ideal"];
    let quick = ["--bytes", "168", "--vlen", "256"];
    let (table, _) = explore(&[&args[..], &quick, &["--format", "markdown"]].concat(), 0);
    assert!(
        table.contains("## Alone and together") && !table.contains("zvknhk0p1_zvknhk0p2"),
        "{table}"
    );
    let alternatives = "zvknhk0p1 and zvknhk0p2 are alternatives: vkeccak.vi of zvknhk0p1 and vkeccak.vi of zvknhk0p2 have a common encoding";
    assert!(table.contains(alternatives), "{table}");
    assert!(!table.contains("limit") && !table.contains("By latency"), "{table}");
    let args = ["--with", "zvkb", "--with", "zvkned", "--base", "scalar", "--cases", "aes-128-ctr"];
    let csv = ["--subject", "openssl", "--format", "csv", "--latency", "4"];
    let (csv, _) = explore(&[&args[..], &csv, &quick].concat(), 0);
    assert!(csv.contains(",zvkb_zvkned,256,free,aes-128-ctr,enc,"), "{csv}");
}

#[test]
fn errors_name_the_flag() {
    for (args, parts) in [
        (&["--with", "zvknhk", "--cases", "sha3-256"][..], &["--with zvknhk", "zvknhk0p2"][..]),
        (&["--with", "nope", "--cases", "sha3-256"], &["--with nope", "unknown extension"]),
        (&["--with", "zvkb", "--cases", "nope"], &["--cases", "nope"]),
        (&["--with", "zvkb", "--base", "nope", "--cases", "sha256"], &["--base nope", "unknown"]),
        (
            &["--with", "xrotxor", "--cases", "sha256"],
            &["--with xrotxor: unknown extension", "--isa-file FILE adds your own"],
        ),
        (&["--with", "zvknhk0p2", "--latency", "0", "--cases", "sha256"], &["--latency"]),
        (&["--with", "", "--cases", "sha256"], &["--with: a name is missing"]),
        (&["--with", "zvkb", "--base", "auto", "--cases", "sha256"], &["--base auto", "full"]),
        (&["--with", "zvkb"], &["--cases"]),
        (
            &["--with", "zbb", "--cases", "sha3-256"],
            &["--with zbb: --base full has it already", "such as scalar"],
        ),
        (
            &["--with", "zvknhk0p2", "--cases", "sha256,x25519"],
            &["--cases: --subject capvec has no x25519", "--subject openssl has it"],
        ),
        (&["--with", "zvknhk0p2", "--cases", "sha256", "--bytes", "65537"], &["from 1 to 65536,"]),
        (
            &["--with", "zvknhk0p2", "--cases", "sha256", "--set", "insn.nope.latency=3"],
            &["--set insn.nope.latency=3", "--isa-file has no such instruction"],
        ),
    ] {
        let (_, errors) = explore(args, 2);
        assert!(parts.iter().all(|p| errors.contains(p)), "{args:?}: {errors}");
        assert!(!errors.contains("--caps"), "{args:?} has no --caps: {errors}");
    }
}

/// What a page must say so that its headline is not taken for more than it is.
#[test]
fn a_page_says_what_is_assumed_and_how_small_gains_are() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().display().to_string();
    let args =
        ["--with", "zvknhk0p2", "--cases", "sha3-256,sha256", "--bytes", "1024", "--out", &out];
    let (table, _) = explore(&[&args[..], &["--latency", "1", "--vlen", "256"]].concat(), 0);
    let cost = "vkeccak.vi: per round, first 1, next 1 (assumed: a round a cycle";
    assert!(table.contains(cost) && table.contains(" 1 cycle\n"), "{table}");
    assert!(table.contains("in addition to full (every extension that OpenSSL knows)"), "{table}");
    let page = dir.path().join("page.html");
    output(capvec().args(["report", &out, "-o"]).arg(&page), 0);
    let html = std::fs::read_to_string(&page).expect("the page");
    assert!(html.contains("assumed: a round a cycle"), "the cost");
    assert!(html.contains("full (every extension that OpenSSL knows)"), "the base");
    assert!(html.contains("; the best of 2, the least is 1"), "the headline");
}

#[test]
fn out_has_every_format() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("out").display().to_string();
    let args = [
        "--with", "zbb", "--base", "scalar", "--cases", "sha3-256", "--bytes", "64", "--out", &out,
    ];
    explore(&[&args[..], &["--latency", "3", "--vlen", "256"]].concat(), 0);
    let read =
        |name: &str| std::fs::read_to_string(dir.path().join("out").join(name)).expect("a file");
    assert!(read("explore.md").contains("| zbb | sha3-256 | enc | 64 |"));
    assert_eq!(read("explore.csv").lines().count(), 1 + 4);
    let json = conforming("explore", &read("explore.json"));
    assert_eq!(json["explore"], 1);
    // The same file makes a page; it is not a record to compare.
    let page = dir.path().join("page.html");
    output(capvec().args(["report", &out, "-o"]).arg(&page), 0);
    let html = std::fs::read_to_string(&page).expect("the page");
    assert!(html.contains("What instructions buy") && html.contains("By latency"));
    assert!(html.contains("scalar (rv64gc)"), "what it was added to");
    assert!(html.contains("What would be next") && html.contains("data-plot=\"gains\""));
    let file = dir.path().join("out/explore.json");
    let (_, errors) = output(capvec().arg("compare").args([&file, &file]), 2);
    assert!(errors.contains("explore"), "{errors}");
}
