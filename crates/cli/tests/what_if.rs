//! `capvec bench` on modified cores.

use assert_cmd::Command;
use serde_json::Value;

const KARU64: &str = include_str!("../../../cores/karu64.toml");

fn bench(args: &[&str]) -> Command {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    c.args(["bench", "-q", "--kat", "none", "--cases", "sha256", "--caps", "scalar,zvkb_zvknha"])
        .args(args);
    c
}

fn stdout(args: &[&str]) -> String {
    let out = bench(args).assert().success();
    String::from_utf8(out.get_output().stdout.clone()).expect("UTF-8")
}

/// karu64's file with another start-up cost of vector instructions, under the same name.
fn copy(dir: &tempfile::TempDir) -> String {
    let text = KARU64.replacen("startup = { value = 7.5", "startup = { value = 4", 1);
    assert_ne!(text, KARU64);
    let path = dir.path().join("karu64.toml");
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").into()
}

const LABEL: &str = "karu64 (modified: vector.startup 7.5 → 4)";

/// Its label names the change, and it is not compared with published figures.
#[test]
fn a_modified_copy_does_not_pass_as_the_original() {
    let dir = tempfile::tempdir().expect("a directory");
    let (file, out) = (copy(&dir), dir.path().join("out"));
    let printed = stdout(&["--core", &file, "--out", out.to_str().expect("UTF-8")]);
    assert!(printed.contains(LABEL) && !printed.contains("published scalar"), "{printed}");
    for name in ["results.csv", "table.md"] {
        let text = std::fs::read_to_string(out.join(name)).expect(name);
        assert!(text.contains(LABEL) && !text.contains("| karu64 |"), "{name}: {text}");
    }
    let text = std::fs::read_to_string(out.join("record.json")).expect("a record");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let core = &record["cores"][0];
    assert_eq!((&core["label"], &core["name"]), (&LABEL.into(), &"karu64".into()));
    let change = serde_json::json!([{ "key": "vector.startup", "from": "7.5", "to": "4" }]);
    assert_eq!(core["changes"], change);
    let parameters = core["parameters"].as_array().expect("a list");
    assert!(parameters.len() > 80 && parameters.iter().all(|p| p["source"].is_string()));
    for row in record["rows"].as_array().expect("a list") {
        assert_eq!((&row["core"], &row["core_digest"]), (&LABEL.into(), &core["digest"]));
        assert!(row["published_kBps"].is_null() && row["ratio"].is_null(), "{row}");
    }
    let page = dir.path().join("page.html");
    let mut report = Command::cargo_bin("capvec").expect("the program is built");
    report.arg("report").arg(&out).arg("-o").arg(&page).assert().success();
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains(LABEL) && !page.contains("data-plot=\"published\""));
}

/// One run measures every combination, and each row equals that of a run with this core alone.
#[test]
fn a_sweep_has_a_row_for_each_core() {
    let args = ["--set", "vector.startup=4,7.5", "--set", "vlen=128,256", "--format", "csv"];
    let swept = stdout(&args);
    let lines: Vec<&str> = swept.lines().skip(1).collect();
    assert_eq!(lines.len(), 2 * 2 * 2, "{swept}");
    let plain = stdout(&["--vlen", "128,256", "--format", "csv"]);
    for line in plain.lines().skip(1) {
        assert!(lines.contains(&format!("{line},7.5").as_str()), "{line}\n{swept}");
    }
    let dir = tempfile::tempdir().expect("a directory");
    let alone = stdout(&["--core", &copy(&dir), "--vlen", "256", "--format", "csv"]);
    for line in alone.lines().skip(1) {
        assert!(line.contains(LABEL) && lines.contains(&format!("{line},4").as_str()), "{line}");
    }
    let table = stdout(&args[..4]);
    let head = table.lines().next().expect("a line");
    let columns: Vec<&str> = head.split_whitespace().take(3).collect();
    assert_eq!(columns, ["case", "vector.startup", "VLEN"]);
    assert!(table.contains("karu64 has 7.5"), "{table}");
}

#[test]
fn several_cores_are_in_one_table() {
    let table = stdout(&["--core", "karu64,marian", "--core", "ideal"]);
    let words: Vec<Vec<&str>> =
        table.lines().map(|l| l.split_whitespace().take(3).collect()).collect();
    assert_eq!(words[0], ["case", "core", "VLEN"]);
    // Each core has its own VLEN.
    assert_eq!(
        words[1..4],
        [["sha256", "karu64", "256"], ["sha256", "marian", "512"], ["sha256", "ideal", "256"]]
    );
}

/// The kept results of an interrupted sweep belong to one core each.
#[test]
fn unfinished_runs_of_different_cores_are_not_mixed_up() {
    let dir = tempfile::tempdir().expect("a directory");
    let out = dir.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let args = |set: &'static str| ["--set", set, "--format", "csv", "--out", out];
    // The record cannot be written, so the measurements are kept.
    std::fs::create_dir_all(format!("{out}/results.csv/x")).expect("a directory");
    bench(&args("vector.startup=2,4")).assert().code(3);
    std::fs::remove_dir_all(format!("{out}/results.csv")).expect("a directory");
    let run = bench(&args("vector.startup=4,8")).assert().success();
    let err = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(err.matches("2 configurations are done").count(), 1, "{err}");
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert_eq!(text, stdout(&["--set", "vector.startup=4,8", "--format", "csv"]));
}

#[test]
fn wrong_settings_are_usage_errors() {
    let wrong: [(&[&str], &str); 6] = [
        (&["--set", "vector.startp=4"], "did you mean vector.startup?"),
        (
            &["--set", "vector.startup=4,fast"],
            "--set vector.startup=fast: value must be from 0 to 100000 cycles",
        ),
        (&["--set", "vlen=128", "--vlen", "256"], "--set vlen"),
        (&["--set", "vector.startup"], "KEY=VALUE"),
        (&["--set", "vlen=100"], "from 128 to 65536"),
        (
            &["--set", "vlen=128", "--target", "qemu:riscv64"],
            "--set: --target qemu:riscv64 cannot change a core model's parameters",
        ),
    ];
    for (args, words) in wrong {
        let out = bench(args).assert().code(2).get_output().clone();
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(err.contains(words) && out.stdout.is_empty(), "{args:?}: {err}");
    }
}

#[test]
fn run_and_cores_show_accept_one_setting() {
    let capvec = |args: &[&str]| {
        let mut c = Command::cargo_bin("capvec").expect("the program is built");
        c.args(args).assert()
    };
    let out = capvec(&["cores", "show", "karu64", "--set", "vector.startup=4"]).success();
    let text = String::from_utf8_lossy(&out.get_output().stdout).into_owned();
    assert!(text.starts_with(&format!("{LABEL}: karu64 on FPGA")), "{text}");
    assert!(text.contains("--set, instead of 7.5 (fitted to"), "{text}");
    let cycles = |set: &str| {
        let out = capvec(&[
            "run", "--core", "ideal", "--set", set, "--stats", "--", "openssl", "version",
        ]);
        String::from_utf8_lossy(&out.success().get_output().stderr).into_owned()
    };
    assert_ne!(cycles("frequency=1e9"), cycles("frequency=1e6"), "the modelled time must differ");
    let two = capvec(&["run", "--set", "vector.startup=4,8", "--", "openssl", "version"]).code(2);
    let err = String::from_utf8_lossy(&two.get_output().stderr).into_owned();
    assert!(err.contains("one value here"), "{err}");
}
