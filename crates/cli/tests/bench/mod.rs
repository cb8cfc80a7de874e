//! `capvec bench` as a user runs it, on the stock library of the sysroot.

use assert_cmd::Command;

/// The columns that other tools rely on.
const HEADER: &str = "target,subject,version,core,vlen,case,algorithm,direction,bytes,capset,capstring,\
    insns_per_op,cycles_per_op,insns_per_byte,cycles_per_byte,kBps,speedup,answers,published_kBps,ratio,ops_per_s,\
    kind,counter,ns_per_op,mad_percent,kernel_needs,best_published_insns_per_byte,over_best_published,estimate_insns_per_byte,\
    over_estimate,best_published_source,core_digest,insns_ratio";

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

/// A name that nothing has is a mistake of whoever wrote it, whatever it names.
#[test]
fn unknown_sysroots_are_usage_errors_of_every_command() {
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

/// A file of cases like those of `cases/`, with one answer that is right or wrong.
fn own_case(dir: &std::path::Path, answer: &str) -> String {
    let path = dir.join("mine.toml");
    // FIPS 180-4: the digest of "abc".
    let text = format!(
        "family = \"mine\"\n[[case]]\nid = \"my-sha256\"\ntitle = \"SHA-256\"\nkind = \"digest\"\n\
         algorithm = \"SHA256\"\nwhy = \"One's own.\"\n[[case.answer]]\nsource = \"FIPS 180-4\"\n\
         in = \"616263\"\nout = \"{answer}\"\n"
    );
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_string()
}

const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

#[test]
fn a_file_of_ones_own_cases_is_measured_beside_the_others() {
    let dir = tempfile::tempdir().expect("a directory");
    let cases = format!("{},sha256", own_case(dir.path(), ABC));
    let table = csv(&["--cases", &cases, "--caps", "scalar", "--bytes", "64"]);
    assert_eq!(column(&table, "case"), ["my-sha256", "sha256"]);
    assert_eq!(column(&table, "answers"), ["pass", "pass"]);
    let counts = column(&table, "insns_per_op");
    assert!(counts[0] == counts[1], "{table}");
    let listed = capvec(&["bench", "--list", "--cases", &cases]).assert().success();
    let text = String::from_utf8_lossy(&listed.get_output().stdout).into_owned();
    assert!(text.contains("mine\n  my-sha256 ") && text.contains("sha\n  sha256 "), "{text}");
}

#[test]
fn a_wrong_answer_blanks_the_figures_and_fails() {
    let dir = tempfile::tempdir().expect("a directory");
    let cases = format!("{},sha256", own_case(dir.path(), &ABC.replace("ba78", "ba79")));
    let args = ["bench", "--cases", &cases, "--caps", "scalar,full", "--bytes", "64"];
    let out = capvec(&[&args[..], &["--format", "csv"]].concat()).assert().code(1);
    let (stdout, stderr) = (&out.get_output().stdout, &out.get_output().stderr);
    let table = String::from_utf8(stdout.clone()).expect("UTF-8");
    let figures =
        ["insns_per_op", "cycles_per_op", "insns_per_byte", "cycles_per_byte", "kBps", "speedup"];
    for (i, case) in column(&table, "case").iter().enumerate() {
        let wrong = *case == "my-sha256";
        let answers = column(&table, "answers")[i];
        assert_eq!(answers, if wrong { "wrong answer of FIPS 180-4" } else { "pass" });
        assert!(figures.iter().all(|f| column(&table, f)[i].is_empty() == wrong), "{table}");
    }
    let stderr = String::from_utf8_lossy(stderr).into_owned();
    let told = "my-sha256 enc at VLEN 256 with full: answers: wrong answer of FIPS 180-4";
    assert!(stderr.contains(told), "{stderr}");
    let out = capvec(&args).assert().code(1);
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    let line = text.lines().find(|l| l.contains("my-sha256")).expect("a line");
    assert!(line.contains("wrong answer of FIPS 180-4") && line.contains('–'), "{text}");
}

/// A directory of vectors with "abc" right and, in place of a hash of one byte, a wrong one.
fn sabotaged(dir: &std::path::Path) -> String {
    let text = format!(
        "format = capvec-vectors 1\norigin = a test\nlicence = none\n\n\
         algorithm = sha256\nid = abc\nin = 616263\nout = {ABC}\n\n\
         algorithm = sha256\nid = wrong\nin = 61\nout = {ABC}\n"
    );
    std::fs::write(dir.join("own.txt"), text).expect("a file");
    dir.to_str().expect("UTF-8").to_string()
}

/// Its known answers are right, but a vector is not: no figure, on no set, and only of that case.
#[test]
fn a_wrong_vector_blanks_the_figures_and_fails() {
    let dir = tempfile::tempdir().expect("a directory");
    let vectors = sabotaged(dir.path());
    let args = ["bench", "--cases", "sha256,sm3", "--caps", "scalar,full", "--bytes", "64"];
    let with = [&args[..], &["--vectors", &vectors, "--format", "csv"]].concat();
    for depth in ["some", "all"] {
        let out = capvec(&[&with[..], &["--kat", depth]].concat()).assert().code(1);
        let table = String::from_utf8(out.get_output().stdout.clone()).expect("UTF-8");
        assert_eq!(column(&table, "case"), ["sha256", "sm3", "sha256", "sm3"]);
        for (i, case) in column(&table, "case").iter().enumerate() {
            let wrong = *case == "sha256";
            let line = table.lines().nth(i + 1).expect("a row");
            let told = ",\"kat: 1 of 2 vectors fail, first own.txt:wrong: hash, one update: ";
            assert_eq!(line.contains(told), wrong, "{table}");
            assert_eq!(line.contains(",pass,"), !wrong, "{table}");
            assert_eq!(column(&table, "kBps")[i].is_empty(), wrong, "{table}");
        }
        let stderr = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(
            stderr.contains("sha256 enc at VLEN 256 with full: answers: kat: 1 of 2"),
            "{stderr}"
        );
        // Of the other case nothing was checked, which is told, and stands in the record.
        assert!(stderr.contains("there are no vectors for sm3, so"), "{stderr}");
        assert!(!stderr.contains("no vectors for sha256"), "{stderr}");
    }
    let json = [&args[..], &["--vectors", &vectors, "--format", "json"]].concat();
    let out = capvec(&json).assert().code(1).get_output().stdout.clone();
    let record: serde_json::Value = serde_json::from_slice(&out).expect("a record");
    assert_eq!(record["without_vectors"], serde_json::json!(["sm3"]));
    let none = csv(&[&args[1..], &["--kat", "none"]].concat());
    assert!(column(&none, "answers").iter().all(|a| *a == "pass"), "{none}");
}

/// The library's own failure blanks the figure as any other, and is named.
#[test]
fn a_known_limit_of_a_path_blanks_its_figures_only() {
    let args = ["bench", "--cases", "aes-128-xts", "--caps", "full", "--bytes", "64"];
    let args = [&args[..], &["--vlen", "1024,2048", "--format", "csv"]].concat();
    let out = capvec(&args).assert().code(1).get_output().stdout.clone();
    let table = String::from_utf8(out).expect("UTF-8");
    for line in table.lines().skip(1) {
        let limit = "kat: 1 of ";
        let known = "(known limit of OpenSSL 3.5 with zvbb zvkg zvkned at VLEN 2048 and above)";
        let wrong =
            column(&format!("{}\n{line}", table.lines().next().unwrap_or_default()), "vlen")
                == ["2048"];
        assert_eq!((line.contains(limit), line.contains(known)), (wrong, wrong), "{line}");
        assert_eq!(line.contains(",pass,"), !wrong, "{line}");
    }
}

#[test]
fn figures_do_not_depend_on_whether_vectors_are_checked() {
    let args = ["--cases", "chacha20,aes-128-gcm-key,ed25519", "--caps", "scalar,full"];
    let some = csv(&args);
    assert_eq!(some, csv(&[&args[..], &["--kat", "none"]].concat()));
}

#[test]
fn a_broken_file_of_cases_is_a_usage_error_that_names_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = own_case(dir.path(), ABC);
    let good = std::fs::read_to_string(&path).expect("the file");
    let broken = [
        ("".into(), "family"),
        (good.replace("family = \"mine\"", "family = \"aes\""), "aes"),
        (good.replace("my-sha256", "sha256"), "sha256"),
        (good.replace("616263", "61626"), "hexadecimal"),
        (good.replace("kind = \"digest\"", "kind = \"dijest\""), "dijest"),
        (good.replace("[[case.answer]]", "[[case.reply]]"), "reply"),
    ];
    for (text, needle) in broken {
        std::fs::write(&path, text).expect("a file");
        let out = capvec(&["bench", "--cases", &path]).assert().code(2);
        let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(text.contains("mine.toml") && text.contains(needle), "{needle}: {text}");
    }
    let missing = dir.path().join("none.toml");
    let out = capvec(&["bench", "--cases", missing.to_str().expect("UTF-8")]).assert().code(2);
    let text = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
    assert!(text.contains("--cases") && text.contains("none.toml"), "{text}");
}

/// The program's own figure, as `capvec run` shows it with the same environment but for its length.
#[test]
fn the_stock_program_is_run_too() {
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
        // Published are scalar and the best set, which for neither is this one.
        assert_eq!(ratios[i].is_empty(), set == "zvkned", "{text}");
        let driver = (0..subjects.len()).find(|j| {
            subjects[*j] == "openssl"
                && (column(&text, "case")[*j], column(&text, "capset")[*j]) == (case, set)
                && column(&text, "direction")[*j] == "enc"
        });
        let driver: f64 = speeds[driver.unwrap()].parse().unwrap();
        // Where tables lie in the caches differs; a wrong unit or row would be far off.
        assert!((speed / driver - 1.0).abs() < 0.2, "{case} {set}: {speed} and {driver}");
    }
}

#[test]
fn long_messages_stand_beside_the_best_published_kernels_and_estimates() {
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
        let beside =
            ["best_published_insns_per_byte", "estimate_insns_per_byte"].map(|c| field(line, c));
        let ratios = ["over_best_published", "over_estimate"].map(|c| field(line, c));
        if field(line, "bytes") == "64" || place[0] == "sha1" {
            assert_eq!([beside, ratios].concat(), [""; 4], "{line}");
            continue;
        }
        let ours: f64 = field(line, "insns_per_byte").parse().expect("a number");
        for (figure, ratio) in beside.iter().zip(&ratios).filter(|(f, _)| !f.is_empty()) {
            let [figure, ratio] = [figure, ratio].map(|f| f.parse::<f64>().expect("a number"));
            assert!((ours / figure - ratio).abs() < 0.002, "{line}");
        }
        found += known.iter().filter(|(p, b)| place == *p && beside == *b).count();
    }
    assert_eq!(found, known.len(), "{printed}");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).expect("the file");
    let record: serde_json::Value = serde_json::from_str(&read("record.json")).expect("JSON");
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

/// By a driver of their own, which leaves the usual figures as they are.
#[test]
fn messages_may_be_longer_than_the_usual_driver_holds() {
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
    // A call costs what it costs, and a byte too.
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
