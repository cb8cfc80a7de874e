//! `capvec sweep` and `capvec cache`.

use crate::common::{capvec, output};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const FILE: &str = "[axes]\ncore = ['ideal', 'karu64']\nvlen = [128, 256]\ncaps = ['scalar', 'zvkb_zvknhb']\n\n[common]\n\
    cases = 'sha256'\nbytes = 64\nkat = 'none'\n\n[[exclude]]\ncore = 'ideal'\nvlen = 128\n";

/// Runs `capvec ARGS` in `dir`; what it prints on both outputs.
fn run(dir: &Path, args: &str, status: i32) -> (String, String) {
    output(capvec().args(args.split(' ')).current_dir(dir), status)
}

fn planned() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("sweep.toml"), FILE).unwrap();
    let (_, err) = run(dir.path(), "sweep plan sweep.toml -o jobs", 0);
    assert_eq!(err, "capvec: 6 jobs; 2 combinations are left out\n");
    dir
}

/// The record that a merge writes.
fn merged(dir: &Path, results: &str) -> String {
    run(dir, &format!("sweep merge jobs --results {results} --out {results}.out"), 0);
    std::fs::read_to_string(dir.join(format!("{results}.out/record.json"))).unwrap()
}

#[test]
fn the_record_is_the_same_however_the_work_was_divided_and_its_figures_are_those_of_bench() {
    let planned = planned();
    let dir = planned.path();
    let (_, err) = run(dir, "sweep work jobs --results one --quiet", 0);
    assert_eq!(err, "capvec: 6 jobs measured, 0 were done before, 0 failed\n");
    for share in ["3/3", "1/3"] {
        run(
            dir,
            &format!("sweep work jobs --results other --workers 1 --quiet --share {share}"),
            0,
        );
    }
    let (_, err) = run(dir, "sweep merge jobs --results other", 1);
    assert!(err.starts_with("capvec: 2 of 6 jobs have no result"), "{err}");
    assert!(err.contains("\ncapvec:   capvec bench --core "), "{err}");
    let (_, err) = run(dir, "sweep work jobs --results other --quiet", 0);
    assert_eq!(err, "capvec: 2 jobs measured, 4 were done before, 0 failed\n");
    assert_eq!(merged(dir, "one"), merged(dir, "other"));
    let csv = std::fs::read_to_string(dir.join("one.out/results.csv")).unwrap();
    let flags =
        "--cases sha256 --bytes 64 --kat none --caps scalar,zvkb_zvknhb --format csv --quiet";
    let bench = |core: &str| run(dir, &format!("bench {core} {flags}"), 0).0;
    for core in ["--core ideal --vlen 256", "--core karu64 --vlen 128,256"] {
        let figures = bench(core);
        let lines: Vec<&str> = figures.lines().skip(1).collect();
        assert!(
            !lines.is_empty() && lines.iter().all(|l| csv.lines().any(|c| c == *l)),
            "{figures}\n{csv}"
        );
    }
    assert_eq!(csv.lines().count(), 7);
}

/// Workers that are killed at any time lose at most the job that they are doing.
#[test]
fn killed_workers_lose_nothing_and_break_nothing() {
    let planned = planned();
    let dir = planned.path();
    for milliseconds in [150, 400, 700, 1000] {
        let mut workers: Vec<_> = (0..2)
            .map(|_| {
                let program = capvec().get_program().to_owned();
                let args = ["sweep", "work", "jobs", "--results", "shared", "--quiet"];
                Command::new(program)
                    .args(args)
                    .current_dir(dir)
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap()
            })
            .collect();
        std::thread::sleep(Duration::from_millis(milliseconds));
        for worker in &mut workers {
            let _ = worker.kill();
            worker.wait().unwrap();
        }
    }
    run(dir, "sweep work jobs --results shared --quiet", 0);
    run(dir, "sweep work jobs --results alone --quiet", 0);
    assert_eq!(merged(dir, "shared"), merged(dir, "alone"));
}

/// Sends a signal, such as STOP.
fn signal(worker: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &worker.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// One worker stands still after its first result, and finds that the other one has done the rest.
#[test]
fn what_another_worker_has_done_is_not_done_again() {
    let planned = planned();
    let dir = planned.path();
    let mut worker = Command::new(capvec().get_program())
        .args(["sweep", "work", "jobs", "--results", "shared", "--quiet", "--workers", "1"])
        .current_dir(dir)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let has_result = || {
        let folders = std::fs::read_dir(dir.join("shared")).into_iter().flatten().flatten();
        folders
            .flat_map(|folder| std::fs::read_dir(folder.path()))
            .flatten()
            .flatten()
            .any(|file| file.path().extension().is_some_and(|extension| extension == "json"))
    };
    while !has_result() {
        assert!(worker.try_wait().unwrap().is_none(), "the worker ended without a result");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&worker, "STOP");
    let (_, other) = run(dir, "sweep work jobs --results shared --quiet", 0);
    signal(&worker, "CONT");
    let output = worker.wait_with_output().unwrap();
    let one = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{one}");
    let numbers = |text: &str| -> Vec<usize> {
        text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    let ([measured, before, 0], [others, ..]) = (&numbers(&one)[..], &numbers(&other)[..]) else {
        panic!("{one}{other}")
    };
    assert_eq!(measured + before, 6, "{one}");
    // At most the job at which it stood was measured twice.
    assert!(*others > 0 && (6..=7).contains(&(measured + others)), "{one}{other}");
}

/// A changed core is measured again, and no other one is.
#[test]
fn a_file_of_one_job_does_not_concern_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let ideal = include_str!("../../../cores/ideal.toml");
    let core = |title: &str| {
        let core = ideal.replacen("name = \"ideal\"", "name = \"mine\"", 1);
        std::fs::write(dir.join("mine.toml"), format!("{core}\n# {title}\n")).unwrap();
    };
    let sweep = |cores: &str, expected: &str| {
        let common = "[common]\ncaps = 'scalar'\ncases = 'sha256'\nbytes = 64\nkat = 'none'\n";
        std::fs::write(dir.join("f.toml"), format!("[axes]\ncore = {cores}\n{common}")).unwrap();
        run(dir, "sweep plan f.toml -o jobs", 0);
        let (_, err) = run(dir, "sweep work jobs --results r --quiet", 0);
        assert_eq!(err, format!("capvec: {expected} were done before, 0 failed\n"));
    };
    core("one");
    sweep("['ideal', 'karu64', 'mine.toml']", "3 jobs measured, 0");
    core("other");
    sweep("['ideal', 'karu64', 'mine.toml']", "1 jobs measured, 2");
    sweep("['ideal', 'karu64']", "0 jobs measured, 2");
}

#[test]
fn a_job_that_fails_is_named_with_its_command_and_the_others_are_done() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let file = "[axes]\ncaps = ['scalar', 'zvkg']\n[common]\nsubject = './libcrypto.so.3'\ncases = 'ghash'\nbytes = 64\n";
    std::fs::write(dir.join("f.toml"), file).unwrap();
    std::fs::write(dir.join("libcrypto.so.3"), "no library").unwrap();
    run(dir, "sweep plan f.toml -o jobs", 0);
    let (_, err) = run(dir, "sweep work jobs --results r --quiet", 1);
    assert!(err.contains("libcrypto.so.3"), "{err}");
    assert!(err.contains("\n  capvec bench --caps zvkg --bytes 64 "), "{err}");
    assert!(err.ends_with("capvec: 0 jobs measured, 0 were done before, 2 failed\n"), "{err}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let planned = planned();
    let dir = planned.path();
    for (file, expected) in [
        ("[axes]\ncore = ['karu46']", "did you mean karu64"),
        ("[axes]\nvlen = [100]", "--vlen"),
        ("[axes]\ncases = ['sha257']", "sha257"),
        ("[axes]\nvector.starup = [1]", "did you mean vector.startup"),
        ("[axes]\ncore = ['./nowhere.toml']", "nowhere.toml"),
        ("[common]\nkat = 'maybe'\n[axes]\nvlen = [128]", "[possible values: "),
        ("[axes]\ncaps = ['zvfoo']", "zvfoo"),
        ("", "there are no [axes]"),
        ("[axes]\nvlen = [128, 256]\ncore.vlen = [512]", "--vlen and --set vlen mean the same"),
        ("[axes.core]\nvlen = [512]\n[common]\nvlen = 128", "--vlen and --set vlen mean the same"),
        ("[axes.core]\nvlen = [128, 200]", "power of two, not 200"),
        ("[axes]\ndcache.miss = [1, 2, 'x', 3]", "dcache.miss=x"),
        ("[axes]\nbytes = [1, 'x']", "invalid value 'x'"),
        ("[axes]\ncore = ['karu64', 'ideal']\nvector.startup = [1, 2]", "[[exclude]]"),
        (
            "[axes]\ncaps = ['scalar', 'full']\ncore = ['karu64', 'sifive-u74']",
            "has no vector unit",
        ),
    ] {
        std::fs::write(dir.join("bad.toml"), file).unwrap();
        let (_, err) = run(dir, "sweep plan bad.toml", 2);
        assert!(err.starts_with("capvec: bad.toml: ") && err.contains(expected), "{file}: {err}");
    }
    // Only where [[exclude]] would help.
    std::fs::write(dir.join("bad.toml"), "[axes]\ncore = ['karu64', 'karu46']").unwrap();
    let (_, err) = run(dir, "sweep plan bad.toml", 2);
    assert!(err.contains("did you mean karu64") && !err.contains("[[exclude]]"), "{err}");
    let jobs = std::fs::read_to_string(dir.join("jobs")).unwrap();
    // Without jobs, whose ids are of this build.
    let head = jobs.lines().next().unwrap().replacen("\"jobs\":6", "\"jobs\":0", 1);
    std::fs::write(dir.join("other"), head.replacen("\"program\":\"", "\"program\":\"0", 1))
        .unwrap();
    let (_, err) = run(dir, "sweep work other", 2);
    assert!(err.contains("other: the plan was made by capvec"), "{err}");
    for (args, expected) in [
        ("sweep work jobs --share 5/4", "5/4 is not a share"),
        ("sweep work jobs --job zz --results r", "--job zz: the plan has no such job"),
        ("sweep work nowhere", "name the file that `capvec sweep plan -o` wrote"),
        ("sweep merge nowhere", "nowhere: No such file"),
        ("sweep merge jobs --partial --results r", "no job has a result"),
        ("sweep work jobs --results /proc/none", "/proc/none: "),
        ("sweep merge jobs --results nowhere", "--results nowhere: no such directory"),
        ("cache ls --results nowhere", "--results nowhere: no such directory"),
    ] {
        let (_, err) = run(dir, args, 2);
        assert!(err.contains(expected), "{args}: {err}");
    }
}

/// Custom instructions are registered once in a process, whatever the number of its jobs.
#[test]
fn all_jobs_have_the_custom_instructions_of_the_sweep() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let own = include_str!("../../../examples/instructions/xrotxor.toml");
    std::fs::write(dir.join("own.toml"), own).unwrap();
    let axes =
        "[axes]\ncore = ['ideal']\ncaps = ['scalar', 'zbb', 'full_xrotxor']\ncases = ['sha256']\n";
    let common = "[common]\nisa-file = './own.toml'\nbytes = 64\nkat = 'none'\n";
    std::fs::write(dir.join("f.toml"), format!("{axes}{common}")).unwrap();
    run(dir, "sweep plan f.toml -o jobs", 0);
    let (_, err) = run(dir, "sweep work jobs --results r --quiet", 0);
    assert!(err.ends_with("capvec: 3 jobs measured, 0 were done before, 0 failed\n"), "{err}");
}

#[test]
fn a_core_file_that_changed_since_the_plan_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let core = include_str!("../../../cores/ideal.toml").replacen(
        "name = \"ideal\"",
        "name = \"mine\"",
        1,
    );
    std::fs::write(dir.join("mine.toml"), &core).unwrap();
    std::fs::write(dir.join("f.toml"), "[axes]\ncore = ['./mine.toml']\ncases = ['sha256']")
        .unwrap();
    run(dir, "sweep plan f.toml -o jobs", 0);
    std::fs::write(dir.join("mine.toml"), core + "\n").unwrap();
    let (_, err) = run(dir, "sweep work jobs --results r", 2);
    assert!(
        err.contains("./mine.toml is not the file that the plan was made for; plan again"),
        "{err}"
    );
}

#[test]
fn kept_results_are_listed_and_removed() {
    let planned = planned();
    let dir = planned.path();
    let first = std::fs::read_to_string(dir.join("jobs")).unwrap();
    let id = first.lines().nth(1).unwrap()[7..71].to_string();
    run(dir, &format!("sweep work jobs --results r --quiet --job {}", &id[..12]), 0);
    let (list, _) = run(dir, "cache ls --results r", 0);
    assert!(list.starts_with(&id) && list.lines().count() == 1, "{list}");
    let (_, err) = run(dir, "cache prune --results r --older-than 1", 0);
    assert!(err.starts_with("capvec: 0 results"), "{err}");
    run(dir, "cache prune --results r --older-than 0 --dry-run", 0);
    let (_, err) = run(dir, "cache prune --results r --older-than 0", 0);
    assert!(err.starts_with("capvec: 1 result ("), "{err}");
    assert_eq!(run(dir, "cache ls --results r", 0).0, "");
}
