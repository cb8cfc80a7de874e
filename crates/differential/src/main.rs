//! Differential testing of the simulator against QEMU: random programs over the whole instruction table run
//! here and there, and everything that they leave is compared.

mod asm;
mod campaign;
mod case;
mod elf;
mod generate;
mod harness;
mod isolate;
mod known;
mod layout;
mod link;
mod operands;
mod pool;
mod record;
mod run;
mod scratch;
mod show;
mod shrink;
mod target;
mod values;

use anyhow::Context;
use campaign::{Campaign, Tally, Until};
use capvec_sim::testing::Rng;
use clap::Parser;
use std::path::PathBuf;
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
}

fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_micros() as u64
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let qemu = match args.oracle {
        Some(path) => path,
        None => run::find_qemu(&mut |p| eprintln!("{p}")).context("no oracle; name one with --oracle")?,
    };
    let seed = args.seed.unwrap_or_else(fresh_seed);
    println!("seed {seed}");
    let until = match args.batches {
        Some(n) => Until::Batches(n),
        None => Until::Elapsed(Duration::from_secs(args.seconds)),
    };
    let start = Instant::now();
    let mut campaign =
        Campaign { qemu: &qemu, rng: Rng::seeded(seed), share: args.share, tally: Tally::default() };
    campaign.run(until)?;
    let tally = campaign.tally;
    for (key, fault) in &tally.faults {
        print!("{}", show::fault(key, fault));
    }
    print!("{}", show::figures(&tally, start.elapsed()));
    let clean = tally.faults.is_empty() && tally.leaks == 0;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
