//! Translations that `run` keeps in the store for the next run of the program.

use crate::common::{self, output, set_up};
use std::fs;
use std::path::{Path, PathBuf};

/// The directory of the tests' sysroot.
fn sysroot() -> PathBuf {
    set_up();
    let (list, _) = output(common::capvec().args(["sysroot", "list", "--format", "json"]), 0);
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    let ours = list.as_array().expect("a list").iter().find(|s| s["name"] == common::SYSROOT);
    PathBuf::from(ours.expect("the sysroot")["path"].as_str().expect("a path"))
}

/// A store without translations, whose sysroots are those of the tests.
fn store() -> tempfile::TempDir {
    let root = sysroot();
    let sysroots = root.ancestors().find(|dir| dir.ends_with("sysroots")).expect("a store");
    let home = tempfile::tempdir().expect("a directory");
    std::os::unix::fs::symlink(sysroots, home.path().join("sysroots")).expect("a link");
    home
}

/// The second process has other addresses than the first. Builds with assertions compare the translations that it places
/// with new ones.
#[test]
fn another_process_uses_them() {
    let home = store();
    let dir = home.path().join("translations");
    let file = || {
        let mut entries = fs::read_dir(&dir).expect("a directory");
        let file = entries.next().expect("a file").expect("an entry").path();
        assert!(entries.next().is_none(), "one file");
        file
    };
    let openssl = |core: &str, status| {
        let mut c = common::capvec();
        c.env("CAPVEC_HOME", home.path()).args(["run", "--stats", "--core", core]);
        c.args(["--sysroot", common::SYSROOT, "--", "openssl", "dgst", "-sha256", "/etc/passwd"]);
        output(&mut c, status)
    };
    for core in ["ideal", "karu64"] {
        let first = openssl(core, 0);
        let (kept, content) = (file(), fs::read(file()).expect("a file"));
        assert!(content.len() > 100_000, "{} bytes", content.len());
        assert_eq!(openssl(core, 0), first);
        assert_eq!(fs::read(&kept).expect("a file"), content, "nothing new was worth writing");
        fs::write(&kept, &content[..content.len() / 2]).expect("it can be written");
        let (out, err) = openssl(core, 0);
        assert_eq!(out, first.0);
        let warned = |text: &str| text.contains(&*kept.to_string_lossy());
        assert!(warned(&err) && err.contains("ignored"), "{err}");
        assert_eq!(openssl(core, 0), first, "the file was replaced");
        fs::remove_dir_all(&dir).expect("a directory");
    }
}

/// Programs of one name in different directories have files of their own, and `--no-cache` makes none.
#[test]
fn a_file_is_for_a_path() {
    let home = store();
    let run = |cwd: &Path, flags: &[&str], program: &str| {
        let mut c = common::capvec();
        c.current_dir(cwd).env("CAPVEC_HOME", home.path()).arg("run").args(flags);
        c.args([
            "--sysroot",
            common::SYSROOT,
            "--",
            program,
            "-c",
            "for i in {1..5000}; do :; done",
        ]);
        output(&mut c, 0);
        let files = fs::read_dir(home.path().join("translations"));
        files.map_or(0, Iterator::count)
    };
    let dirs: Vec<_> = (0..2).map(|_| tempfile::tempdir().expect("a directory")).collect();
    for dir in &dirs {
        fs::copy(sysroot().join("usr/bin/bash"), dir.path().join("main")).expect("a copy");
    }
    assert_eq!(run(dirs[0].path(), &["--no-cache"], "./main"), 0);
    assert_eq!(run(dirs[0].path(), &[], "./main"), 1);
    assert_eq!(run(dirs[0].path(), &[], "./main"), 1);
    assert_eq!(run(dirs[1].path(), &[], "./main"), 2);
    assert_eq!(run(dirs[1].path(), &[], "bash"), 3);
    assert_eq!(run(dirs[0].path(), &[], "bash"), 3);
}

/// The guest could otherwise write what the next run executes.
#[test]
fn the_store_is_not_bound_for_writing() {
    let home = store();
    let elsewhere = tempfile::tempdir().expect("a directory");
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(home.path(), &link).expect("a link");
    let run = |store: &Path, bound: &Path, mode: &str, status| {
        let mut c = common::capvec();
        c.env("CAPVEC_HOME", store).args(["run", "--sysroot", common::SYSROOT]);
        c.arg(format!("--bind={}:/bound:{mode}", bound.display()));
        output(c.args(["--", "true"]), status).1
    };
    let parent = home.path().parent().expect("a directory");
    let inside = home.path().join("builds");
    fs::create_dir(&inside).expect("a directory");
    for bound in [home.path(), &inside, &link, parent] {
        let message = run(home.path(), bound, "rw", 2);
        assert!(message.contains("could write to capvec's store"), "{message}");
        run(home.path(), bound, "ro", 0);
    }
    run(home.path(), elsewhere.path(), "rw", 0);
    // Through the link, and where the store does not exist yet.
    let message = run(&link.join("new"), home.path(), "rw", 2);
    assert!(message.contains("could write to capvec's store"), "{message}");
}
