//! Translations that `run` keeps in the store for the next run of the program.

use crate::common::{self, output, set_up};
use std::fs;
use std::path::Path;

/// A store without translations, whose sysroots are those of the tests.
fn store() -> tempfile::TempDir {
    set_up();
    let (list, _) = output(common::capvec().args(["sysroot", "list", "--format", "json"]), 0);
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    let ours = list.as_array().expect("a list").iter().find(|s| s["name"] == common::SYSROOT);
    let root = Path::new(ours.expect("the sysroot")["path"].as_str().expect("a path"));
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
