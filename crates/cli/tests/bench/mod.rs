//! `capvec bench` as a user runs it, on the stock library of the sysroot.

mod answers;
pub mod connections;
mod portable;

use crate::common::conforming;
use assert_cmd::Command;

/// The columns on which other tools rely.
const HEADER: &str = "target,subject,version,core,vlen,case,algorithm,direction,bytes,capset,capstring,\
    insns_per_op,cycles_per_op,insns_per_byte,cycles_per_byte,kBps,speedup,answers,published_kBps,ratio,ops_per_s,\
    kind,counter,ns_per_op,mad_percent,kernel_needs,best_published_insns_per_byte,over_best_published,estimate_insns_per_byte,\
    over_estimate,best_published_source,core_digest,insns_ratio,cycles_per_op_min,cycles_per_op_max";

fn capvec(args: &[&str]) -> Command {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    c.args(args);
    c
}

fn csv(args: &[&str]) -> String {
    let mut all = vec!["bench", "--format", "csv"];
    all.extend(args);
    let out = capvec(&all).assert().success();
    String::from_utf8(out.get_output().stdout.clone()).expect("UTF-8")
}

/// The values of a column.
fn column<'a>(csv: &'a str, name: &str) -> Vec<&'a str> {
    let at =
        csv.lines().next().and_then(|h| h.split(',').position(|c| c == name)).expect("a column");
    csv.lines().skip(1).map(|l| l.split(',').nth(at).expect("a field")).collect()
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let args =
        ["--cases", "sha256,chacha20", "--caps", "scalar,zvkb_zvknha,auto", "--bytes", "64,1024"];
    let (first, second) = (csv(&args), csv(&args));
    assert_eq!(first, second);
    assert_eq!(first.lines().next(), Some(HEADER));
    // Three sets and two sizes for each of two cases; ChaCha20 in both directions.
    assert_eq!(first.lines().count(), 1 + 3 * 2 * (1 + 2));
}

/// SM4's tables conflict with its context in some layouts, so the layouts differ, and they are the same ones in every run.
#[test]
fn layouts_give_a_range_that_repeats() {
    let args =
        ["bench", "--cases", "sm4-ecb", "--caps", "scalar", "--bytes", "1024", "--kat", "none"];
    let run = || {
        let mut c = capvec(&args);
        let out = c.args(["--layouts", "4", "--format", "json"]).assert().success();
        let text = String::from_utf8(out.get_output().stdout.clone()).expect("UTF-8");
        conforming("record", &text)
    };
    let (first, second) = (run(), run());
    assert_eq!(first["rows"], second["rows"]);
    let rows = first["rows"].as_array().expect("rows");
    assert!(!rows.is_empty());
    for row in rows {
        let cycles: Vec<f64> =
            serde_json::from_value(row["cycles_by_layout"].clone()).expect("a list");
        let mut sorted = cycles.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(cycles.len(), 4);
        assert_eq!(
            (&row["cycles_per_op_min"], &row["cycles_per_op_max"]),
            (&sorted[0].into(), &sorted[3].into())
        );
        assert_eq!(row["cycles_per_op"], sorted[1]);
        assert!(sorted[0] < sorted[3], "{cycles:?}");
    }
    for more in ["--mix", "--profile", "--speed"] {
        let out = capvec(&args).args(["--layouts", "4", more]).assert().code(2);
        let err = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(err.contains("--layouts") && err.contains(more), "{err}");
    }
}

/// SM4's tables conflict with its buffers in a small direct-mapped cache, and ML-KEM's keys come from random numbers:
/// both figures would change if an earlier case had an effect.
#[test]
fn figures_depend_neither_on_other_cases_nor_on_their_order() {
    let rows = |cases: &str, bytes: &str| {
        let table = csv(&["--cases", cases, "--caps", "scalar,full", "--bytes", bytes]);
        let mut rows: Vec<String> = table.lines().skip(1).map(String::from).collect();
        rows.sort();
        rows
    };
    let company = rows("sm4-ecb,aes-128-gcm,ml-kem-512,sha256,ecdsa-p256", "64,1024");
    assert_eq!(company, rows("ecdsa-p256,sha256,ml-kem-512,aes-128-gcm,sm4-ecb", "1024,64"));
    let of = |case: &str, bytes: &str| {
        let is = |r: &&String| {
            let fields: Vec<&str> = r.split(',').collect();
            fields[5] == case && (bytes.is_empty() || fields[8] == bytes)
        };
        company.iter().filter(is).cloned().collect::<Vec<_>>()
    };
    assert_eq!(rows("sm4-ecb", "1024"), of("sm4-ecb", "1024"));
    assert_eq!(rows("sha256", "64"), of("sha256", "64"));
    assert_eq!(rows("ml-kem-512", "64"), of("ml-kem-512", ""));
}

#[test]
fn operations_without_a_message_have_a_rate_per_second() {
    let args = ["--cases", "keys,ec,ml-kem,ml-dsa-44", "--caps", "scalar,full"];
    let table = csv(&args);
    assert!(column(&table, "answers").iter().all(|a| *a == "pass"), "{table}");
    assert!(column(&table, "bytes").iter().all(|b| *b == "0"));
    assert!(column(&table, "kBps").iter().all(|b| b.is_empty()));
    let positive = |s: &&str| s.parse::<f64>().is_ok_and(|v| v > 0.0);
    for name in ["insns_per_op", "cycles_per_op", "ops_per_s", "speedup"] {
        assert!(column(&table, name).iter().all(positive), "{name}: {table}");
    }
    for operation in ["dec", "sign", "verify", "derive", "keygen", "encaps", "decaps"] {
        assert!(column(&table, "direction").contains(&operation), "{operation}");
    }
    let out = capvec(&["bench", "--cases", "sm4-key", "--caps", "scalar,full"]).assert().success();
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    assert!(text.contains("scalar ops/s") && !text.contains("kB/s"), "{text}");
}

#[test]
fn the_list_gives_reasons_and_the_ten_published_cases_are_the_default() {
    let out = capvec(&["bench", "--list"]).assert().success();
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    assert!(text.contains("\nml-kem\n") && text.contains("aes-128-ecb"), "{text}");
    assert!(text.lines().filter(|l| l.starts_with("  ")).all(|l| l.ends_with('.')), "{text}");
    let table = csv(&["--caps", "scalar", "--bytes", "16"]);
    let mut cases = column(&table, "case");
    cases.dedup();
    let published =
        "aes-128-ecb aes-128-ctr aes-128-gcm aes-128-xts ghash sha256 sha512 sm3 sm4-ecb chacha20";
    assert_eq!(cases.join(" "), published);
}

#[test]
fn instructions_per_byte_agree_with_another_emulator() {
    // Stock OpenSSL 3.5.7 under another emulator, `openssl speed -bytes 16384`, start-up subtracted: scalar
    // instructions per byte, to 2 % (the other count includes the benchmark's own loop).
    let published = [
        ("aes-128-ecb", 60.6),
        ("aes-128-ctr", 68.3),
        ("aes-128-gcm", 101.6),
        ("aes-128-xts", 67.9),
        ("sha256", 70.1),
        ("sha512", 39.6),
        ("sm3", 60.2),
        ("sm4-ecb", 63.1),
        ("chacha20", 36.5),
    ];
    let table = csv(&["--core", "ideal", "--caps", "scalar"]);
    for (case, expected) in published {
        let line = table.lines().find(|l| l.contains(&format!(",{case},"))).expect("a row");
        let got: f64 = line.split(',').nth(13).and_then(|f| f.parse().ok()).expect("a number");
        assert!((got / expected - 1.0).abs() < 0.02, "{case}: {got} against {expected}");
    }
}

#[test]
fn out_receives_all_files_and_they_agree_with_the_output() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("deep/er");
    let path = out.to_str().expect("UTF-8");
    let printed = csv(&["--cases", "sm3", "--caps", "scalar", "--out", path]);
    assert_eq!(std::fs::read_to_string(out.join("results.csv")).expect("the file"), printed);
    let record = std::fs::read_to_string(out.join("record.json")).expect("the file");
    let record = conforming("record", &record);
    assert_eq!(record["self_check"], "exact");
    assert_eq!(record["rows"][0]["case"], "sm3");
    assert!(record["packages"].as_array().is_some_and(|p| !p.is_empty()));
    assert!(out.join("table.md").is_file());
}

#[test]
fn wrong_arguments_are_usage_errors_that_name_the_flag() {
    let cases: [(&[&str], &str); 10] = [
        (&["--kat", "many"], "--kat"),
        (&["--vectors", "/nonexistent"], "--vectors"),
        (&["--kat", "none", "--vectors", "."], "--vectors"),
        (&["--core", "karu65"], "karu64"),
        (&["--cases", "aes-127-ecb"], "--cases aes-127-ecb"),
        (&["--caps", "zvknedd"], "zvknedd"),
        (&["--vlen", "200"], "--vlen"),
        (&["--vlen", "131072"], "--vlen"),
        (&["--bytes", "0"], "--bytes"),
        (&["--format", "xml"], "--format"),
    ];
    for (args, needle) in cases {
        let mut all = vec!["bench"];
        all.extend(args);
        let out = capvec(&all).assert().code(2);
        let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(text.contains(needle), "{args:?}: {text}");
    }
}

#[test]
fn an_unwritable_out_is_noticed_before_measuring() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let path = file.path().join("below");
    let out = capvec(&["bench", "--out", path.to_str().expect("UTF-8")]).assert().code(3);
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(text.contains("--out") && out.get_output().stdout.is_empty(), "{text}");
}

/// An unknown name is a mistake in the command, whatever the name is for.
#[test]
fn unknown_sysroots_and_cores_are_usage_errors_of_every_command() {
    let commands: [&[&str]; 6] = [
        &["bench", "--sysroot", "nowhere"],
        &["bench", "--sysroot", "../x"],
        &["caps", "--sysroot", "nowhere"],
        &["caps", "--sysroot", "../x"],
        &["run", "--sysroot", "nowhere", "--", "true"],
        &["run", "--core", "nothing", "--", "true"],
    ];
    for args in commands {
        let out = capvec(args).assert().code(2);
        let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(text.contains(args[2]) && out.get_output().stdout.is_empty(), "{args:?}: {text}");
    }
}

/// The figure is the one that the program prints itself.
#[test]
fn speed_adds_the_figures_of_the_stock_program() {
    let args = ["--cases", "sha256,aes-128-ecb", "--caps", "scalar,zvkned", "--speed"];
    let text = csv(&args);
    let (subjects, speeds) = (column(&text, "subject"), column(&text, "kBps"));
    let (insns, ratios) = (column(&text, "insns_per_op"), column(&text, "ratio"));
    let program: Vec<usize> =
        (0..subjects.len()).filter(|i| subjects[*i] == "openssl speed").collect();
    assert_eq!(program.len(), 4, "{text}");
    for i in program {
        let speed: f64 = speeds[i].parse().unwrap();
        assert!(insns[i].is_empty() && speed > 100.0, "{text}");
        let (case, set) = (column(&text, "case")[i], column(&text, "capset")[i]);
        // Figures were published for scalar and for the best set, which is not zvkned for either case.
        assert_eq!(ratios[i].is_empty(), set == "zvkned", "{text}");
        let driver = (0..subjects.len()).find(|j| {
            subjects[*j] == "openssl"
                && (column(&text, "case")[*j], column(&text, "capset")[*j]) == (case, set)
                && column(&text, "direction")[*j] == "enc"
        });
        let driver: f64 = speeds[driver.unwrap()].parse().unwrap();
        // Tables lie elsewhere in the caches, so the figures differ slightly; a wrong unit or row would be far off.
        assert!((speed / driver - 1.0).abs() < 0.2, "{case} {set}: {speed} and {driver}");
    }
}

#[test]
fn figures_of_long_messages_are_compared_with_published_kernels_and_estimates() {
    let args = ["--cases", "aes-128-cbc,aes-128-ocb,sha1", "--caps", "full", "--kat", "none"];
    let args =
        [&args[..], &["--subject", "capvec", "--core", "ideal", "--bytes", "64,16384"]].concat();
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().to_str().expect("UTF-8");
    let printed = csv(&[&args[..], &["--vlen", "128,512", "--out", path]].concat());
    let field = |line: &str, name: &str| {
        let at = HEADER.split(',').position(|c| c == name).expect("a column");
        line.split(',').nth(at).expect("a field").to_string()
    };
    // Case, direction, VLEN; best published and estimate of published/kernels.csv.
    let known = [
        (["aes-128-cbc", "dec", "128"], ["0.3750", "0.1480"]),
        (["aes-128-cbc", "dec", "512"], ["0.0938", "0.0370"]),
        (["aes-128-cbc", "enc", "512"], ["1.1250", "1.0600"]),
        (["aes-128-ocb", "enc", "128"], ["", "0.3300"]),
    ];
    let mut found = 0;
    for line in printed.lines().skip(1) {
        let place = ["case", "direction", "vlen"].map(|c| field(line, c));
        let references =
            ["best_published_insns_per_byte", "estimate_insns_per_byte"].map(|c| field(line, c));
        let ratios = ["over_best_published", "over_estimate"].map(|c| field(line, c));
        if field(line, "bytes") == "64" || place[0] == "sha1" {
            assert_eq!([references, ratios].concat(), [""; 4], "{line}");
            continue;
        }
        let ours: f64 = field(line, "insns_per_byte").parse().expect("a number");
        for (figure, ratio) in references.iter().zip(&ratios).filter(|(f, _)| !f.is_empty()) {
            let [figure, ratio] = [figure, ratio].map(|f| f.parse::<f64>().expect("a number"));
            assert!((ours / figure - ratio).abs() < 0.002, "{line}");
        }
        found += known.iter().filter(|(p, b)| place == *p && references == *b).count();
    }
    assert_eq!(found, known.len(), "{printed}");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect("the file");
    let record = conforming("record", &read("record.json"));
    let is = |r: &&serde_json::Value| {
        r["case"] == "aes-128-cbc"
            && r["direction"] == "dec"
            && r["vlen"] == 512
            && r["bytes"] == 16384
    };
    let row = record["rows"].as_array().expect("rows").iter().find(is).expect("the row");
    assert_eq!(row["best_published_insns_per_byte"], 0.09375);
    assert!(row["best_published_source"].as_str().is_some_and(|s| s.starts_with("Linux")), "{row}");
    let table = read("table.md");
    assert!(table.contains("Compared with the best published kernels"), "{table}");
    assert!(table.contains("| over best published | estimate | over estimate |"), "{table}");
    assert!(!table.contains("sha1 | enc | v"), "{table}");
}

/// Long messages have a driver of their own, which leaves the usual figures unchanged.
#[test]
fn messages_may_be_longer_than_the_buffer_of_the_usual_driver() {
    let args = ["--cases", "sha256,aes-128-ecb", "--caps", "full", "--kat", "none", "--bytes"];
    let of = |bytes: &str| csv(&[&args[..], &[bytes]].concat());
    let (both, usual) = (of("65536,1048576"), of("65536"));
    for line in usual.lines() {
        assert!(both.lines().any(|l| l == line), "{line}\n{both}");
    }
    let figures = |size: &str| {
        let insns = column(&both, "insns_per_op");
        let sizes = column(&both, "bytes");
        let own = sizes.iter().zip(insns).filter(|(s, _)| **s == size);
        own.map(|(_, n)| n.parse::<f64>().expect("a number")).collect::<Vec<_>>()
    };
    let (short, long) = (figures("65536"), figures("1048576"));
    assert_eq!((short.len(), long.len()), (3, 3), "{both}");
    // Sixteen times the bytes cost sixteen times as much, except for the cost of the call.
    for (short, long) in short.iter().zip(&long) {
        assert!((long / short / 16.0 - 1.0).abs() < 0.03, "{short} {long}");
    }
    let wrong = [("1073741825", "from 1 to 1G"), ("0", "from 1 to 1G"), ("16q", "from 1 to 1G")];
    for (bytes, words) in wrong {
        let out = capvec(&["bench", "--bytes", bytes]).assert().code(2).get_output().clone();
        assert!(String::from_utf8_lossy(&out.stderr).contains(words), "{bytes}");
    }
    let xts = ["bench", "--cases", "aes-128-xts", "--bytes", "16777232"];
    let out = capvec(&xts).assert().code(2).get_output().clone();
    assert!(String::from_utf8_lossy(&out.stderr).contains("16777216 or fewer"), "{out:?}");
}
