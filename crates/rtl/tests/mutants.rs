//! Tests the tests: changes the RTL in one place at a time, and runs the core's random programs on it.

use crate::common;
use capvec_bare::Image;
use capvec_bare::testing::{CODE, DATA, program};
use capvec_rtl::hart::{Cosim, Model, Parameters, stimulus, vector_stimulus};
use capvec_rtl::mutate::{Mutant, mutants};
use capvec_rtl::{Source, Verilator};
use capvec_sim::testing::Rng;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names the mutant that the child process runs.
const NUMBER: &str = "CAPVEC_RTL_MUTANT";
/// Time limit for a mutant: a fault can make the model loop for ever.
const LONGEST: Duration = Duration::from_secs(300);

fn source() -> Source {
    Source::load(&["zvku", "core"]).expect("the core's sources")
}

fn all() -> Vec<Mutant> {
    let file = std::env::var("CAPVEC_RTL_FILES").unwrap_or_else(|_| "zvcore".into());
    mutants(&source(), |name| name.starts_with(&file), &mut Rng::new("mutants"))
}

/// Compares random programs with the simulator; an error is a difference.
fn survives(verilator: &Verilator, mutant: &Mutant) -> anyhow::Result<()> {
    let parameters = Parameters { vlen: 256, dlen: 128, memory: 1 << 20 };
    std::fs::create_dir_all(common::directory())?;
    let dir = tempfile::tempdir_in(common::directory())?;
    let mut model = match Model::build(verilator, &mutant.apply(&source()), parameters, dir.path())
    {
        Ok(model) => model,
        Err(_) => {
            println!("NO MODEL");
            return Ok(());
        }
    };
    let mut rng = Rng::seeded(1);
    let (scalar, vector) = (stimulus::scalar_ops(), vector_stimulus::ops());
    for n in 0..common::programs(150) {
        let others = |rng: &mut Rng| vector_stimulus::words(&vector, 256, rng);
        let start = vector_stimulus::prologue();
        let words = stimulus::program(&scalar, 1 << 20, 300, &mut rng, &start, others);
        let image = Image::parse(&program(&words))?;
        let stalls = (n % 2 != 0).then(|| Rng::seeded(rng.next()));
        let mut cosim = Cosim::new(model, &image, stalls)?;
        cosim.end_if_changed(CODE..DATA);
        cosim.scramble(DATA + 128, 3968, &mut rng)?;
        cosim.run(2500)?;
        model = cosim.into_model();
    }
    Ok(())
}

#[test]
#[ignore = "run by the test below, in a process of its own"]
fn one_mutant() {
    let Some(number) = std::env::var(NUMBER).ok().and_then(|n| n.parse::<usize>().ok()) else {
        return;
    };
    let Some(verilator) = common::verilator() else { return };
    match survives(&verilator, &all()[number]) {
        Ok(()) => println!("SURVIVED"),
        Err(why) => println!("FOUND {why:#}"),
    }
}

/// The verdict of a child process on a mutant.
fn verdict(number: usize) -> &'static str {
    let out = tempfile::NamedTempFile::new().expect("a file");
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "mutants::one_mutant", "--ignored", "--nocapture"])
        .env(NUMBER, number.to_string())
        .stdout(out.reopen().expect("a file"))
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let start = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if start.elapsed() > LONGEST {
            child.kill().expect("a process");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let text = std::fs::read_to_string(out.path()).unwrap_or_default();
    if text.contains("NO MODEL") {
        "no model"
    } else if text.contains("SURVIVED") {
        "survived"
    } else {
        // The child has found a difference, or the model does not settle or does not end.
        "found"
    }
}

/// Tries CAPVEC_RTL_MUTANTS mutants of the files whose names begin with CAPVEC_RTL_FILES.
#[test]
#[ignore = "hours: make rtl-mutants"]
fn faults_are_found() {
    if common::verilator().is_none() {
        return;
    }
    let most = std::env::var("CAPVEC_RTL_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let all = all();
    let (mut found, mut survived) = (0, 0);
    for (number, m) in all.iter().enumerate() {
        let verdict = verdict(number);
        println!("{}: {}:{}: {:?} for {:?}", verdict, m.file, m.line, m.to, m.from);
        match verdict {
            "found" => found += 1,
            "survived" => survived += 1,
            _ => {}
        }
        if found + survived == most {
            break;
        }
    }
    println!("{found} of {} mutants found, {} places in all", found + survived, all.len());
    assert!(found > survived);
}
