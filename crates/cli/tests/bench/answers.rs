//! Answers and vectors: a wrong one blanks the figures that depend on it. Files of cases.

use super::{capvec, column, csv};

/// Asserts that every row passes; returns their number.
fn all_pass(table: &str) -> usize {
    let answers = column(table, "answers");
    assert!(answers.iter().all(|a| *a == "pass"), "{table}");
    assert!(column(table, "insns_per_op").iter().all(|n| n.parse::<f64>().is_ok_and(|n| n > 0.0)));
    answers.len()
}

/// The scalar set has no vectors, so one VLEN stands for all.
#[test]
fn every_row_passes_its_known_answers_at_every_vlen() {
    let scalar = all_pass(&csv(&["--vlen", "128", "--caps", "scalar"]));
    let vector = all_pass(&csv(&["--vlen", "128,256,512", "--caps", "published,auto,full"]));
    // Ten cases, six of which also decrypt.
    assert!(scalar == 16 && vector > 500, "{scalar} and {vector} rows");
}

#[test]
fn every_symmetric_case_passes_on_vectors_of_every_length() {
    let args = ["--cases", "symmetric", "--bytes", "16", "--caps"];
    let scalar = all_pass(&csv(&[&args[..], &["scalar", "--vlen", "128"]].concat()));
    let full = ["full", "--vlen", "128,256,512,1024"];
    let vector = all_pass(&csv(&[&args[..], &full].concat()));
    assert!(scalar > 100 && vector > 400, "{scalar} and {vector} rows");
}

/// Writes a file of cases in the format of `cases/`, with this answer, which may be wrong.
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
fn cases_of_a_users_file_are_measured_next_to_the_built_in_ones() {
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
    let finding = "my-sha256 enc at VLEN 256 with full: answers: wrong answer of FIPS 180-4";
    assert!(stderr.contains(finding), "{stderr}");
    let out = capvec(&args).assert().code(1);
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    let line = text.lines().find(|l| l.contains("my-sha256")).expect("a line");
    assert!(line.contains("wrong answer of FIPS 180-4") && line.contains('–'), "{text}");
}

/// Writes a directory of two vectors: "abc" with its digest, and another message with the same digest, which is wrong.
fn sabotaged(dir: &std::path::Path) -> String {
    let text = format!(
        "format = capvec-vectors 1\norigin = a test\nlicence = none\n\n\
         algorithm = sha256\nid = abc\nin = 616263\nout = {ABC}\n\n\
         algorithm = sha256\nid = wrong\nin = 61\nout = {ABC}\n"
    );
    std::fs::write(dir.join("own.txt"), text).expect("a file");
    dir.to_str().expect("UTF-8").to_string()
}

/// The known answers pass but a vector fails: the case has no figure with any set, and the other case has all.
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
            let failure = ",\"kat: 1 of 2 vectors fail, first own.txt:wrong: hash, one update: ";
            assert_eq!(line.contains(failure), wrong, "{table}");
            assert_eq!(line.contains(",pass,"), !wrong, "{table}");
            assert_eq!(column(&table, "kBps")[i].is_empty(), wrong, "{table}");
        }
        let stderr = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert!(
            stderr.contains("sha256 enc at VLEN 256 with full: answers: kat: 1 of 2"),
            "{stderr}"
        );
        // The other case has no vectors: a message says so, and so does the record.
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

/// A known failure of the library blanks the figure like any other, and is named.
#[test]
fn a_known_failure_of_a_path_blanks_only_its_figures() {
    let args = ["bench", "--cases", "aes-128-xts", "--caps", "full", "--bytes", "64"];
    let args = [&args[..], &["--vlen", "1024,2048", "--format", "csv"]].concat();
    let out = capvec(&args).assert().code(1).get_output().stdout.clone();
    let table = String::from_utf8(out).expect("UTF-8");
    for line in table.lines().skip(1) {
        let limit = "kat: 1 of ";
        let known = "(known failure of OpenSSL 3.5 with zvbb zvkg zvkned at VLEN 2048 and above)";
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
