//! The GitHub action of `actions/compare-sweep`, without GitHub: its scripts in a repository with two commits, and a program `gh` that
//! notes how it was called.

use crate::common::capvec;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SWEEP: &str = "[axes]\ncore = ['./mine.toml']\ncaps = ['scalar']\ncases = ['sha256']\n\n[common]\nbytes = 64\nkat = 'none'\n";
/// Lists the comments with the identifiers in the file `ids`.
const GH: &str = "#!/bin/sh\necho \"$*\" >>calls\ncase \"$*\" in *--paginate*) cat ids ;; esac\n";

/// A repository, and a directory for programs.
struct Repository {
    dir: tempfile::TempDir,
    programs: tempfile::TempDir,
}

impl Repository {
    fn new() -> Repository {
        let dir = tempfile::tempdir().unwrap();
        let programs = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(capvec().get_program(), programs.path().join("capvec")).unwrap();
        let gh = programs.path().join("gh");
        fs::write(&gh, GH).unwrap();
        fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).unwrap();
        let repository = Repository { dir, programs };
        repository.git(&["init", "--quiet"]);
        repository
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn run(&self, program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Output {
        let path = format!("{}:{}", self.programs.path().display(), std::env::var("PATH").unwrap());
        Command::new(program)
            .args(args)
            .current_dir(self.path())
            .env("PATH", path)
            .env("GITHUB_REPOSITORY", "owner/name")
            .output()
            .unwrap()
    }

    fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let output = self.run("git", &[&identity[..], args].concat());
        assert!(output.status.success(), "{args:?}: {output:?}");
    }

    /// Commits files with these contents.
    fn commit(&self, files: &[(&str, &str)]) {
        for (name, text) in files {
            fs::write(self.path().join(name), text).unwrap();
        }
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "A change"]);
    }

    /// Runs compare.sh against the commit before the last one; returns the comment.
    fn compare(&self, percent: &str, status: i32) -> String {
        let output = self.run(script("compare.sh"), &["sweep.toml", "HEAD~1", "out", percent]);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        fs::read_to_string(self.path().join("out/comment.md")).unwrap()
    }
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../actions/compare-sweep").join(name)
}

/// karu64 under another name, whose branches cost more or less.
fn core(mispredict: u32) -> String {
    let karu64 =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cores/karu64.toml"))
            .unwrap();
    let mut core: toml::Table = karu64.parse().unwrap();
    core.insert("name".into(), "mine".into());
    core["branch"]["mispredict"]["value"] = i64::from(mispredict).into();
    toml::to_string(&core).unwrap()
}

#[test]
fn a_pull_request_is_compared_and_fails_if_a_figure_grew() {
    let repository = Repository::new();
    repository.commit(&[(".gitignore", "out/\n"), ("mine.toml", &core(0))]);
    repository.commit(&[("sweep.toml", SWEEP)]);
    let comment = repository.compare("", 0);
    assert!(comment.contains("There is no such file in "), "{comment}");
    assert!(comment.contains("| sha256 "), "{comment}");

    repository.commit(&[("mine.toml", &core(20))]);
    let comment = repository.compare("1%", 1);
    assert!(
        comment.starts_with("<!-- capvec sweep: sweep.toml -->\n### capvec: `sweep.toml`\n"),
        "{comment}"
    );
    assert!(comment.contains("a figure may grow by 1%"), "{comment}");
    let [compared, all] = comment.split("<details>").collect::<Vec<_>>()[..] else {
        panic!("{comment}")
    };
    assert!(compared.contains("cycles") && all.contains("| sha256 "), "{comment}");
    assert!(repository.compare("500%", 0).contains("cycles"));
    // The tree of the older commit is gone.
    let trees = repository.run("git", &["worktree", "list"]).stdout;
    assert_eq!(String::from_utf8(trees).unwrap().lines().count(), 1);
}

/// Of two cores, the pull request changes one: its figures are compared with its own, and the other core's are the same.
#[test]
fn a_changed_core_is_compared_besides_one_that_did_not_change() {
    let repository = Repository::new();
    let sweep = SWEEP.replacen("['./mine.toml']", "['karu64', './mine.toml']", 1);
    repository.commit(&[(".gitignore", "out/\n"), ("mine.toml", &core(0)), ("sweep.toml", &sweep)]);
    repository.commit(&[("mine.toml", &core(20))]);
    let comment = repository.compare("1%", 1);
    let (compared, _) = comment.split_once("<details>").unwrap();
    assert!(compared.contains("1 rows compared, figures: 2 same"), "{comment}");
    assert!(
        compared.contains("| sha256 | enc |") && compared.contains("| regression |"),
        "{comment}"
    );
    assert!(!compared.contains("missing or not comparable"), "{comment}");
    assert!(repository.compare("500%", 0).contains("mine (branch.mispredict 20)"));
}

/// The comment of an earlier push would otherwise stay as it is.
#[test]
fn a_sweep_that_fails_is_commented() {
    let repository = Repository::new();
    repository.commit(&[(".gitignore", "out/\n"), ("mine.toml", &core(0)), ("sweep.toml", SWEEP)]);
    repository.commit(&[("sweep.toml", &SWEEP.replacen("sha256", "sha257", 1))]);
    let failed = repository.compare("", 2);
    assert!(failed.starts_with("<!-- capvec sweep: sweep.toml -->\n"), "{failed}");
    assert!(failed.contains("failed with this pull request"), "{failed}");
    assert!(failed.contains("did you mean sha256?"), "{failed}");
    repository.commit(&[("sweep.toml", SWEEP)]);
    assert!(repository.compare("", 2).contains("The sweep failed at "));
    // The tree of the older commit is gone.
    let trees = repository.run("git", &["worktree", "list"]).stdout;
    assert_eq!(String::from_utf8(trees).unwrap().lines().count(), 1);
}

#[test]
fn wrong_usage_names_the_remedy() {
    let repository = Repository::new();
    repository.commit(&[("sweep.toml", SWEEP)]);
    for (arguments, says) in [
        (&["sweep.toml", "HEAD"][..], "usage: compare.sh SWEEP BASE OUT [PERCENT]"),
        (
            &["sweep.toml", "v1.0", "out"],
            "this checkout lacks the commit v1.0; give actions/checkout",
        ),
    ] {
        let output = repository.run(script("compare.sh"), arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && error.contains(says), "{output:?}");
    }
    assert!(!repository.path().join("out").exists());
}

#[test]
fn each_sweep_has_one_comment() {
    let repository = Repository::new();
    fs::write(repository.path().join("comment.md"), "<!-- capvec sweep: a -->\ntext\n").unwrap();
    for (ids, last) in [
        (
            "",
            "api --silent --method POST repos/owner/name/issues/7/comments --field body=@comment.md",
        ),
        (
            "31\n32\n",
            "api --silent --method PATCH repos/owner/name/issues/comments/31 --field body=@comment.md",
        ),
    ] {
        fs::write(repository.path().join("ids"), ids).unwrap();
        let output = repository.run(script("comment.sh"), &["7", "comment.md"]);
        assert!(output.status.success(), "{output:?}");
        let calls = fs::read_to_string(repository.path().join("calls")).unwrap();
        assert_eq!(calls.lines().last(), Some(last));
    }
}
