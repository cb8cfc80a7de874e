//! `capvec sysroot` on the command line: exit statuses, output, messages.

use capvec_util::testing::skipped;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

/// `capvec sysroot ARGS` with its store in `home` and without the user's settings.
fn sysroot(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("capvec").unwrap();
    command.arg("sysroot").args(args).env("CAPVEC_HOME", home);
    command.env_remove("CAPVEC_MIRROR").env_remove("CAPVEC_KEYRING");
    command
}

/// Runs a command, which must exit with `code`; returns standard output and standard error.
fn run(command: &mut Command, code: i32) -> (String, String) {
    let output = command.assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn tree() -> TempDir {
    let tree = tempfile::tempdir().unwrap();
    fs::create_dir_all(tree.path().join("usr/bin")).unwrap();
    tree
}

/// Without Debian's source package, the message says how to name another source.
#[test]
fn a_source_that_cannot_be_fetched_can_be_given() {
    let home = tempfile::tempdir().unwrap();
    let mut build = Command::cargo_bin("capvec").unwrap();
    build.args(["build", "openssl", "--arch", "riscv64", "--quiet"]);
    build.env("CAPVEC_HOME", home.path()).env("CAPVEC_MIRROR", "http://127.0.0.1:1/debian");
    let (_, stderr) = run(build.env("CAPVEC_CC", "cc"), 3);
    assert!(stderr.contains("source package openssl") && stderr.contains("--source"), "{stderr}");
}

#[test]
fn usage_errors_are_status_2() {
    let home = tempfile::tempdir().unwrap();
    let wrong: &[&[&str]] = &[
        &["add"],
        &["add", "--name", "../x", "openssl"],
        &["add", "--suite", "a/b", "openssl"],
        &["add", "--arch", "all", "openssl"],
        &["add", "--mirror", "nonsense", "openssl"],
        &["add", "openssl=3"],
        &["add", "--from", "/srv"],
        &["add", "--from", "/srv", "--name", "x", "openssl"],
        &["add", "--from", "/srv", "--name", "x", "--suite", "sid"],
        &["remove"],
        &["remove", ".."],
        &["remove", "nowhere"],
        &["add", "--from", "/nonexistent", "--name", "x"],
        &["list", "--format", "xml"],
    ];
    for args in wrong {
        let (stdout, stderr) = run(&mut sysroot(home.path(), args), 2);
        assert!(stdout.is_empty() && !stderr.is_empty(), "{args:?}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn a_registered_directory_is_listed_and_removed() {
    let (home, tree) = (tempfile::tempdir().unwrap(), tree());
    let path = tree.path().canonicalize().unwrap();
    let path = path.to_str().unwrap();
    let (stdout, _) = run(&mut sysroot(home.path(), &["add", "--from", path, "--name", "x"]), 0);
    assert_eq!(stdout, format!("{path}\n"));

    let (table, _) = run(&mut sysroot(home.path(), &["list"]), 0);
    let words: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["name", "suite", "arch", "packages", "size", "path"]);
    assert_eq!(words[1], ["x", "-", "-", "-", "0.0", "KiB", path]);

    let (text, _) = run(&mut sysroot(home.path(), &["list", "--format", "json"]), 0);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json[0]["name"], "x");
    assert_eq!(json[0]["origin"]["kind"], "directory");
    assert_eq!(json[0]["path"], path);

    run(&mut sysroot(home.path(), &["remove", "x"]), 0);
    let (_, stderr) = run(&mut sysroot(home.path(), &["remove", "x"]), 2);
    assert!(!stderr.contains("sysroot add"), "{stderr}");
    assert!(stderr.contains("no sysroot \"x\""), "{stderr}");
    assert!(tree.path().is_dir());
}

#[test]
fn gc_prints_what_it_frees() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("sysroots/x-build");
    fs::create_dir_all(dir.join("root/usr/bin")).unwrap();
    fs::write(dir.join("root/usr/bin/x"), vec![0; 1 << 20]).unwrap();
    let manifest = r#"{"format": 1, "automatic": true, "packages": [], "origin": {"kind": "apt",
        "suite": "trixie", "arch": "riscv64", "mirror": "m", "mirror_given": false, "keyring": null}}"#;
    fs::write(dir.join("packages.json"), manifest).unwrap();
    let gc = |args: &[&str]| run(&mut sysroot(home.path(), &[&["gc"], args].concat()), 0).0;
    assert_eq!(gc(&[]), "kept x-build (1.0 MiB)\nfreed 0.0 KiB\n");
    let text = gc(&["--keep", "0", "--dry-run"]);
    assert_eq!(text, "would remove x-build (1.0 MiB)\nwould free 1.0 MiB\n");
    assert!(dir.exists());
    assert_eq!(gc(&["--keep", "512k"]), "removed x-build (1.0 MiB)\nfreed 1.0 MiB\n");
    assert!(!dir.exists());
}

#[test]
fn a_damaged_sysroot_does_not_hide_the_others() {
    let (home, tree) = (tempfile::tempdir().unwrap(), tree());
    let path = tree.path().to_str().unwrap();
    run(&mut sysroot(home.path(), &["add", "--from", path, "--name", "good"]), 0);
    fs::create_dir(home.path().join("sysroots/bad")).unwrap();
    let (stdout, stderr) = run(&mut sysroot(home.path(), &["list"]), 0);
    assert!(stdout.contains("good") && stdout.contains("damaged"), "{stdout}");
    assert!(stderr.contains("capvec sysroot remove bad"), "{stderr}");
    run(&mut sysroot(home.path(), &["remove", "bad"]), 0);
}

#[test]
fn without_apt_the_error_names_the_remedy() {
    let home = tempfile::tempdir().unwrap();
    let mut add = sysroot(home.path(), &["add", "openssl"]);
    let (_, stderr) = run(add.env("PATH", "/nonexistent"), 3);
    assert!(
        stderr.contains("install apt") && stderr.contains("--from DIR --name NAME"),
        "{stderr}"
    );
}

#[test]
fn on_ubuntu_the_error_names_the_flags() {
    if !Path::new("/usr/bin/apt-get").exists() {
        skipped("apt-get", "it is not installed");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = home.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let sources = file(
        "ubuntu.sources",
        "Types: deb\nURIs: https://me:secret@mirror.example/ubuntu/\nSuites: noble\n\
         Components: main universe\nSigned-By: /usr/share/keyrings/ubuntu-archive-keyring.gpg\n",
    );
    let config = format!(
        "Dir::Etc::sourcelist \"{}\";\nDir::Etc::sourceparts \"/dev/null\";\n",
        sources.display()
    );
    let config = file("apt.conf", &config);
    let mut add = sysroot(home.path(), &["add", "openssl"]);
    let (_, stderr) = run(add.env("APT_CONFIG", config), 3);
    for part in ["--mirror", "--keyring", "CAPVEC_MIRROR", "CAPVEC_KEYRING"] {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert!(stderr.contains("debian-archive-keyring"), "{stderr}");
    assert!(stderr.contains("mirror.example/ubuntu") && !stderr.contains("secret"), "{stderr}");
}
