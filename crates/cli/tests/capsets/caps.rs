//! `capvec caps` and `capvec caps lint`.

use super::{capvec, json};
use assert_cmd::Command;

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
fn lint_reads_flags_of_compilers_and_lines_of_cpuinfo() {
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
    // Control characters are escaped.
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc_z\u{1b}bb"], 1);
    assert!(stdout.contains("z\\u001bbb") && !stdout.contains("u{1b}"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", ""], 1);
    assert!(!stdout.contains("write:"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc_zfh"], 0);
    assert!(stdout.contains("uses no capability"), "{stdout}");
    let (stdout, _) = capvec(&["caps", "lint", "rv64gc", "--help"], 0);
    assert!(stdout.contains("Usage"), "options may follow the string: {stdout}");
    let (found, _) = json(&["caps", "lint", "rv64gcv_zba"], 1);
    assert_eq!(found["write"], "rv64gc_zba_v");
    assert_eq!(found["sets"], serde_json::json!(["zba"]));
    let mut command = Command::cargo_bin("capvec").unwrap();
    let found = command.args(["caps", "lint", "-"]).write_stdin("i\0m\0v\0zba\0").assert().code(1);
    let text = String::from_utf8_lossy(&found.get_output().stdout).to_string();
    assert!(text.contains("write: rv64gc_zba_v"), "{text}");
}

/// If harts differ, each is judged, and the common capabilities are proposed. The name of a processor is refused.
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
    // What the kernel reports in two ways is explained.
    let notes = views["notes"].as_array().unwrap();
    assert!(notes.iter().any(|n| n.as_str().unwrap().contains("zca")), "{notes:?}");
    let (text, stderr) = capvec(&["caps", "--caps", "string:rv64gcv_zvkned"], 0);
    assert!(text.contains("v: the hart has it, but OPENSSL_riscvcap leaves it out"), "{text}");
    assert!(stderr.contains("warning"), "{stderr}");
}

/// The set restricts the hart, so the kernel cannot report more either.
#[test]
fn the_kernel_reports_the_restricted_hart() {
    let (views, _) = json(&["caps", "--caps", "zbb"], 0);
    let names = views["rows"].as_array().unwrap().iter();
    let names: Vec<&str> = names.filter_map(|r| r["extension"].as_str()).collect();
    assert!(names.contains(&"zbb") && !names.contains(&"v") && !names.contains(&"zvkned"));
    assert!(!views["kernel"]["isa"].as_str().unwrap().contains("zve"));
}

/// The kernel's features are those of /proc/cpuinfo. The table marks a feature that the processor has and the kernel does
/// not show; kernels hide a broken rdseed, for example.
#[test]
fn caps_reports_this_machine() {
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
