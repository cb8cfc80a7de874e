//! `capvec report` and `capvec compare` on the record of a real sweep.

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

/// The record with the cycles of `aes-128-gcm` raised by the fraction `by`.
fn slower(dir: &Path, by: f64) -> PathBuf {
    changed(dir, |json| {
        for row in json["rows"].as_array_mut().unwrap() {
            if row["case"] == "aes-128-gcm" && row["capset"] == "full" {
                row["cycles_per_op"] = (row["cycles_per_op"].as_f64().unwrap() * (1.0 + by)).into();
            }
        }
    })
}

/// The record after `change`.
fn changed(dir: &Path, change: impl FnOnce(&mut serde_json::Value)) -> PathBuf {
    let text = std::fs::read_to_string(record()).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    change(&mut json);
    std::fs::create_dir_all(dir).unwrap();
    let file = dir.join("record.json");
    std::fs::write(&file, json.to_string()).unwrap();
    file
}

#[test]
fn a_report_is_one_file_and_its_path_is_printed() {
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
    assert!(status == 2 && err.contains("contains no record; give a directory"), "{err}");
    let record = record();
    let record = record.to_str().unwrap();
    let (status, _, err) = capvec(&["report", record, "--figures", "/nowhere.csv", "-o", "-"]);
    assert!(status == 2 && err.contains("--figures /nowhere.csv: cannot be read"), "{err}");
    let (status, _, err) = capvec(&["report", record, "-o", here]);
    assert!(status == 2 && err.contains("-o") && err.contains("name a file"), "{err}");
    let nowhere = format!("{here}/no/x.html");
    let (status, _, err) = capvec(&["report", record, "-o", &nowhere]);
    assert!(status == 3 && err.contains(&nowhere) && err.contains("writable directory"), "{err}");
}

#[test]
fn the_exit_status_of_a_comparison_is_its_verdict() {
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
    let (status, _, err) = capvec(&["compare", old, new, "--fail-over", "-1"]);
    assert!(status == 2 && err.contains("must be a percentage, 0 or more, such as 2%"), "{err}");
    // Missing rows.
    let dir = tempfile::tempdir().unwrap();
    let less = changed(dir.path(), |json| json["rows"].as_array_mut().unwrap().truncate(3));
    let less = less.to_str().unwrap();
    let (status, out, _) = capvec(&["compare", old, less, "--fail-over", "0"]);
    assert!(status == 1 && out.contains("fails without --allow-missing"), "{out}");
    assert_eq!(capvec(&["compare", old, less, "--fail-over", "0", "--allow-missing"]).0, 0);
    let (status, _, err) = capvec(&["compare", old, less, "--format", "csv"]);
    assert!(status == 1 && err.contains("rows of the old record are missing"), "{err}");
    let (status, _, err) = capvec(&["compare", old, less, "--format", "csv", "--allow-missing"]);
    assert_eq!((status, err.as_str()), (0, ""));
}

#[test]
fn records_of_two_cores_are_compared_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let new = changed(dir.path(), |json| {
        json["rows"].as_array_mut().unwrap().iter_mut().for_each(|r| r["core"] = "marian".into());
    });
    let (old, new) = (record(), new);
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    let (status, _, err) = capvec(&["compare", old, new]);
    assert!(status == 2 && err.contains("--across core"), "{err}");
    let (status, out, err) = capvec(&["compare", old, new, "--across", "core"]);
    assert!(status == 0 && out.starts_with("compared across core karu64 → marian\n"), "{out}{err}");
}

/// Nothing in a record or a file of cases can move the reader's cursor.
#[test]
fn control_characters_in_input_are_escaped() {
    let evil = "x\u{1b}[2J\u{9b}2J\r\n\u{202e}y";
    let dir = tempfile::tempdir().unwrap();
    let new = changed(dir.path(), |json| {
        json["tool"] = evil.into();
        for row in json["rows"].as_array_mut().unwrap() {
            for field in ["case", "capset", "direction"] {
                row[field] = format!("{}{evil}", row[field].as_str().unwrap()).into();
            }
            row["answers"] = evil.into();
            row["cycles_per_op"] = 1.into();
        }
    });
    let good = changed(&dir.path().join("good"), |json| {
        let text = std::fs::read_to_string(&new)
            .unwrap()
            .replace(r#""cycles_per_op":1"#, r#""cycles_per_op":2"#);
        *json = serde_json::from_str(&text).unwrap();
        json["rows"].as_array_mut().unwrap().iter_mut().for_each(|r| r["answers"] = "pass".into());
        json["tool"] = "y\u{1b}".into();
    });
    let cases = dir.path().join("cases.toml");
    let text = r#"family = "mine"
        [[case]]
        id = "mine"
        title = "SHA-256\u001b[2J"
        kind = "digest"
        algorithm = "SHA256"
        why = "y\u001b[2J\u009b2J\r\u202e"
        [[case.answer]]
        source = "FIPS 180-4"
        in = "616263"
        out = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    "#;
    std::fs::write(&cases, text).unwrap();
    let wrong = dir.path().join("wrong.toml");
    std::fs::write(&wrong, text.replace("digest", "di\\u001b\\u009bgest")).unwrap();
    let broken = dir.path().join("broken.csv");
    std::fs::write(&broken, "case,capset,bytes,kBps\nx,s,16,\u{1b}[2J\u{9b}\n").unwrap();
    let [old, new, cases, wrong, broken] =
        [&good, &new, &cases, &wrong, &broken].map(|p| p.to_str().unwrap());
    let mut commands: Vec<Vec<&str>> = ["table", "md", "csv", "json"]
        .map(|format| vec!["compare", old, new, "--all", "--format", format])
        .to_vec();
    commands.push(vec!["report", broken, "-o", "/dev/null"]);
    commands.push(vec!["compare", broken, old]);
    commands.push(vec!["bench", "--list", "--cases", cases]);
    commands.push(vec!["bench", "--cases", wrong]);
    for args in commands {
        let (_, out, err) = capvec(&args);
        let printed = out + &err;
        let is_unsafe = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!printed.contains(is_unsafe), "{args:?}: {printed:?}");
        assert!(printed.contains(r"\u001b"), "{args:?}: {printed}");
    }
}

/// File names and text from records cannot break the line of the message that quotes them.
#[test]
fn an_error_is_one_line_whatever_it_quotes() {
    let dir = tempfile::tempdir().unwrap();
    let evil = "a\r\ncapvec: all is well\n";
    let missing = dir.path().join(evil);
    let broken = dir.path().join(format!("{evil}.csv"));
    std::fs::write(&broken, "case,capset,bytes,kBps\nx,s,16,\"\r\nno\n\"\n").unwrap();
    let other = changed(&dir.path().join("other"), |json| {
        json["rows"].as_array_mut().unwrap().iter_mut().for_each(|r| r["core"] = evil.into());
    });
    let [missing, broken, other] = [&missing, &broken, &other].map(|p| p.to_str().unwrap());
    let record = record();
    let record = record.to_str().unwrap();
    let directory = format!("{}/{evil}", dir.path().display());
    std::fs::create_dir(&directory).unwrap();
    for args in [
        vec!["report", missing],
        vec!["report", broken],
        vec!["report", record, "-o", &directory],
        vec!["compare", missing, record],
        vec!["compare", broken, record],
        vec!["compare", record, other],
    ] {
        let (status, _, err) = capvec(&args);
        assert!(status == 2 && err.contains(r"\u000a"), "{args:?}: {err}");
        assert!(err.ends_with('\n') && err.matches(['\n', '\r']).count() == 1, "{err:?}");
    }
}

/// A script reads the exact path from standard output, whatever bytes it has.
#[test]
fn the_path_of_a_report_is_printed_as_it_is() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(std::ffi::OsStr::from_bytes(b"r\xff\x9b.html"));
    let mut command = Command::cargo_bin("capvec").unwrap();
    let out = command.arg("report").arg(record()).arg("-o").arg(&file).output().unwrap();
    assert_eq!(out.stdout, [file.as_os_str().as_bytes(), b"\n"].concat());
    assert!(file.is_file());
    // Messages show it as text.
    let file = dir.path().join(std::ffi::OsStr::from_bytes(b"no\xff/r.html"));
    let mut command = Command::cargo_bin("capvec").unwrap();
    let out = command.arg("report").arg(record()).arg("-o").arg(&file).output().unwrap();
    assert!(String::from_utf8(out.stderr).unwrap().contains(r"no\xff/r.html"));
}

/// Status 1 is for failed checks; a board that cannot be reached was not checked.
#[test]
fn a_command_that_could_not_run_has_a_status_of_its_own() {
    let board = ["--target", "ssh:board.invalid"];
    for command in ["bench", "doctor", "kat"] {
        let mut c = Command::cargo_bin("capvec").unwrap();
        // ssh's exit status when the connection fails is 255.
        let dir = tempfile::tempdir().unwrap();
        let client = dir.path().join("client");
        std::fs::write(&client, "#!/bin/sh\necho no route >&2\nexit 255\n").unwrap();
        std::fs::set_permissions(&client, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        let out = c.arg(command).args(board).env("CAPVEC_SSH", &client).output().unwrap();
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(3), "{command}: {err}");
        assert!(err.contains("the connection failed (no route)"), "{command}: {err}");
    }
}
