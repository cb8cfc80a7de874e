//! Capability sets from outside: families, verbatim values, resuming, fits, `capvec caps` and its lint.
//!
//! Measures the stock library on small messages; needs the sysroot, as `make test` sets it up.

use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

/// `capvec ARGS` to the exit status `code`; gives standard output and standard error.
fn capvec(args: &[&str], code: i32) -> (String, String) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let output = command.args(args).assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn json(args: &[&str], code: i32) -> (Value, String) {
    let (stdout, stderr) = capvec(&[args, &["--format", "json"]].concat(), code);
    (serde_json::from_str(&stdout).unwrap(), stderr)
}

fn rows(record: &Value) -> &Vec<Value> {
    record["rows"].as_array().unwrap()
}

#[test]
fn usage_errors_name_the_flag() {
    let wrong: &[(&[&str], &[&str])] = &[
        (&["bench", "--caps", "zvkned_zzz"], &["--caps", "zzz"]),
        (&["bench", "--caps", "rv64gc_zzz"], &["--caps", "zzz"]),
        (&["bench", "--caps", "rv32gc"], &["--caps", "rv64"]),
        (&["bench", "--caps", ""], &["--caps"]),
        (&["bench", "--bytes", "16,x"], &["--bytes"]),
        (&["bench", "--bytes", "16,15"], &["--bytes 15", "aes-128-ecb", "a multiple of 16"]),
        (
            &["bench", "--cases", "sha256,sm4-cbc", "--bytes", "40"],
            &["--bytes 40", "sm4-cbc", "a multiple of 16"],
        ),
        (
            &["bench", "--cases", "aes-256-xts", "--bytes", "1"],
            &["--bytes 1", "aes-256-xts", "16 or more"],
        ),
        (&["caps", "--isa", "rv64gc_zzz"], &["--isa", "zzz"]),
        (&["caps", "--isa", "rv32gc"], &["--isa", "64-bit"]),
        (&["caps", "--caps", "zzz"], &["--caps", "zzz"]),
        (&["caps", "--isa", "rv64gc", "--caps", "zbb"], &["--isa", "--caps"]),
        (&["caps", "--target", "native", "--vlen", "256"], &["--target native", "--vlen"]),
        (&["caps", "--vlen", "100"], &["--vlen"]),
        (&["caps", "lint"], &["STRING"]),
    ];
    for (args, words) in wrong {
        let (stdout, stderr) = capvec(args, 2);
        assert!(stdout.is_empty(), "{args:?}");
        assert!(words.iter().all(|w| stderr.contains(w)), "{args:?}: {stderr}");
    }
}

#[test]
fn lint_says_what_openssl_does_and_what_to_write() {
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc_v_zvkb_zvkned"], 0);
    assert!(stdout.contains("sets: v zvkb zvkned") && !stdout.contains("write:"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv64gcv_zvkned"], 1);
    assert!(stdout.contains("write: rv64gc_v_zvkned\n"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc_v_zvkgs_b"], 1);
    assert!(stdout.contains("sets zvkg") && stdout.contains("zba zbb zbs: implied"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc_v_zvkned zvkb"], 1);
    assert!(stdout.contains("so zvkb is lost"), "{stdout}");
    assert!(stdout.contains("write: rv64gc_v_zvkb_zvkned\n"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv32gc_zbb"], 1);
    assert!(stdout.contains("32-bit") && stdout.contains("write: rv64gc_zbb\n"), "{stdout}");
    let long = format!("rv64gc_{}_zbb_zbb", "x".repeat(255));
    let (stdout, _) = capvec(&["caps", "lint", &long], 1);
    assert!(
        stdout.contains("OpenSSL reads 255") && stdout.matches("\"zbb\" is cut off").count() == 1,
        "{stdout}"
    );
}

#[test]
fn lint_reads_what_people_paste() {
    for (args, words) in [
        (&["-march=rv64gcv_zba"][..], &["-march", "write: rv64gc_zba_v"][..]),
        (&["-mattr=+v,+zvkned"], &["features", "write: rv64gc_v_zvkned"]),
        (&["-C", "target-feature=+v"], &["features", "write: rv64gc_v"]),
        (&["isa", ":", "rv64imafdcvh_zba"], &["/proc/cpuinfo", "write: rv64gc_zba_v"]),
        (&["OPENSSL_RISCVCAP=rv64gc_zba"], &["OpenSSL reads OPENSSL_riscvcap"]),
        (&[""], &["replaces detection", "unset the variable"]),
        (&["rv64gcvh", "--format", "table"], &["write: rv64gc_v"]),
    ] {
        let (stdout, _) = capvec(&[&["caps", "lint"], args].concat(), 1);
        assert!(words.iter().all(|w| stdout.contains(w)), "{args:?}: {stdout}");
    }
    // Escaped as everywhere else.
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc_z\u{1b}bb"], 1);
    assert!(stdout.contains("z\\u001bbb") && !stdout.contains("u{1b}"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", ""], 1);
    assert!(!stdout.contains("write:"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc_zfh"], 0);
    assert!(stdout.contains("uses no capability"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc", "--help"], 0);
    assert!(stdout.contains("Usage"), "options stand behind the string too: {stdout}");
    let (found, _) = json(&["caps", "lint", "rv64gcv_zba"], 1);
    assert_eq!(found["write"], "rv64gc_zba_v");
    assert_eq!(found["sets"], serde_json::json!(["zba"]));
    let mut command = Command::cargo_bin("capvec").unwrap();
    let found = command.args(["caps", "lint", "-"]).write_stdin("i\0m\0v\0zba\0").assert().code(1);
    let text = String::from_utf8_lossy(&found.get_output().stdout).to_string();
    assert!(text.contains("write: rv64gc_zba_v"), "{text}");
}

/// Harts that differ are all judged, and what all of them have is proposed. A processor's name is no list of extensions.
#[test]
fn lint_judges_every_string_of_a_text() {
    let harts = "isa : rv64gcv_zba_zbb\nisa : rv64gcv_zbb";
    let (stdout, _) = capvec(&["caps", "lint", harts], 1);
    for words in
        ["write: rv64gc_zba_zbb_v\n", "write: rv64gc_zbb_v\n", "for all of them: rv64gc_zbb_v\n"]
    {
        assert_eq!(stdout.matches(words).count(), 1, "{words}: {stdout}");
    }
    let (found, _) = json(&["caps", "lint", harts], 1);
    assert_eq!(found["write_for_all"], "rv64gc_zbb_v");
    assert_eq!(found["others"][0]["write"], "rv64gc_zbb_v");
    let (stdout, stderr) = capvec(&["caps", "lint", "-mcpu=sifive-p670"], 2);
    assert!(stdout.is_empty() && stderr.contains("names a processor"), "{stderr}");
    assert!(stderr.contains("-mcpu=sifive-p670 -dM -E"), "{stderr}");
}

/// The dispatch that the tool assumes against the one that the library has: where the condition of
/// crypto/sha/sha_riscv.c holds, the code is another; everywhere else it is the portable one, but for the few
/// instructions of the condition itself.
#[test]
fn the_library_dispatches_as_the_rules_say() {
    let args = ["bench", "-q", "--cases", "sha256", "--bytes", "64", "--caps", "all-subsets"];
    let (record, _) = json(&args, 0);
    let count = |r: &Value| r["insns_per_op"].as_f64().unwrap();
    let scalar = count(&rows(&record)[0]);
    let mut accelerated = 0;
    for r in rows(&record) {
        let name = r["capset"].as_str().unwrap();
        let has = |e: &[&str]| name == "full" || e.iter().any(|e| name.split('_').any(|w| w == *e));
        assert_eq!(r["answers"], "pass", "{name}");
        if has(&["zvkb", "zvbb"]) && has(&["zvknha", "zvknhb"]) {
            accelerated += 1;
            assert!(count(r) < scalar / 2.0, "{name}: {} of {scalar}", count(r));
        } else {
            assert!((count(r) - scalar).abs() < 20.0, "{name}: {} of {scalar}", count(r));
        }
    }
    assert_eq!(accelerated, 5);
    let configurations = record["configurations"].as_array().unwrap();
    assert!(configurations.iter().all(|c| c["disagreement"].is_null()));
    let explanation = &record["explanations"][0];
    assert_eq!(explanation["best"], "zvkb_zvknha");
    assert_eq!(explanation["steps"][0]["adds"], serde_json::json!(["zvkb", "zvknha"]));
}

/// The length of the variable moves the stack, unless something makes up for it.
#[test]
fn sets_that_a_case_does_not_use_cost_the_same_cycles() {
    let args = ["bench", "-q", "--cases", "sha256", "--bytes", "1024"];
    let (record, _) =
        json(&[&args[..], &["--caps", "scalar,zba,zbb_zbs_zknh_zkr_zkt"]].concat(), 0);
    let of = |name: &str| rows(&record).iter().map(|r| r[name].clone()).collect::<Vec<_>>();
    for column in ["insns_per_op", "cycles_per_op"] {
        let values = of(column);
        assert!(values[0].is_number() && values.iter().all(|v| *v == values[0]), "{values:?}");
    }
}

#[test]
fn profiles_singles_and_dispatch_are_taken() {
    let (record, stderr) = json(
        &[
            "bench",
            "-q",
            "--cases",
            "sm3",
            "--bytes",
            "64",
            "--caps",
            "dispatch,rva23u64_zvksg,zicond",
        ],
        0,
    );
    let names: Vec<&str> = rows(&record).iter().filter_map(|r| r["capset"].as_str()).collect();
    assert_eq!(names, ["scalar", "zvkb_zvksh", "rva23u64_zvksg", "zicond"]);
    assert!(stderr.contains("warning") && stderr.contains("zicond"), "{stderr}");
    let strings: Vec<&str> = rows(&record).iter().filter_map(|r| r["capstring"].as_str()).collect();
    assert_eq!(strings[1], "rv64gc_v_zvkb_zvksh");
}

/// Each by itself: the hart has it and what it implies, and the library uses just that.
#[test]
fn every_single_extension_and_profile_is_what_the_library_uses() {
    let args = ["bench", "-q", "--cases", "sm3", "--bytes", "64", "--kat", "none", "--caps"];
    let caps = "singles,rva22u64,rva23u64,rva23u64_zvkng,rvb23u64,full";
    let (record, _) = json(&[&args[..], &[caps]].concat(), 0);
    let configurations = record["configurations"].as_array().unwrap();
    assert_eq!(configurations.len(), 1 + 24 + 4 + 1);
    for c in configurations {
        assert!(c["disagreement"].is_null(), "{c}");
    }
    let expected = |name: &str| {
        let c = configurations.iter().find(|c| c["capset"] == name).expect(name);
        c["expected"].as_str().unwrap().to_string()
    };
    assert_eq!(expected("zvknhb"), "v zvknha zvknhb");
    assert_eq!(expected("zbb"), "zbb");
    // RISC-V profiles 1.0 and RVA23/RVB23 1.0, of what OpenSSL knows.
    assert_eq!(expected("rva22u64"), "zba zbb zbs zkt");
    assert_eq!(expected("rva23u64"), "v zba zbb zbs zkt zvbb zvkb");
    assert_eq!(expected("rva23u64_zvkng"), "v zba zbb zbs zkt zvbb zvkb zvkg zvkned zvknha zvknhb");
    assert_eq!(expected("rvb23u64"), "zba zbb zbs zkt");
    assert!(rows(&record).iter().all(|r| r["answers"] == "pass"));
}

/// By case, the smallest set that reaches the best speed, and what each extension added on the way there.
#[test]
fn what_each_extension_adds_is_told() {
    let args = ["bench", "-q", "--cases", "chacha20", "--bytes", "1024", "--explain", "--caps"];
    let (record, _) = json(&[&args[..], &["scalar,v,zbb,v_zbb,zbb_zvkb,full"]].concat(), 0);
    let e = &record["explanations"][0];
    assert_eq!((&e["case"], &e["best"]), (&"chacha20".into(), &"zbb_zvkb".into()), "{e}");
    let kbps = |set: &str| {
        rows(&record).iter().find(|r| r["capset"] == set).unwrap()["kBps"].as_f64().unwrap()
    };
    assert!(kbps("zbb_zvkb") > kbps("v_zbb") && kbps("v_zbb") > kbps("scalar"));
    let adds: Vec<&Value> = e["steps"].as_array().unwrap().iter().map(|s| &s["adds"]).collect();
    assert!(!adds.is_empty() && adds.iter().all(|a| !a.as_array().unwrap().is_empty()), "{e}");
    let (table, _) = capvec(&[&args[..], &["scalar,v_zbb,zbb_zvkb"]].concat(), 0);
    assert!(table.contains("zvkb"), "{table}");
}

/// Zvkb and Zvknha do nothing alone: it is told that they need each other, as that is measured, and else that it is not.
#[test]
fn what_helps_only_in_company_is_measured_with_it() {
    let args = ["bench", "-q", "--cases", "sha256", "--bytes", "1024", "--kat", "none", "--caps"];
    let of = |args: &[&str]| json(args, 0).0["explanations"][0].clone();
    let pair = of(&[&args[..], &["scalar,full", "--explain"]].concat());
    let effect = |name: &str| {
        let all = pair["effects"].as_array().unwrap();
        all.iter()
            .find(|e| e["extension"] == name)
            .unwrap_or_else(|| panic!("{name}: {pair}"))
            .clone()
    };
    for (name, needs) in [("zvkb", "zvknha"), ("zvknha", "zvkb")] {
        assert_eq!(effect(name)["needs"], serde_json::json!([needs]), "{pair}");
        assert_eq!(
            (&effect(name)["least_on"], &effect(name)["most_on"]),
            (&"scalar".into(), &needs.into())
        );
        assert!(effect(name)["most"].as_f64().unwrap() > 5.0, "{pair}");
    }
    let singles = of(&[&args[..], &["singles"]].concat());
    let open = |name: &str| {
        let all = singles["unmeasured"].as_array().unwrap();
        all.iter().find(|e| e["extension"] == name).map(|e| e["with"].clone())
    };
    assert_eq!(open("zvkb"), Some(serde_json::json!(["zvknha"])), "{singles}");
    assert_eq!(open("zba"), None);
}

/// Nothing that matters is left in a step with others: with two sets asked for, the others are measured besides, and that is
/// said.
#[test]
fn extensions_of_several_rules_are_told_apart() {
    let args = ["bench", "--cases", "aes-128-gcm,sha256", "--bytes", "16384", "--kat", "none"];
    let args = [&args[..], &["--caps", "scalar,full", "--explain"]].concat();
    let (record, stderr) = json(&args, 0);
    assert!(
        stderr.contains("--explain, on karu64: ") && stderr.contains("instead of 4"),
        "{stderr}"
    );
    let all = record["explanations"].as_array().unwrap();
    let gcm = all.iter().find(|e| e["case"] == "aes-128-gcm" && e["direction"] == "enc").unwrap();
    assert_eq!(
        (&gcm["best"], &gcm["reached"]),
        (&"zvkb_zvkg_zvkned".into(), &"best".into()),
        "{gcm}"
    );
    let mut added: Vec<&str> = Vec::new();
    for step in gcm["steps"].as_array().unwrap() {
        let adds = step["adds"].as_array().unwrap();
        assert_eq!(adds.len(), 1, "{gcm}");
        added.extend(adds.iter().filter_map(Value::as_str));
    }
    added.sort();
    assert_eq!(added, ["zvkb", "zvkg", "zvkned"]);
    // By hand, of the sets themselves: what Zvkg brings to the others.
    let kbps = |set: &str| {
        let of = |r: &&Value| {
            r["capset"] == set && r["case"] == "aes-128-gcm" && r["direction"] == "enc"
        };
        rows(&record).iter().find(of).unwrap()["kBps"].as_f64().unwrap()
    };
    let effects = gcm["effects"].as_array().unwrap();
    let zvkg = effects.iter().find(|e| e["extension"] == "zvkg").unwrap();
    assert!(
        zvkg["most"].as_f64().unwrap() >= kbps("zvkb_zvkg_zvkned") / kbps("zvkb_zvkned"),
        "{zvkg}"
    );
    for e in all {
        assert_eq!(e["unmeasured"], serde_json::json!([]), "{e}");
    }
}

#[test]
fn a_verbatim_value_shows_what_the_library_makes_of_it() {
    let (record, stderr) = json(
        &[
            "bench",
            "-q",
            "--cases",
            "sha256",
            "--bytes",
            "64",
            "--caps",
            "string:rv64gcv_zvkb_zvknha",
        ],
        0,
    );
    let c = &record["configurations"][0];
    assert!(c["disagreement"].as_str().unwrap().contains("does not use v"), "{c}");
    assert!(c["hart"].as_str().unwrap().contains("zvknha"), "{c}");
    assert!(stderr.contains("warning") && stderr.contains("rv64gcv"), "{stderr}");
}

/// `_zvkgs` is misread as Zvkg; the hart lacks it, and only the case that uses it is lost.
#[test]
fn a_guest_that_dies_in_one_case_keeps_the_others() {
    let cases = "ghash,sha256";
    let (record, stderr) = json(
        &["bench", "-q", "--cases", cases, "--bytes", "64", "--caps", "string:rv64gc_v_zvkgs"],
        1,
    );
    let of = |case: &str| rows(&record).iter().find(|r| r["case"] == case).unwrap();
    assert!(of("ghash")["answers"].as_str().unwrap().contains("zvkg"), "{}", of("ghash"));
    assert!(of("ghash")["kBps"].is_null());
    assert_eq!(of("sha256")["answers"], "pass");
    assert!(stderr.contains("SIGILL"), "{stderr}");
}

#[test]
fn three_sizes_separate_the_call_from_the_byte() {
    let args = ["bench", "-q", "--cases", "sha256", "--caps", "scalar"];
    let (record, _) = json(&[&args[..], &["--bytes", "64,1024,256,4096"]].concat(), 0);
    let fit = &record["fits"][0];
    assert_eq!(fit["sizes"], serde_json::json!([256, 1024, 4096]));
    // SHA-256 does the same for every block: what a block costs is the difference of two sizes.
    let at = |n: u64| {
        let row = rows(&record).iter().find(|r| r["bytes"] == n).unwrap();
        row["insns_per_op"].as_f64().unwrap()
    };
    let slope = (at(4096) - at(1024)) / 3072.0;
    let found = fit["insns"]["per_byte"].as_f64().unwrap();
    assert!((found / slope - 1.0).abs() < 1e-3, "{found} {slope}");
    assert!(fit["insns"]["misfit"].as_f64().unwrap() < 1e-3);
    let (table, _) = capvec(&[&args[..], &["--bytes", "64,1024,256"]].concat(), 0);
    assert!(table.contains("half-speed bytes"), "{table}");
    let (table, _) = capvec(&[&args[..], &["--bytes", "64,1024"]].concat(), 0);
    assert!(!table.contains("half-speed"), "{table}");
}

fn finished(out: &Path) -> usize {
    let entries = std::fs::read_dir(out.join("runs")).into_iter().flatten().flatten();
    let names = entries.map(|e| e.file_name().to_string_lossy().into_owned());
    names.filter(|n| n.ends_with(".json") && n != "identity.json").count()
}

#[test]
fn an_interrupted_sweep_goes_on_with_the_same_figures() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let args = ["bench", "-q", "--cases", "sha256,sm3", "--caps", "singles,all-subsets"];
    let args = [&args[..], &["--bytes", "64", "--format", "csv"]].concat();
    let with_out = [&args[..], &["--out", out.to_str().unwrap()]].concat();
    let mut child = std::process::Command::cargo_bin("capvec")
        .unwrap()
        .args(&with_out)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while finished(&out) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the sweep ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(finished(&out) < 25);

    // Other sizes are another sweep: not mixed, nothing lost.
    let other: Vec<&str> = with_out.iter().map(|a| if *a == "64" { "65" } else { a }).collect();
    let (_, stderr) = capvec(&other, 2);
    assert!(stderr.contains("--bytes") && stderr.contains("runs"), "{stderr}");

    let (resumed, stderr) = capvec(&with_out, 0);
    assert!(stderr.contains("goes on"), "{stderr}");
    assert!(!out.join("runs").exists());
    assert_eq!(std::fs::read_to_string(out.join("results.csv")).unwrap(), resumed);
    let (whole, _) = capvec(&args, 0);
    assert_eq!(resumed, whole);
}

#[test]
fn caps_shows_hart_kernel_and_library() {
    let (views, _) = json(&["caps", "--isa", "rv64gcv_zvkned_zkr_zbb", "--vlen", "512"], 0);
    let row = |name: &str| {
        let rows = views["rows"].as_array().unwrap();
        rows.iter().find(|r| r["extension"] == name).unwrap().clone()
    };
    assert_eq!(row("zvkned")["detected"], "yes");
    assert_eq!((&row("zkr")["detected"], &row("zkr")["configured"]), (&"no".into(), &"yes".into()));
    assert!(views["configured"].as_str().unwrap().contains("vlen:512"), "{}", views["configured"]);
    // What the kernel says in two ways is explained.
    let notes = views["notes"].as_array().unwrap();
    assert!(notes.iter().any(|n| n.as_str().unwrap().contains("zca")), "{notes:?}");
    let (text, stderr) = capvec(&["caps", "--caps", "string:rv64gcv_zvkned"], 0);
    assert!(text.contains("v: the hart has it, OPENSSL_riscvcap leaves it out"), "{text}");
    assert!(stderr.contains("warning"), "{stderr}");
}

/// The hart is what the set says, whoever asks.
#[test]
fn the_kernel_of_a_restricted_hart_is_restricted_too() {
    let (views, _) = json(&["caps", "--caps", "zbb"], 0);
    let names = views["rows"].as_array().unwrap().iter();
    let names: Vec<&str> = names.filter_map(|r| r["extension"].as_str()).collect();
    assert!(names.contains(&"zbb") && !names.contains(&"v") && !names.contains(&"zvkned"));
    assert!(!views["kernel"]["isa"].as_str().unwrap().contains("zve"));
}

/// What the kernel says is what /proc/cpuinfo has. A feature that the processor has and the kernel does not is a finding (kernels turn
/// off rdseed where it is broken), and the table says so.
#[test]
fn this_machine_is_asked_too() {
    let (report, _) = json(&["caps", "--target", "native"], 0);
    assert_eq!(report["architecture"], std::env::consts::ARCH);
    let (table, _) = capvec(&["caps", "--target", "native"], 0);
    let flags: Vec<&str> = report["kernel"].as_str().unwrap().split(' ').collect();
    for r in report["rows"].as_array().unwrap() {
        let feature = r["feature"].as_str().unwrap();
        if cfg!(target_arch = "x86_64") {
            let flag = if feature == "sha" { "sha_ni" } else { feature };
            assert_eq!(r["kernel"], flags.contains(&flag), "{r}");
        }
        if r["processor"] == true && r["kernel"] == false {
            let row = table.lines().find(|l| l.split_whitespace().next() == Some(feature)).unwrap();
            assert!(row.contains("the kernel hides it"), "{row}");
        }
    }
}
