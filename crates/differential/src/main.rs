//! Differential testing of the simulator against QEMU: runs random programs over the whole instruction table on both
//! and compares the resulting states.

use anyhow::Context;
use capvec_differential::campaign::{Campaign, Until};
use capvec_differential::regression::Regression;
use capvec_differential::tally::{Fault, Tally};
use capvec_differential::{both_sides, known_differences, show};
use capvec_sim::testing::Rng;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Compares the simulator with qemu-riscv64 on random programs.
#[derive(Debug, Parser)]
struct Args {
    /// How many seconds to run
    #[arg(long, default_value_t = 60, conflicts_with = "batches")]
    seconds: u64,
    /// How many batches to run, instead of a time
    #[arg(long)]
    batches: Option<u64>,
    /// Divide the size of a batch by this
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    share: u64,
    /// Random seed [default: a new one]
    #[arg(long)]
    seed: Option<u64>,
    /// Path of qemu-riscv64 [default: Debian's, from the sysroot store]
    #[arg(long, value_name = "FILE")]
    oracle: Option<PathBuf>,
    /// Compare with this riscv-isa-sim instead, through commit logs, on --batches programs without an operating
    /// system
    #[arg(long, value_name = "FILE", requires = "batches")]
    spike: Option<PathBuf>,
    /// Directory to save differences to, as tests
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Save an example of each known difference, too
    #[arg(long, requires = "save")]
    examples: bool,
    /// File for the number of comparisons of each row of the table, as CSV
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// Test the tests instead: inject faults into the simulator, and see whether --batches batches find them
    #[cfg(feature = "sabotage")]
    #[arg(long, requires = "batches")]
    sabotage: bool,
    /// Instead, check that these tests record the results of both sides
    #[arg(long, value_name = "FILE", num_args = 1..)]
    replay: Vec<PathBuf>,
    /// Update the tests of --replay with the results of both sides
    #[arg(long, requires = "replay")]
    fill: bool,
}

/// Saves a difference as a test. The person who examines it decides who is right, and writes down why.
fn save(dir: &Path, fault: &Fault, reason: &str, right: &str) -> anyhow::Result<PathBuf> {
    let test = Regression::new(reason, right, &fault.found, fault.target);
    let name = fault.name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let path = (0..)
        .map(|n| dir.join(format!("{name}_{n}.toml")))
        .find(|p| !p.exists())
        .context("no free file name")?;
    test.write(&path)?;
    Ok(path)
}

fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_micros() as u64
}

/// Runs tests on both sides; returns whether all hold.
fn replay(files: &[PathBuf], fill: bool, qemu: &Path) -> anyhow::Result<bool> {
    let mut stale = 0;
    for path in files {
        let test = Regression::read(path)?;
        let now = test.replayed(qemu).with_context(|| path.display().to_string())?;
        if now == test {
            continue;
        }
        stale += 1;
        if fill {
            now.write(path)?;
        } else {
            println!("{}: out of date; update it with --fill", path.display());
        }
    }
    println!("{} tests run on both sides, {stale} of them not up to date", files.len());
    Ok(stale == 0 || fill)
}

fn report(args: &Args, seed: u64, tally: &Tally, elapsed: Duration) -> anyhow::Result<bool> {
    for (key, fault) in &tally.faults {
        print!("{}", show::fault(key, fault));
        if let Some(dir) = &args.save {
            let reason = format!("Found with seed {seed}.");
            println!("  kept as {}", save(dir, fault, &reason, "UNDECIDED")?.display());
        }
    }
    for (name, fault) in &tally.examples {
        let known = known_differences::KNOWN.iter().find(|k| k.name == *name);
        if let (Some(known), Some(dir)) = (known, &args.save) {
            save(dir, fault, known.reason, known.right)?;
        }
    }
    for text in &tally.leaks {
        print!("DIFFERENCE only together with other programs\n{text}");
    }
    print!("{}", show::figures(tally, elapsed));
    if let Some(path) = &args.rows {
        std::fs::write(path, tally.coverage.by_row())
            .with_context(|| format!("--rows {}", path.display()))?;
    }
    Ok(tally.faults.is_empty() && tally.leaks.is_empty())
}

/// Compares with riscv-isa-sim; returns whether there is no unknown difference.
fn second_oracle(args: &Args, spike: &Path) -> anyhow::Result<bool> {
    let seed = args.seed.unwrap_or_else(fresh_seed);
    println!("seed {seed}");
    let batches = args.batches.unwrap_or_default();
    let tally = capvec_differential::spike::run(spike, &mut Rng::seeded(seed), batches)?;
    tally.new.iter().for_each(|text| print!("{text}"));
    for (name, count) in &tally.known {
        println!("known difference, {count} times: {name}");
    }
    let (cases, insns, new) = (tally.cases, tally.instructions, tally.new.len());
    println!("{cases} cases agree, {insns} instructions in total; {new} differences are new");
    Ok(tally.new.is_empty())
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let begun = Instant::now();
    let code = |clean| if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if let Some(spike) = &args.spike {
        return second_oracle(&args, spike).map(code);
    }
    let qemu = match &args.oracle {
        Some(path) => path.clone(),
        None => both_sides::find_qemu(&mut |p| eprintln!("{p}"))
            .context("no oracle; name one with --oracle")?,
    };
    if !args.replay.is_empty() {
        return replay(&args.replay, args.fill, &qemu).map(code);
    }
    let seed = args.seed.unwrap_or_else(fresh_seed);
    println!("seed {seed}");
    #[cfg(feature = "sabotage")]
    if args.sabotage {
        let batches = args.batches.unwrap_or_default() as usize;
        let report = capvec_differential::sabotage::run(&qemu, &mut Rng::seeded(seed), batches)?;
        print!("{report}");
        return Ok(ExitCode::SUCCESS);
    }
    let until = match args.batches {
        Some(n) => Until::Batches(n),
        // The setup counts as part of the time.
        None => Until::Elapsed(Duration::from_secs(args.seconds).saturating_sub(begun.elapsed())),
    };
    let start = Instant::now();
    let mut campaign = Campaign {
        qemu: &qemu,
        rng: Rng::seeded(seed),
        share: args.share,
        examples: args.examples,
        tally: Tally::default(),
    };
    campaign.run(until)?;
    if args.batches.is_none() && begun.elapsed().as_secs() > args.seconds {
        println!(
            "{} s instead of {}: setting up, one batch, and shrinking differences are not cut short",
            begun.elapsed().as_secs(),
            args.seconds
        );
    }
    report(&args, seed, &campaign.tally, start.elapsed()).map(code)
}
