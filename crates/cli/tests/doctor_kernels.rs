//! `capvec doctor --kernel` on a configuration, a package, a tree and the running kernel.

use crate::common::conforming;
use assert_cmd::Command;
use capvec_util::testing::skipped;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The output, and the exit status.
fn kernel(args: &[&str], what: &Path) -> (String, String, i32) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let output = command.args(["doctor", "--kernel"]).arg(what).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn config(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../doctor/src/kernel/configs");
    dir.join(format!("debian-{name}.config"))
}

fn verdict<'a>(found: &'a Value, algorithm: &str) -> &'a str {
    let findings = found["kernel"]["findings"].as_array().unwrap();
    let f = findings.iter().find(|f| f["algorithm"] == algorithm).unwrap();
    f["verdict"].as_str().unwrap()
}

#[test]
fn a_configuration_names_the_option_that_is_missing() {
    let (text, _, status) = kernel(&[], &config("7.2.13-riscv64"));
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("Linux 7.2.13, riscv") && text.contains("what to do:"), "{text}");
    assert!(
        text.contains("CONFIG_NONPORTABLE and CONFIG_RISCV_EFFICIENT_VECTOR_UNALIGNED_ACCESS"),
        "{text}"
    );
    let (text, _, status) = kernel(&[], &config("6.12.117-riscv64"));
    assert!(
        status == 0 && text.contains("module aes-riscv64") && !text.contains("what to do"),
        "{text}"
    );
    let (csv, _, _) = kernel(&["--format", "csv"], &config("7.2.13-riscv64"));
    assert!(csv.contains("SHA-256,,not built,yes,"), "{csv}");
    assert_eq!(kernel(&["--fail-on", "wrong"], &config("7.2.13-riscv64")).2, 0);
}

/// A tree of a board's files, and a package with the same configuration.
#[test]
fn trees_and_packages_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("package");
    let put = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    put("boot/config-6.12.117", &std::fs::read_to_string(config("6.12.117-riscv64")).unwrap());
    let found = |args: &[&str], what: &Path| {
        let (json, error, _) = kernel(&[args, &["--format", "json"]].concat(), what);
        assert!(error.is_empty(), "{error}");
        conforming("doctor", &json)
    };
    assert_eq!(verdict(&found(&[], &root), "AES-XTS"), "built");
    put("proc/cpuinfo", "hart : 0\nisa : rv64imafdcv_zvkned_zvkg_zvkb\n");
    put("proc/crypto", "name : ctr(aes)\ndriver : ctr-aes-riscv64-zvkned-zvkb\npriority : 300\n\n");
    let all = found(&[], &root);
    assert_eq!(verdict(&all, "AES-XTS"), "extension lacking");
    assert_eq!((verdict(&all, "AES-CTR"), verdict(&all, "GHASH")), ("used", "not loaded"));
    put(
        "DEBIAN/control",
        "Package: k\nVersion: 1\nArchitecture: riscv64\nMaintainer: x <x@x>\nDescription: x\n",
    );
    let deb = dir.path().join("k.deb");
    match std::process::Command::new("dpkg-deb").arg("--build").args([&root, &deb]).output() {
        Ok(made) if made.status.success() => {
            assert_eq!(verdict(&found(&[], &deb), "AES-XTS"), "built");
        }
        _ => skipped("dpkg-deb", "it does not run"),
    }
}

/// A board is this machine, reached by a client that runs the script in a shell here.
#[test]
fn the_kernel_of_a_board_is_read_over_ssh() {
    let dir = tempfile::tempdir().unwrap();
    let client = dir.path().join("client");
    std::fs::write(&client, "#!/bin/sh\nfor a; do :; done\nexec sh -c \"$a\"\n").unwrap();
    std::fs::set_permissions(&client, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let root = dir.path().join("a board's root");
    let put = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let configuration = std::fs::read_to_string(config("6.12.117-riscv64")).unwrap();
    put("proc/sys/kernel/osrelease", "6.12.117\n");
    put("boot/config-6.12.117", &configuration);
    put("boot/config-6.1", "CONFIG_OF_ANOTHER=y\n");
    put("proc/cpuinfo", "hart : 0\nisa : rv64imafdcv_zvkned_zvkg_zvkb\n");
    put("proc/device-tree/cpus/cpu@0/riscv,isa-extensions", "i\0m\0zvkned\0");
    let doctor = |client: &Path, root: &Path| {
        let mut command = Command::cargo_bin("capvec").unwrap();
        command.args(["doctor", "--target", "ssh:board", "--format", "json", "--kernel"]).arg(root);
        let output = command.env("CAPVEC_SSH", client).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code().unwrap())
    };
    let (json, error, _) = doctor(&client, &root);
    assert_eq!(error, "");
    let over_ssh = conforming("doctor", &json);
    assert_eq!(verdict(&over_ssh, "AES-XTS"), "extension lacking");
    let shown = format!("ssh:board:{}/boot/config-6.12.117", root.display());
    assert_eq!(over_ssh["kernel"]["config"], shown.as_str());
    let mut local = conforming("doctor", &kernel(&["--format", "json"], &root).0);
    local["kernel"]["config"] = shown.into();
    assert_eq!(over_ssh, local);
    for (client, root, status, says) in [
        (client.as_path(), Path::new("/nowhere"), 3, "reading /nowhere there ended with status 1"),
        (client.as_path(), Path::new("boot"), 2, "name the root of the board's system"),
        (Path::new("false"), Path::new("/"), 3, "it prints nothing"),
    ] {
        let (_, error, code) = doctor(client, root);
        assert!(code == status && error.contains(says), "{code}: {error}");
    }
}

/// Whatever kernel runs the tests: if it shows its configuration, there is a verdict on each of its implementations.
#[test]
fn the_running_kernel_is_examined() {
    let (json, error, status) = kernel(&["--format", "json"], Path::new("/"));
    if status == 2 {
        assert!(
            error.contains("no configuration of a kernel") || error.contains("a kernel for"),
            "{error}"
        );
        return;
    }
    let found = conforming("doctor", &json);
    let findings = found["kernel"]["findings"].as_array().unwrap();
    assert!(
        !findings.is_empty() && findings.iter().all(|f| !f["why"].as_str().unwrap().is_empty())
    );
    let slower = findings.iter().any(|f| f["slower"] == true);
    assert_eq!(status, i32::from(slower));
}

#[test]
fn what_is_no_kernel_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("text");
    std::fs::write(&text, "CONFIG_A=y\n").unwrap();
    let broken = dir.path().join("broken.deb");
    std::fs::write(&broken, "!<arch>\n").unwrap();
    for (what, says) in [
        (text.as_path(), "not a configuration of Linux"),
        (&broken, "not a Debian package with boot/config-RELEASE"),
        (dir.path(), "neither proc/config.gz nor boot/config-RELEASE"),
        (Path::new("./absent"), "there is no such file"),
    ] {
        let (_, error, status) = kernel(&[], what);
        assert!(status == 2 && error.contains(says), "{status}: {error}");
    }
    let (_, error, status) = kernel(&["--bytes", "64"], &text);
    assert!(status == 2 && error.contains("--kernel or --runtimes, nothing is run"), "{error}");
}
