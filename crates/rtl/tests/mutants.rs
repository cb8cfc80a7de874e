//! Tests the tests: changes the RTL in one place at a time, and runs the core's programs on it. All mutants are in one model;
//! each of them runs in a separate process.

use crate::common;
use anyhow::{Context, Result};
use capvec_rtl::hart::{DIRECTORIES, Model, Parameters, directed, stimulus, vector_stimulus};
use capvec_rtl::mutate::mutants;
use capvec_rtl::schemata::{ACTIVE, Schemata};
use capvec_rtl::{Source, Verilator};
use capvec_sim::testing::Rng;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The directory with the mutated sources, for the child process.
const SOURCES: &str = "CAPVEC_RTL_SOURCES";
/// Time limit for a mutant: a fault can make the model loop for ever.
const LONGEST: Duration = Duration::from_secs(300);
/// Modules that the core's configuration lacks: drafts are off, and DLEN is not 64.
const ABSENT: [&str; 6] = [
    "zvku_aes_all.sv",
    "zvku_aes_key.sv",
    "zvku_keccak.sv",
    "zvku_keccak_round.sv",
    "zvku_modular.sv",
    "zvku_narrow.sv",
];

const PARAMETERS: Parameters = Parameters { vlen: 256, dlen: 128, memory: 1 << 20, drafts: &[] };

/// At most this many mutants of the files whose names begin with CAPVEC_RTL_FILES, in one source that Verilator accepts.
fn schemata(verilator: &Verilator, most: usize) -> Result<Schemata> {
    let files = std::env::var("CAPVEC_RTL_FILES").unwrap_or_else(|_| "zv".into());
    let source = Source::load(&DIRECTORIES)?;
    let wanted = |name: &str| name.starts_with(&files) && !ABSENT.contains(&name);
    let all = mutants(&source, wanted, &mut Rng::new("mutants"));
    println!("{} places in all", all.len());
    let mut schemata = Schemata::of(&source, &all, most);
    loop {
        let Err(why) = model(verilator, &schemata.source) else { return Ok(schemata) };
        let errors = format!("{why:#}");
        schemata = schemata.without(&source, &errors).context(errors)?;
    }
}

fn model(verilator: &Verilator, source: &Source) -> Result<Model> {
    Model::build(verilator, source, PARAMETERS, &common::directory().join("mutants"))
}

/// Compares random and directed programs with the simulator; an error is a difference.
fn survives(verilator: &Verilator, root: &Path) -> Result<()> {
    let mut model = model(verilator, &Source::in_checkout(root, &["mutants"])?)?;
    let mut rng = Rng::seeded(1);
    let (scalar, vector) = (stimulus::scalar_ops(), vector_stimulus::ops(PARAMETERS.drafts));
    let mut programs = Vec::new();
    for _ in 0..common::programs(150) {
        let others = |rng: &mut Rng| vector_stimulus::words(&vector, PARAMETERS.vlen, rng);
        let start = vector_stimulus::prologue();
        programs.push(stimulus::program(&scalar, PARAMETERS.memory, 300, &mut rng, &start, others));
    }
    programs.extend(directed::programs(&PARAMETERS, &mut rng));
    for (n, words) in programs.iter().enumerate() {
        model = common::run(model, words, n % 2 != 0, 20_000, &mut rng)?.1;
    }
    Ok(())
}

#[test]
#[ignore = "run by the test below, in a process of its own"]
fn one_mutant() {
    let Some(sources) = std::env::var_os(SOURCES).map(PathBuf::from) else { return };
    let Some(verilator) = common::verilator() else { return };
    match survives(&verilator, &sources) {
        Ok(()) => println!("SURVIVED"),
        Err(why) => println!("FOUND {why:#}"),
    }
}

/// Whether the child process finds the mutant; mutant 0 is the RTL as it is.
fn is_found(number: usize, sources: &Path) -> bool {
    let out = tempfile::NamedTempFile::new().expect("a file");
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "mutants::one_mutant", "--ignored", "--nocapture"])
        .env(ACTIVE, number.to_string())
        .env(SOURCES, sources)
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
    assert!(!is_found(0, sources.path()), "without a fault there is a difference");
    let mut found = 0;
    for (n, m) in schemata.mutants.iter().enumerate() {
        let verdict = is_found(n + 1, sources.path());
        let word = if verdict { "found" } else { "survived" };
        println!("{word}: {}:{}: {:?} for {:?}", m.file, m.line, m.to, m.from);
        found += usize::from(verdict);
    }
    println!("{found} of {} mutants found", schemata.mutants.len());
    // records/rtl.md has nine of ten; a few mutants may all be among the others.
    let tried = schemata.mutants.len();
    assert!(if tried < 100 { 2 * found > tried } else { 5 * found > 4 * tried });
}
