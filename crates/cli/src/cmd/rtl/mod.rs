//! `capvec rtl`: cycles of the core of `rtl/`.

mod of_bench;
mod program;
mod table;

pub use of_bench::of_bench;

use crate::cmd::flags::{Format, once};
use crate::cmd::progress::spinner;
use crate::cmd::setup::TOOL;
use crate::cmd::{Usage, usage};
use anyhow::Result;
use capvec_rtl::figures;
use capvec_rtl::hart::{DIRECTORIES, DLEN, DLENS, Model, Parameters, VLEN, VLENS};
use capvec_rtl::{Compared, Source, Verilator};
use capvec_sysroot::Store;
use std::process::ExitCode;

/// Size of the memory.
const MEMORY: u64 = 1 << 20;

/// Measure libcapvec's kernels on the core in rtl/, built with Verilator
///
/// The core runs crypto/examples/cycles, which has no operating system and checks known answers: single blocks, 16 KiB, and loops over
/// instructions, each of them twice. It runs in lockstep with the simulator, so a wrong result ends the run. Cycles and retired
/// instructions are exact. Next to them are the cycles that the core model zvku predicts for the same program, and the published
/// figures of Marian. Needs a checkout of capvec, make and a C++ compiler (docs/rtl.md). `capvec bench --target rtl` is
/// the same command.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec rtl\n  \
    capvec rtl --vlen 256,512 --dlen 128,256 --format md")]
pub struct Args {
    /// Vector register lengths in bits
    #[arg(long, value_delimiter = ',', default_values_t = [VLEN], value_parser = one_of(VLENS))]
    vlen: Vec<u32>,
    /// Widths of the datapath in bits
    #[arg(long, value_delimiter = ',', default_values_t = [DLEN], value_parser = one_of(DLENS))]
    dlen: Vec<u32>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Fetch and build what measuring needs, and stop
    #[arg(long)]
    setup_only: bool,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

fn one_of(
    values: [u32; 4],
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        let value = text.parse().ok().filter(|v| values.contains(v));
        value.ok_or_else(|| format!("must be one of {}", values.map(|v| v.to_string()).join(", ")))
    }
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let all = parameters(&args)?;
    let spinner = spinner(args.quiet);
    let mut progress = |what: &str| spinner.set_message(what.to_string());
    let root = capvec_rtl::checkout().map_err(usage)?;
    let store = Store::from_env()?;
    let verilator = Verilator::find(&mut |p| progress(&p.to_string()))?;
    let source = Source::in_checkout(&root, &DIRECTORIES)?;
    let program = program::compiled(&root, &store, &mut progress)?;
    let mut rows = Vec::new();
    for parameters in all {
        let Parameters { vlen, dlen, .. } = parameters;
        progress(&format!("building the core with VLEN {vlen} and DLEN {dlen}"));
        let model = Model::build(&verilator, &source, parameters, &store.home().join("rtl"))?;
        if args.setup_only {
            continue;
        }
        progress(&format!("running the core with VLEN {vlen} and DLEN {dlen}"));
        let (measured, _) = figures::measure(model, &program)?;
        let predicted = figures::predict(&figures::core_model(dlen)?, vlen, &program)?;
        let pairs = measured.into_iter().zip(predicted);
        rows.extend(pairs.map(|(m, p)| Compared::new(vlen, dlen, m, p.warm.cycles)));
    }
    spinner.finish_and_clear();
    if !args.setup_only {
        crate::cmd::print(&table::text(args.format, TOOL, rows)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every combination of the lengths, each once.
fn parameters(args: &Args) -> Result<Vec<Parameters>, Usage> {
    let mut all = Vec::new();
    for vlen in once(args.vlen.clone()) {
        for dlen in once(args.dlen.clone()) {
            if dlen > vlen {
                let text =
                    format!("--dlen {dlen}: the datapath is at most as wide as --vlen {vlen}");
                return Err(Usage(text));
            }
            all.push(Parameters { vlen, dlen, memory: MEMORY, drafts: &[] });
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Rtl {
        #[command(flatten)]
        args: Args,
    }

    fn lengths(line: &str) -> Result<Vec<(u32, u32)>, String> {
        let args = Rtl::try_parse_from(line.split(' ')).map_err(|e| e.to_string())?.args;
        let all = parameters(&args).map_err(|e| e.to_string())?;
        Ok(all.into_iter().map(|p| (p.vlen, p.dlen)).collect())
    }

    #[test]
    fn each_combination_is_measured_once() {
        assert_eq!(lengths("rtl"), Ok(vec![(256, 128)]));
        let several = lengths("rtl --vlen 256,512,256 --dlen 128,64,128 --dlen 64");
        assert_eq!(several, Ok(vec![(256, 128), (256, 64), (512, 128), (512, 64)]));
    }

    #[test]
    fn lengths_that_the_core_cannot_have_are_refused() {
        assert!(lengths("rtl --dlen 512").unwrap_err().contains("--vlen 256"));
        assert!(lengths("rtl --vlen 2048").unwrap_err().contains("128, 256, 512, 1024"));
        assert!(lengths("rtl --dlen 100").unwrap_err().contains("64, 128, 256, 512"));
    }
}
