//! Differential testing of the simulator against QEMU: random programs over the whole instruction table run
//! here and there, and everything that they leave is compared.

use anyhow::Context;
use capvec_differential::campaign::{Campaign, Fault, Tally, Until};
use capvec_differential::regression::Regression;
use capvec_differential::{run, show};
use capvec_sim::testing::Rng;
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Compares the simulator with qemu-riscv64, instruction by instruction.
#[derive(Debug, Parser)]
struct Args {
    /// Seconds to go on for
    #[arg(long, default_value_t = 60, conflicts_with = "batches")]
    seconds: u64,
    /// Batches to run, instead of a time
    #[arg(long)]
    batches: Option<u64>,
    /// Divide the size of a batch by this
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    share: u64,
    /// Seed of all that is random [default: a fresh one]
    #[arg(long)]
    seed: Option<u64>,
    /// qemu-riscv64 to compare with [default: Debian's, through the sysroot mechanism]
    #[arg(long, value_name = "FILE")]
    oracle: Option<PathBuf>,
    /// Directory to keep differences in, as tests that expect what the oracle did
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

/// Keeps a difference as a test. Whoever looks at it decides who is right, and says why.
fn save(dir: &Path, seed: u64, fault: &Fault) -> anyhow::Result<PathBuf> {
    let found = &fault.found;
    let reason = format!("Found with seed {seed}. UNDECIDED: expects what QEMU did.");
    let test = Regression::new(&reason, &found.case, fault.target, &found.oracle(), found.place());
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

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let qemu = match args.oracle {
        Some(path) => path,
        None => run::find_qemu(&mut |p| eprintln!("{p}"))
            .context("no oracle; name one with --oracle")?,
    };
    let seed = args.seed.unwrap_or_else(fresh_seed);
    println!("seed {seed}");
    let until = match args.batches {
        Some(n) => Until::Batches(n),
        None => Until::Elapsed(Duration::from_secs(args.seconds)),
    };
    let start = Instant::now();
    let mut campaign = Campaign {
        qemu: &qemu,
        rng: Rng::seeded(seed),
        share: args.share,
        tally: Tally::default(),
    };
    campaign.run(until)?;
    let tally = campaign.tally;
    for (key, fault) in &tally.faults {
        print!("{}", show::fault(key, fault));
        if let Some(dir) = &args.save {
            println!("  kept as {}", save(dir, seed, fault)?.display());
        }
    }
    for text in &tally.leaks {
        print!("DIFFERENCE only together with other programs\n{text}");
    }
    print!("{}", show::figures(&tally, start.elapsed()));
    let clean = tally.faults.is_empty() && tally.leaks.is_empty();
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
