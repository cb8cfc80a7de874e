//! Plans, results and their merging.

use capvec_record::{Host, Kind, Record, Row, TargetRecord};
use capvec_sweep::{Axes, Build, Plan, Results, Share, merge};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};

fn build(program: &str) -> Build {
    Build { tool: "capvec 9".into(), program: program.into() }
}

fn plan(vlens: &[u32]) -> Plan {
    let axes =
        Axes::parse("f", &format!("[axes]\nvlen = {vlens:?}\ncaps = ['scalar', 'full']")).unwrap();
    Plan::of("f", &axes, build("p"), BTreeMap::new()).unwrap()
}

/// What a worker on some machine measured for a job.
fn record(cycles: f64, machine: &str, library: &str) -> Record {
    let row = Row { subject: "openssl".into(), cycles_per_op: Some(cycles), ..Row::default() };
    let target = TargetRecord {
        sha256: Some(library.into()),
        kind: Kind::Modelled,
        ..TargetRecord::default()
    };
    let machine = Host { kernel: machine.into(), ..Host::default() };
    let command = vec![machine.kernel.clone()];
    Record {
        tool: "capvec 9".into(),
        command,
        machine,
        target,
        rows: vec![row],
        ..Record::default()
    }
}

#[test]
fn a_plan_is_read_as_it_was_written_and_a_job_is_named_by_all_that_it_depends_on() {
    let plan = plan(&[128, 256]);
    assert_eq!(Plan::parse("f", &plan.text()).unwrap(), plan);
    assert_eq!(plan.jobs[1].flags, ["--vlen", "128", "--caps", "full"]);
    let axes = Axes::parse("f", "[axes]\nvlen = [128]\ncaps = ['scalar', 'full']").unwrap();
    let ids = |build, files| -> Vec<String> {
        let plan = Plan::of("f", &axes, build, files).unwrap();
        plan.jobs.into_iter().map(|job| job.id).collect()
    };
    let none = BTreeMap::new;
    assert_eq!(ids(build("p"), none()), [plan.jobs[0].id.clone(), plan.jobs[1].id.clone()]);
    assert_ne!(ids(build("q"), none()), ids(build("p"), none()));
    let e = plan.require("f", &build("q")).unwrap_err().to_string();
    assert!(e.contains("made by capvec 9 (p), and this is capvec 9 (q)"), "{e}");
}

/// A changed core model changes the jobs on that core, and an edited digest is noticed.
#[test]
fn a_job_depends_on_the_files_that_its_flags_name_and_on_no_others() {
    let plan = |cores: &str, files: &[(&str, &str)]| {
        let text = format!("[axes]\ncore = {cores}\n[common]\ncases = ['sha256', 'c.toml']");
        let axes = Axes::parse("f", &text).unwrap();
        let files = files.iter().map(|(path, digest)| (path.to_string(), digest.to_string()));
        Plan::of("f", &axes, build("p"), files.collect()).unwrap()
    };
    let ids = |plan: &Plan| plan.jobs.iter().map(|job| job.id.clone()).collect::<Vec<_>>();
    let cores = "['karu64', 'a.toml,b.toml']";
    let whole = plan(cores, &[("a.toml", "1"), ("b.toml", "1"), ("c.toml", "1")]);
    let core = plan(cores, &[("a.toml", "1"), ("b.toml", "2"), ("c.toml", "1")]);
    assert_eq!(ids(&whole)[0], ids(&core)[0]);
    assert_ne!(ids(&whole)[1], ids(&core)[1]);
    // All jobs have these cases.
    let cases = plan(cores, &[("a.toml", "1"), ("b.toml", "1"), ("c.toml", "2")]);
    assert!(ids(&whole).iter().zip(ids(&cases)).all(|(a, b)| *a != b));
    // Without the core that has a file, the job of the other one is the same.
    assert_eq!(ids(&plan("['karu64']", &[("c.toml", "1")])), ids(&whole)[..1]);
    let edited = whole.text().replacen("\"b.toml\":\"1\"", "\"b.toml\":\"2\"", 1);
    let e = Plan::parse("f", &edited).unwrap_err().to_string();
    assert!(e.starts_with("f, line 3: the job is not the one that was planned"), "{e}");
}

#[test]
fn faulty_plans_are_named_by_line() {
    let text = plan(&[128]).text();
    for (text, expected) in [
        (String::new(), "f: the file is empty"),
        ("{}".into(), "f, line 1: not the first line of a plan"),
        (text.clone() + "{\"id\": 1}", "f, line 4: not a job"),
        (text.replacen("full", "scalar", 1), "f, line 3: the job is not the one that was planned"),
        (text.lines().take(2).collect::<Vec<_>>().join("\n"), "f: it has 1 of 2 jobs; plan again"),
    ] {
        let e = Plan::parse("f", &text).unwrap_err().to_string();
        assert!(e.starts_with(expected), "{e}");
    }
}

#[test]
fn shares_are_disjoint_and_complete() {
    let all: Vec<usize> = (0..10).collect();
    let mut seen: Vec<usize> = Vec::new();
    for number in 1..=3 {
        let share: Share = format!("{number}/3").parse().unwrap();
        seen.extend(share.take(&all));
    }
    seen.sort_unstable();
    assert_eq!(seen, all);
    for bad in ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
        assert!(bad.parse::<Share>().is_err(), "{bad}");
    }
}

/// Two machines do parts of a plan in different orders, one job twice; one of them is killed while it writes.
fn swept(dir: &Path, plan: &Plan, order: &[usize]) -> String {
    let results = Results::at(dir);
    for (n, job) in order.iter().enumerate() {
        let machine = format!("machine {}", n % 2);
        results.put(&plan.jobs[*job], &record(*job as f64, &machine, "l")).unwrap();
    }
    let merged = merge(plan, &results).unwrap();
    assert!(merged.missing.is_empty());
    serde_json::to_string(&merged.record).unwrap()
}

#[test]
fn the_record_does_not_depend_on_who_measured_what_and_when() {
    let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let plan = plan(&[128, 256]);
    let one = swept(a.path(), &plan, &[0, 1, 2, 3]);
    std::fs::create_dir_all(b.path().join("ab")).unwrap();
    std::fs::write(b.path().join("ab/.tmp1234"), "{\"tool").unwrap();
    let other = swept(b.path(), &plan, &[3, 1, 0, 3, 2]);
    assert_eq!(one, other);
    assert!(!one.contains("machine 0"), "{one}");
    assert_eq!(Results::at(b.path()).all().unwrap().len(), 4);
}

#[test]
fn a_damaged_result_is_missing_and_results_of_two_libraries_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (plan, results) = (plan(&[128]), Results::at(dir.path()));
    results.put(&plan.jobs[0], &record(1.0, "m", "l")).unwrap();
    let all = results.all().unwrap();
    let file = dir.path().join(&all[0].id[..2]).join(format!("{}.json", all[0].id));
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let merged = merge(&plan, &results).unwrap();
    assert_eq!((merged.missing.len(), merged.record.is_none()), (2, true));
    assert!(!results.has(&plan.jobs[0]));
    std::fs::write(
        &file,
        String::from_utf8(whole).unwrap().replacen(&all[0].id, &plan.jobs[1].id, 1),
    )
    .unwrap();
    assert!(!results.has(&plan.jobs[0]), "the result is that of another job");
    results.put(&plan.jobs[0], &record(1.0, "m", "l")).unwrap();
    results.put(&plan.jobs[1], &record(1.0, "m", "other")).unwrap();
    let e = merge(&plan, &results).map(|_| ()).unwrap_err().to_string();
    assert!(
        e.contains("--vlen 128 --caps scalar and --vlen 128 --caps full")
            && e.contains("the library; run `capvec sweep work` with another directory"),
        "{e}"
    );
    results.remove(&results.all().unwrap()[0]).unwrap();
    assert_eq!(results.all().unwrap().len(), 1);
}

#[test]
fn a_sweep_of_millions_is_refused() {
    let many: Vec<u32> = (0..1100).collect();
    let text = format!("[axes]\nbytes = {many:?}\nvector.startup = {many:?}");
    let e = Axes::parse("f", &text).unwrap_err().to_string();
    assert!(e.starts_with("f: 1210000 combinations; a sweep has at most 1000000"), "{e}");
}

/// Every value that is not left out altogether is in a sample, and no sample is left out.
#[test]
fn samples_have_every_value() {
    let text = "[axes]\ncore = ['a', 'b']\nvlen = [1, 2, 3]\n[[exclude]]\ncore = 'a'\nvlen = [1, 2]\n[[exclude]]\nvlen = 3";
    let axes = Axes::parse("f", text).unwrap();
    assert_eq!(axes.samples(), [["b", "1"], ["b", "2"]]);
}

/// A worker that is killed leaves an unfinished file; one that is being written stays, and so does what is not capvec's.
#[test]
fn unfinished_files_and_empty_folders_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    let results = Results::at(dir.path());
    let file = |name: &str, hours: u64| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let written = SystemTime::now() - Duration::from_secs(hours * 3600);
        std::fs::File::create(&path).unwrap().set_modified(written).unwrap();
        path
    };
    let (old, new) = (file("ab/.tmpXY", 50), file("cd/.tmpXY", 0));
    let (own, other) = (file("mine/.tmpXY", 50), file("cd/notes", 50));
    results.tidy(Duration::from_secs(100 * 3600)).unwrap();
    assert!(old.exists());
    results.tidy(Duration::ZERO).unwrap();
    assert!(!old.parent().unwrap().exists());
    assert!(new.exists() && own.exists() && other.exists());
}
