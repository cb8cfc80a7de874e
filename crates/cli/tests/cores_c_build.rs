//! `--c-build` of `capvec cores validate` and `capvec cores fit`.

use assert_cmd::Command;
use std::path::Path;

fn capvec(home: Option<&Path>, args: &[&str]) -> (String, String, Option<i32>) {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    if let Some(home) = home {
        c.env("CAPVEC_HOME", home);
    }
    let out = c.arg("cores").args(args).output().expect("capvec starts");
    let text = |b: Vec<u8>| String::from_utf8(b).expect("UTF-8");
    (text(out.stdout), text(out.stderr), out.status.code())
}

/// A store in which the build `riscv64-copy` is Debian's OpenSSL, called C alone.
fn store() -> tempfile::TempDir {
    let home = crate::subjects::store();
    let root = capvec_sysroot::Store::from_env().expect("a store");
    let root = root.get("trixie-riscv64").expect("the sysroot").root;
    let build = home.path().join("builds/riscv64-copy");
    for file in ["usr/bin/openssl", "usr/lib/riscv64-linux-gnu/libssl.so.3"] {
        let file = root.join(file);
        std::fs::copy(&file, build.join(file.file_name().expect("a name"))).expect("a copy");
    }
    let manifest = r#"{ "name": "riscv64-copy", "architecture": "riscv64", "source": "a copy",
        "configure": ["linux64-riscv64", "no-asm"], "compiler": "none" }"#;
    std::fs::write(build.join("build.json"), manifest).expect("a file");
    home
}

#[test]
fn a_missing_build_is_a_usage_error_that_says_how_one_is_made() {
    for args in [&["validate", "sifive-u74"][..], &["fit", "sifive-u74", "--free", "dcache.miss"]] {
        let (out, err, code) = capvec(None, &[args, &["--c-build", "no-such-build"]].concat());
        assert_eq!((out.as_str(), code), ("", Some(2)), "{err}");
        assert!(
            err.contains("--c-build no-such-build: there is no such build; `capvec build"),
            "{err}"
        );
    }
}

/// Figures in C need the flag, and the flag needs such figures.
#[test]
fn a_fit_names_the_flag_that_it_needs_or_that_has_no_effect() {
    for (args, said) in [
        (&["sifive-u74"][..], "sifive-u74: all published figures that can be fitted to are of"),
        (&["karu64", "--c-build", "c30"], "--c-build c30: no figure of karu64 is of OpenSSL's C"),
    ] {
        let fit = [&["fit"][..], args, &["--free", "branch.mispredict"]].concat();
        let (out, err, code) = capvec(None, &fit);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{err}");
        assert!(err.contains(said), "{err}");
    }
}

/// Of two figures, one of Debian's OpenSSL and one in C, each is predicted by its own program; here both are the same.
#[test]
fn a_fit_predicts_figures_in_c_by_the_build() {
    let home = store();
    let file = home.path().join("speeds.csv");
    let text = "core,case,set,bytes,kBps,processes,clock_mhz,program,source\n\
        karu64,sha256,zvkb_zvknha,16384,2300,1,75,OpenSSL 3.5,here\n\
        karu64,sha256,zvkb_zvknha,16384,2200,1,75,OpenSSL 3.0 (C),there\n";
    std::fs::write(&file, text).expect("a file");
    let file = file.to_str().expect("UTF-8");
    let fit = ["fit", "karu64", "-q", "--to", file, "--free", "vector.startup=5..12"];
    let own = ["--c-build", "riscv64-copy", "--format", "json"];
    let (text, err, code) = capvec(Some(home.path()), &[&fit[..], &own].concat());
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let fitted = crate::common::conforming("fitted", &text);
    let build = fitted["c_build"].as_str().expect("a build");
    assert!(build.starts_with("openssl:riscv64-copy (a copy;"), "{build}");
    let rows = fitted["rows"].as_array().expect("a list");
    let before: Vec<f64> = rows.iter().filter_map(|r| r["before"].as_f64()).collect();
    assert_eq!(before.len(), 2, "{rows:?}");
    assert!((before[0] / before[1] - 1.0).abs() < 0.01, "{before:?}");
    assert_eq!((&rows[0]["source"], &rows[1]["source"]), (&"here".into(), &"there".into()));
    // Without the flag, only the first is compared.
    let (text, err, code) = capvec(Some(home.path()), &[&fit[..], &["--format", "json"]].concat());
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let fitted: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (fitted["rows"].as_array().map(Vec::len), &fitted["c_build"]),
        (Some(1), &serde_json::Value::Null)
    );
}
