//! Tests the tests: changes the RTL in one place at a time, and runs the tests on it that should notice: the core's programs, and
//! those of the unit and of the entropy source. All mutants are in the same models; each of them runs in a separate process.

use crate::{common, hart as core, lockstep, zkr as entropy};
use anyhow::{Context, Result};
use capvec_rtl::hart::{self, DIRECTORIES, directed, stimulus, vector_stimulus};
use capvec_rtl::mutant_schemata::{ACTIVE, Schemata};
use capvec_rtl::mutate::mutants;
use capvec_rtl::{self as unit, Source, Verilator, zkr};
use capvec_sim::testing::Rng;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The file of the mutant, for the child process.
const FILE: &str = "CAPVEC_RTL_MUTATED_FILE";
/// Time limit for a mutant: a fault can make the model loop for ever.
const LONGEST: Duration = Duration::from_secs(300);
/// What is only there for simulation.
const CLOCKED: &str = "zvcore_clocked.sv";

/// Programs of the unit's own comparison, in each of its configurations.
const UNIT_PROGRAMS: u64 = 200;

/// The unit's configurations: usual, and DLEN 64, which has modules of its own.
fn units() -> [unit::Parameters; 2] {
    [lockstep::usual(), unit::Parameters { dlen: 64, ..lockstep::usual() }]
}

/// At most this many mutants of the files whose names begin with CAPVEC_RTL_FILES, in one source that Verilator accepts.
fn schemata(verilator: &Verilator, most: usize) -> Result<Schemata> {
    let files = std::env::var("CAPVEC_RTL_FILES").unwrap_or_else(|_| "z".into());
    let source = Source::load(&DIRECTORIES)?;
    let wanted = |name: &str| name.starts_with(&files) && name != CLOCKED;
    let all = mutants(&source, wanted, &mut Rng::new("mutants"));
    println!("{} places in all", all.len());
    let mut schemata = Schemata::of(&source, &all, most);
    loop {
        let Err(why) = build(verilator, &schemata.source) else { return Ok(schemata) };
        let errors = format!("{why:#}");
        schemata = schemata.without(&source, &errors).context(errors)?;
    }
}

/// Builds what the processes below run.
fn build(verilator: &Verilator, source: &Source) -> Result<()> {
    let directory = common::mutants(&common::directory());
    hart::Model::build(verilator, source, core::with_drafts(), &directory)?;
    for parameters in units() {
        unit::Model::build(verilator, source, parameters, &directory)?;
    }
    zkr::Model::build(verilator, source, zkr::Parameters, &directory)?;
    Ok(())
}

/// Compares random and directed programs with the simulator; an error is a difference.
fn programs() -> Result<()> {
    let parameters = core::with_drafts();
    let mut model = core::model().context("no model")?;
    let mut rng = Rng::seeded(1);
    let (scalar, vector) = (stimulus::scalar_ops(), vector_stimulus::ops(parameters.drafts));
    let mut programs = Vec::new();
    for _ in 0..common::programs(150) {
        let others = |rng: &mut Rng| vector_stimulus::words(&vector, parameters.vlen, rng);
        let start = vector_stimulus::prologue();
        programs.push(stimulus::program(&scalar, parameters.memory, 300, &mut rng, &start, others));
    }
    programs.extend(directed::programs(&parameters, &mut rng));
    for (n, words) in programs.iter().enumerate() {
        model = common::run(model, words, n % 2 != 0, 20_000, &mut rng)?.1;
    }
    Ok(())
}

/// The tests that a mutant of this file should fail: those of the unit and of the entropy source by themselves, and the core's
/// programs. The former panic.
fn survives(file: &str) -> Result<()> {
    if file.starts_with("zkr") {
        entropy::all();
    }
    if file.starts_with("zvku") {
        units().into_iter().for_each(|parameters| lockstep::all(parameters, UNIT_PROGRAMS));
    }
    programs()
}

#[test]
#[ignore = "run by the test below, in a process of its own"]
fn one_mutant() {
    let Ok(file) = std::env::var(FILE) else { return };
    match survives(&file) {
        Ok(()) => println!("SURVIVED"),
        Err(why) => println!("FOUND {why:#}"),
    }
}

/// Whether the child process finds the mutant; mutant 0 is the RTL as it is.
fn is_found(number: usize, file: &str, sources: &Path) -> bool {
    let out = tempfile::NamedTempFile::new().expect("a file");
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "mutants::one_mutant", "--ignored", "--nocapture"])
        .env(ACTIVE, number.to_string())
        .env(common::MUTATED, sources)
        .env(FILE, file)
        .stdout(out.reopen().expect("a file"))
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let start = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if start.elapsed() > LONGEST {
            child.kill().expect("a process");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    // If the child printed neither word, the model did not settle or did not end, so the mutant is found.
    !std::fs::read_to_string(out.path()).unwrap_or_default().contains("SURVIVED")
}

/// Tries CAPVEC_RTL_MUTANTS mutants.
#[test]
#[ignore = "minutes: make rtl-mutants"]
fn faults_are_found() {
    let Some(verilator) = common::verilator() else { return };
    let most = std::env::var("CAPVEC_RTL_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let schemata = schemata(&verilator, most).unwrap_or_else(|why| panic!("{why:#}"));
    let sources = tempfile::tempdir().expect("a directory");
    schemata.source.write(&sources.path().join("rtl/mutants")).expect("the sources");
    for file in ["zvcore", "zvku", "zkr"] {
        assert!(
            !is_found(0, file, sources.path()),
            "without a fault there is a difference: {file}"
        );
    }
    let mut found = 0;
    for (n, m) in schemata.mutants.iter().enumerate() {
        let verdict = is_found(n + 1, &m.file, sources.path());
        let word = if verdict { "found" } else { "survived" };
        println!("{word}: {}:{}: {:?} for {:?}", m.file, m.line, m.to, m.from);
        found += usize::from(verdict);
    }
    println!("{found} of {} mutants found", schemata.mutants.len());
    // records/rtl.md has nine of ten; a few mutants may all be among the others.
    let tried = schemata.mutants.len();
    assert!(if tried < 100 { 2 * found > tried } else { 5 * found > 4 * tried });
}
