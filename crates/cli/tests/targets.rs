//! `--target` of each command.

use assert_cmd::Command;
use serde_json::Value;

fn capvec(args: &[&str], code: i32) -> (String, String) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let output = command.args(args).assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn flags_and_builds_that_a_target_lacks_are_usage_errors_that_say_what_to_do() {
    // If this library were accepted, a guest's dynamic linker would load its own instead, and the doctor would examine that.
    let dir = tempfile::tempdir().unwrap();
    let library = dir.path().join("libcrypto.so.3");
    std::fs::write(&library, b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\xb7\0").unwrap();
    let other = library.to_str().unwrap();
    let wrong: [(&[&str], &[&str]); 13] = [
        (
            &["bench", "--target", "qemu:aarch64", "--subject", "openssl:nothing-like-it,openssl"],
            &["--subject", "capvec build openssl --arch aarch64 --variant VARIANT"],
        ),
        (
            &["bench", "--target", "native", "--subject", "capvec"],
            &["--subject capvec", "--target native cannot", "--target sim can", "openssl:NAME"],
        ),
        // `openssl speed` does not measure libcapvec.
        (
            &["bench", "--speed", "--subject", "capvec"],
            &["--speed", "--target sim", "subject: capvec", "--subject openssl it can"],
        ),
        (&["bench", "--target", "native", "--mix"], &["--mix", "--target sim"]),
        (&["bench", "--target", "native", "--explain"], &["--explain", "--target sim"]),
        (&["bench", "--target", "qemu:aarch64", "--vlen", "128"], &["--vlen", "qemu:riscv64"]),
        (&["bench", "--qemu-cpu", "max"], &["--qemu-cpu", "qemu:ARCH"]),
        (&["kat", "--target", "native", "--core", "karu64"], &["--core", "--target sim"]),
        (&["kat", "--target", "native", "--agnostic", "ones"], &["--agnostic", "--target sim"]),
        (&["kat", "--target", "native", "--sysroot", "x"], &["--sysroot"]),
        (&["doctor", "--subject", "openssl:nothing-like-it"], &["--subject", "--arch riscv64"]),
        (&["doctor", "--subject", other], &["--subject", "built for aarch64", "is riscv64"]),
        (&["doctor", "--target", "native", "--subject", other], &["built for aarch64"]),
    ];
    for (args, words) in wrong {
        let (stdout, stderr) = capvec(args, 2);
        assert!(stdout.is_empty(), "{args:?}");
        assert!(words.iter().all(|w| stderr.contains(w)), "{args:?}: {stderr}");
    }
}

/// A target runs libraries, which need an operating system.
#[test]
fn the_core_in_rtl_has_a_command_of_its_own() {
    for command in ["kat", "doctor", "caps"] {
        let (stdout, stderr) = capvec(&[command, "--target", "rtl"], 2);
        assert!(stdout.is_empty() && stderr.contains("use `capvec rtl`"), "{command}: {stderr}");
    }
    let (stdout, stderr) = capvec(&["bench", "--target", "rtl", "--subject", "openssl"], 2);
    assert!(stdout.is_empty() && stderr.contains("'--subject'"), "{stderr}");
    assert!(capvec(&["bench", "--target", "rtl", "--help"], 0).0.contains("capvec rtl --vlen"));
}

/// With this machine's own library, whatever it is; randomised ECDSA signatures are right, too.
#[test]
fn vectors_are_checked_on_this_machine() {
    let algorithms = "sha256,aes-128-ctr,ecdsa-p256";
    let args = [
        "kat",
        "--target",
        "native",
        "--algorithms",
        algorithms,
        "--caps",
        "auto",
        "--format",
        "json",
    ];
    let record: Value = serde_json::from_str(&capvec(&args, 0).0).unwrap();
    assert_eq!((&record["target"], &record["subject"]), (&"native".into(), &"openssl".into()));
    let rows = record["rows"].as_array().unwrap();
    assert!(
        rows.iter().all(|r| r["failed"] == 0 && r["vlen"].is_null() && r["agnostic"].is_null())
    );
    assert!(rows.iter().any(|r| r["algorithm"] == "ecdsa-p256" && r["passed"].as_u64() > Some(5)));
}

/// The command that a failure prints reproduces it on the same target.
#[test]
fn a_failure_is_reproduced_on_its_target() {
    let dir = tempfile::tempdir().unwrap();
    let vector = "format = capvec-vectors 1\norigin = made up\nlicence = none\n\n\
        id = wrong\nalgorithm = sha256\nin = 00\nout = 00\n";
    std::fs::write(dir.path().join("wrong.txt"), vector).unwrap();
    let dir = dir.path().to_str().unwrap();
    let args = ["kat", "--target", "native", "--caps", "auto", "--vectors", dir];
    let (stdout, _) = capvec(&args, 1);
    let again = stdout.lines().find(|l| l.contains("capvec kat")).unwrap();
    assert!(again.contains("--target native") && again.contains(dir), "{again}");
    assert!(!stdout.contains("capvec run"), "{stdout}");
    let words: Vec<&str> = again.split_whitespace().skip(1).map(|w| w.trim_matches('\'')).collect();
    let (stdout, _) = capvec(&words, 1);
    assert!(stdout.contains("wrong"), "{stdout}");
}

/// The classes add up to the total, to the last instruction; only sets with the extensions of a class have instructions of it.
#[test]
fn the_classes_of_an_instruction_mix_add_up_to_the_figure() {
    let args = [
        "bench",
        "--mix",
        "--cases",
        "aes-128-ecb,sha256,x25519",
        "--caps",
        "scalar,zvkb_zvkned_zvknha",
        "--bytes",
        "256,1024",
        "--kat",
        "none",
        "--format",
        "json",
    ];
    let record: Value = serde_json::from_str(&capvec(&args, 0).0).unwrap();
    let rows = record["rows"].as_array().unwrap();
    for row in rows {
        let mix = row["mix"].as_object().unwrap();
        let sum: f64 = mix.values().map(|n| n.as_f64().unwrap()).sum();
        assert!((sum - row["insns_per_op"].as_f64().unwrap()).abs() < 1e-6, "{row}");
        let has = |class: &str| mix.get(class).is_some_and(|n| n.as_f64() > Some(0.0));
        let full = row["capset"] != "scalar";
        assert_eq!(has("vaes"), full && row["case"] == "aes-128-ecb", "{row}");
        assert_eq!(has("vsha2"), full && row["case"] == "sha256", "{row}");
        assert!(full || !mix.keys().any(|c| c.starts_with('v')), "{row}");
    }
    // AES-ECB in two directions and two sizes; SHA-256 in two sizes; X25519 once.
    assert_eq!(rows.len(), 2 * (2 * 2 + 2 + 1));
    // Eleven instructions for each group of blocks: the addition of the first round key, and ten rounds.
    let row = rows.iter().find(|r| {
        r["case"] == "aes-128-ecb"
            && r["capset"] != "scalar"
            && r["bytes"] == 1024
            && r["direction"] == "enc"
    });
    let vaes = row.unwrap()["mix"]["vaes"].as_f64().unwrap();
    assert!(vaes.fract() == 0.0 && vaes % 11.0 == 0.0, "{vaes}");
}

/// The measurements of one library are kept until the record of all libraries is written.
#[test]
fn an_interrupted_comparison_resumes() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let args = [
        "bench",
        "--subject",
        "openssl,capvec",
        "--cases",
        "sha256",
        "--caps",
        "scalar",
        "--bytes",
        "64",
    ];
    let args = [&args[..], &["--kat", "none", "--out", out]].concat();
    // A file where the second library's directory belongs.
    std::fs::write(dir.path().join("capvec"), "").unwrap();
    let (stdout, stderr) = capvec(&args, 3);
    assert!(stdout.is_empty() && stderr.contains("--out"), "{stderr}");
    std::fs::remove_file(dir.path().join("capvec")).unwrap();
    let (stdout, stderr) = capvec(&args, 0);
    assert!(stderr.contains("resuming an unfinished run; 1 configurations are done"), "{stderr}");
    assert!(stdout.contains("sha256"), "{stdout}");
    let mut left: Vec<_> =
        std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["record.json", "results.csv", "table.md"]);
}
