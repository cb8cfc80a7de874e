//! `capvec bench` as a user runs it, on the stock library of the sysroot.

use assert_cmd::Command;

/// The columns that other tools rely on.
const HEADER: &str = "target,subject,version,core,vlen,case,algorithm,direction,bytes,capset,capstring,\
    insns_per_op,cycles_per_op,insns_per_byte,cycles_per_byte,kBps,speedup,answers,published_kBps,ratio,ops_per_s";

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
    // Two cases of three sets and two sizes; ChaCha20 in both directions.
    assert_eq!(first.lines().count(), 1 + 3 * 2 * (1 + 2));
}

/// SM4's tables meet its buffers in a small direct-mapped cache, and keys of ML-KEM are of random numbers: both would
/// show what ran before.
#[test]
fn figures_are_the_same_alone_in_company_and_in_any_order() {
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
fn every_row_passes_its_known_answers_at_every_vlen() {
    let table = csv(&["--vlen", "128,256,512", "--caps", "scalar,published,auto,full"]);
    let answers = column(&table, "answers");
    assert!(answers.len() > 300, "{} rows", answers.len());
    assert!(answers.iter().all(|a| *a == "pass"), "{table}");
    assert!(column(&table, "insns_per_op").iter().all(|n| n.parse::<f64>().is_ok_and(|n| n > 0.0)));
}

#[test]
fn every_symmetric_case_passes_on_vectors_of_every_length() {
    let args = ["--cases", "symmetric", "--caps", "scalar,full", "--bytes", "16"];
    let table = csv(&[&args[..], &["--vlen", "128,256,512,1024"]].concat());
    let answers = column(&table, "answers");
    assert!(answers.len() > 800, "{} rows", answers.len());
    assert!(answers.iter().all(|a| *a == "pass"), "{table}");
}

#[test]
fn operations_without_bytes_are_counted_by_the_second() {
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
fn the_list_says_why_and_without_cases_the_published_ten_are_measured() {
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
fn instructions_per_byte_are_those_counted_elsewhere() {
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
fn out_gets_all_files_and_they_agree_with_what_is_printed() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("deep/er");
    let path = out.to_str().expect("UTF-8");
    let printed = csv(&["--cases", "sm3", "--caps", "scalar", "--out", path]);
    assert_eq!(std::fs::read_to_string(out.join("results.csv")).expect("the file"), printed);
    let record = std::fs::read_to_string(out.join("record.json")).expect("the file");
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    assert_eq!(record["self_check"], "exact");
    assert_eq!(record["rows"][0]["case"], "sm3");
    assert!(record["packages"].as_array().is_some_and(|p| !p.is_empty()));
    assert!(out.join("table.md").is_file());
}

#[test]
fn wrong_arguments_are_usage_errors_that_name_the_flag() {
    let cases: [(&[&str], &str); 7] = [
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
    let out = capvec(&["bench", "--out", path.to_str().expect("UTF-8")]).assert().code(1);
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(text.contains("--out") && out.get_output().stdout.is_empty(), "{text}");
}

#[test]
fn a_missing_sysroot_says_what_to_do() {
    let out = capvec(&["bench", "--sysroot", "nowhere"]).assert().failure();
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(text.contains("nowhere"), "{text}");
}
