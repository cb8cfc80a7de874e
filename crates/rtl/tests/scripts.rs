//! The scripts of `rtl/` say what they lack, and how to get it.

use std::path::Path;
use std::process::Command;

/// Runs a script where only these programs are found. Those that it must not get to fail.
fn refused(script: &str, programs: &[&str], environment: &[(&str, &str)], lacks: &[&str]) {
    let bin = tempfile::tempdir().expect("a directory");
    for program in ["bash", "dirname"] {
        let found = ["/usr/bin", "/bin"].map(|dir| Path::new(dir).join(program));
        let found = found.iter().find(|path| path.exists()).expect("a program of every system");
        std::os::unix::fs::symlink(found, bin.path().join(program)).expect("a link");
    }
    for program in programs {
        std::os::unix::fs::symlink("/bin/false", bin.path().join(program)).expect("a link");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl").join(script);
    let mut run = Command::new(bin.path().join("bash"));
    run.arg(&script).env("PATH", bin.path()).envs(environment.iter().copied());
    let output = run.output().expect("bash");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(lacks.iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn proofs_name_the_program_that_is_missing() {
    let script = "formal/prove.sh";
    refused(script, &["yosys-abc", "python3"], &[], &["no yosys on", "apt install yosys"]);
    refused(script, &["yosys", "python3"], &[], &["no yosys-abc on", "apt install yosys"]);
    refused(script, &["yosys", "yosys-abc"], &[], &["no python3 on", "apt install python3"]);
}

#[test]
fn areas_name_what_is_missing() {
    refused("area.sh", &[], &[], &["no yosys on PATH", "apt install yosys"]);
    let none = [("LIBERTY", "/nowhere.lib")];
    refused("area.sh", &["yosys"], &none, &["cannot read /nowhere.lib", "qflow-tech-osu018"]);
}
