//! `capvec annotate`: the instructions of a function with what they cost.

use crate::cmd::limits::Stats;
use crate::cmd::run::guest::{self, Guest, machine};
use crate::cmd::stats::Figures;
use crate::cmd::{CheckFailed, print, print_error};
use anyhow::Result;
use capvec_profile::annotate::{Annotator, Listing, Unknown};
use std::process::ExitCode;

/// Show how often each instruction of a function was executed, and what its cycles were spent on
///
/// Runs the program like `capvec run`, but on the reference interpreter, and then prints the functions with the most
/// cycles. Cycles are divided by cause: issue, which includes waits for results; fetch; redirect, charged to the branch or
/// jump; data, the accesses of scalar instructions; vector, waits for the vector unit. The sum over all instructions is the
/// run's cycles.
#[derive(clap::Args)]
#[command(
    after_help = "The exit status does not depend on the guest's: it is 0, or 1 if a function of --function was not \
    executed or the file of --stats-json cannot be written. --stats and --stats-json give totals alone, without counts by \
    instruction, class and extension.\n\n\
    Examples:\n  \
    capvec annotate -- openssl dgst -sha256 file\n  \
    capvec annotate --core karu64 --function EVP_DigestUpdate -- openssl dgst -sha256 file\n  \
    capvec annotate --set vector.startup=4 --top 3 -- ./program"
)]
pub struct Args {
    /// Show this function instead of those with the most cycles; repeatable
    #[arg(long, value_name = "NAME", conflicts_with = "top")]
    function: Vec<String>,
    /// Number of functions to show
    #[arg(long, value_name = "N", default_value_t = 1)]
    top: usize,
    #[command(flatten)]
    guest: Guest,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let guest = &args.guest;
    let limits = &guest.launch.limits;
    limits.check()?;
    let core = guest.core()?;
    let annotator = Annotator::new(core.timing());
    let mut options = guest::options(&guest.launch, &core)?;
    options.profile = Some(annotator.follower());
    let exts = options.config.exts;
    let mut machine = match machine(options, Box::new(annotator.clone())) {
        Ok(machine) => machine,
        Err(code) => return Ok(code),
    };
    let exit = machine.run();
    let listing = annotator.listing();
    let totals = (&exit).into();
    let figures = Figures { totals, histogram: None, core: &core, exts };
    let reported = match limits.stats {
        Some(Stats::Misaligned) => {
            print_error(&listing.misaligned());
            true
        }
        _ => limits.report(&figures),
    };
    for function in shown(&args, &listing)? {
        print(&listing.function(function))?;
    }
    let total = listing.total();
    print(&format!("all functions: {} cycles, {} instructions\n", total.cycles, total.insns))?;
    Ok(ExitCode::from(u8::from(!reported)))
}

/// The functions to show.
fn shown(args: &Args, listing: &Listing) -> Result<Vec<u32>> {
    if args.function.is_empty() {
        return Ok(listing.hottest().iter().take(args.top).map(|(f, _)| *f).collect());
    }
    let mut all = Vec::new();
    for name in &args.function {
        all.extend(listing.named(name).map_err(none)?);
    }
    Ok(all)
}

fn none(Unknown { name, similar, hottest }: Unknown) -> CheckFailed {
    let meant = if similar.is_empty() {
        format!("those with the most cycles are {}", hottest.join(", "))
    } else {
        format!("did you mean {}?", similar.join(" or "))
    };
    CheckFailed(format!("--function {name}: no function of this name was executed; {meant}"))
}
