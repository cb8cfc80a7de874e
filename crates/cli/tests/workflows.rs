//! The workflows of `examples`, without GitHub: they are read, and the steps of the one for kernels are run in a repository with the
//! kernel of docs/own-code.md.

use crate::common::capvec;
use crate::measure::save;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use yaml_rust2::{Yaml, YamlLoader};

fn workflow(path: &str) -> Yaml {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path);
    let text = fs::read_to_string(file).unwrap();
    YamlLoader::load_from_str(&text).unwrap().remove(0)
}

/// The steps of all jobs.
fn steps(workflow: &Yaml) -> Vec<&Yaml> {
    let jobs = workflow["jobs"].as_hash().expect("jobs");
    jobs.values().flat_map(|job| job["steps"].as_vec().expect("a list of steps")).collect()
}

/// A repository with the kernel in its first commit.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Repository {
        let repository = Repository(tempfile::tempdir().unwrap());
        save(repository.0.path());
        repository.git(&["init", "--quiet"]);
        repository.commit();
        repository
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn git(&self, args: &[&str]) {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let done = Command::new("git").args(identity).args(args).current_dir(&self.0).status();
        assert!(done.unwrap().success(), "{args:?}");
    }

    fn commit(&self) {
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message", "A change"]);
    }

    /// Runs a step as GitHub does, with its environment and that of the workflow.
    fn run(&self, workflow: &Yaml, step: &Yaml) -> Output {
        let program = PathBuf::from(capvec().get_program().to_os_string());
        let path =
            format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut command = Command::new("bash");
        command.args(["-e", "-c", step["run"].as_str().expect("a script")]);
        for of in [&workflow["env"], &step["env"]] {
            for (name, value) in of.as_hash().into_iter().flatten() {
                let (name, value) = (name.as_str().unwrap(), value.as_str().unwrap());
                match value.strip_prefix("${{ ").and_then(|v| v.strip_suffix(" }}")) {
                    None => drop(command.env(name, value)),
                    Some("vars.DEBIAN_MIRROR") => {}
                    Some("github.event.pull_request.base.sha") => drop(command.env(name, "HEAD~1")),
                    Some(other) => panic!("{other}: what GitHub gives is not known here"),
                }
            }
        }
        let summary = self.file("summary.md");
        command.env("PATH", path).env("GITHUB_STEP_SUMMARY", summary).current_dir(&self.0);
        command.output().unwrap()
    }

    /// Runs the steps up to the first that fails; returns its name, or nothing, with the summary.
    fn check(&self, workflow: &Yaml) -> (Option<String>, String) {
        let own = |step: &&Yaml| step["name"].as_str().is_some_and(|name| name != "install");
        let failed = steps(workflow).into_iter().filter(own).find(|step| {
            let done = self.run(workflow, step);
            eprintln!("{}", String::from_utf8_lossy(&done.stderr));
            !done.status.success()
        });
        let name = failed.map(|step| step["name"].as_str().unwrap().to_string());
        (name, fs::read_to_string(self.file("summary.md")).unwrap())
    }

    /// Replaces text of the kernel in a new commit.
    fn change(&self, from: &str, to: &str) {
        let kernel = self.file("xtea_v.S");
        let text = fs::read_to_string(&kernel).unwrap();
        assert!(text.contains(from));
        fs::write(&kernel, text.replace(from, to)).unwrap();
        for left in ["summary.md", "after"] {
            let path = self.file(left);
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        }
        if self.file("base").exists() {
            self.git(&["worktree", "remove", "--force", "base"]);
        }
        self.commit();
    }
}

#[test]
fn a_kernel_is_checked_and_compared_with_that_of_the_base() {
    let workflow = workflow("measure/kernel.yml");
    let repository = Repository::new();
    repository.change("    li t2, 32\n", "    li t2, 32  # rounds\n");
    let (failed, summary) = repository.check(&workflow);
    assert_eq!(failed, None, "{summary}");
    let shown = ["| karu64 | 1024 | v |", "6 rows compared, figures: 6 same"];
    assert!(shown.iter().all(|text| summary.contains(text)), "{summary}");
    // One instruction more in each round.
    repository.change("    addi t2, t2, -1\n", "    nop\n    addi t2, t2, -1\n");
    let (failed, summary) = repository.check(&workflow);
    assert_eq!(failed.as_deref(), Some("compare"), "{summary}");
    // A register that the caller needs.
    repository.change("    li t1, 0\n", "    li t1, 0\n    li s1, 0\n");
    let (failed, summary) = repository.check(&workflow);
    assert_eq!(failed.as_deref(), Some("check"), "{summary}");
    assert!(summary.contains("s1 is not kept"), "{summary}");
}

#[test]
fn a_base_without_the_kernel_is_not_compared() {
    let workflow = workflow("measure/kernel.yml");
    let repository = Repository(tempfile::tempdir().unwrap());
    repository.git(&["init", "--quiet"]);
    fs::write(repository.file("other.c"), "\n").unwrap();
    repository.commit();
    save(repository.0.path());
    repository.commit();
    let (failed, summary) = repository.check(&workflow);
    assert_eq!(failed, None, "{summary}");
    assert!(summary.contains("Not compared: the base has no bench.c."), "{summary}");
}

#[test]
fn every_workflow_can_be_read() {
    for path in ["measure/kernel.yml", "sweep/github.yml", "sweep/pull-request.yml"] {
        let workflow = workflow(path);
        assert!(workflow["name"].as_str().is_some(), "{path}");
        for step in steps(&workflow) {
            assert!(step["run"].is_badvalue() != step["uses"].is_badvalue(), "{path}: {step:?}");
        }
    }
}
