//! `capvec bench`: the sweep.

mod args;
mod gates;
mod output;
mod plan;
mod progress;
mod walk;

pub use args::Args;
pub use output::show;
pub use plan::{set_vlens, timed};
pub use walk::{cores, prepare};

use crate::cmd::{Usage, usage};
use anyhow::Result;
use capvec_bench::all_sweeps::Recorded;
use capvec_bench::case;
use capvec_bench::replay::Member;
use std::process::ExitCode;

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.ct {
        return Err(checked_elsewhere(&args).into());
    }
    if args.list {
        crate::cmd::print(&list(&case::select(&args.cases).map_err(usage)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    prepare(&args)?;
    let Some(recorded) = walk::run(&args, args.quiet, None)? else { return Ok(ExitCode::SUCCESS) };
    let code = show(&recorded.record, args.format, args.out.as_deref())?;
    recorded.remove_checkpoints()?;
    Ok(code)
}

/// Measures what these flags say, without progress or output, after [`prepare`]; `None` if they ask for the set-up only. `member`
/// is the place of the only core in a family.
pub fn measure(args: &Args, member: Option<Member>) -> Result<Option<Recorded>> {
    walk::run(args, true, member)
}

/// The command that checks what these flags name.
fn checked_elsewhere(args: &Args) -> Usage {
    let or = |given: &[String], usual: &str| match given {
        [] => usual.to_string(),
        given => given.join(","),
    };
    let subject: Vec<String> = args.subject.iter().map(|s| format!(" --subject {s}")).collect();
    let vlen: Vec<String> = args.vlen.iter().map(u32::to_string).collect();
    let vlen = if vlen.is_empty() { String::new() } else { format!(" --vlen {}", vlen.join(",")) };
    let (cases, caps) = (or(&args.cases, "all"), or(&args.caps, "scalar,dispatch,full"));
    let subject = subject.first().map_or("", String::as_str);
    Usage(format!(
        "--ct: bench only measures; constant-time checks are `capvec ct --cases {cases}{subject} --caps {caps}{vlen}`"
    ))
}

/// Lists the cases, family by family.
fn list(cases: &[case::Case]) -> String {
    let mut text = String::new();
    let mut family = String::new();
    for c in cases {
        if c.family != family {
            text += &format!("{}{}\n", if family.is_empty() { "" } else { "\n" }, c.family);
            family = c.family.clone();
        }
        let operations: Vec<_> = c.operations.iter().map(|o| o.name()).collect();
        let when = if c.on_demand { " Takes minutes, so groups leave it out." } else { "" };
        text += &format!("  {:<20} {:<22} {}{when}\n", c.id, operations.join(" "), c.why);
    }
    text
}
