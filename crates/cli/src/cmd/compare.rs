//! `capvec compare`: two records, row by row.

use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::{say, usage};
use anyhow::Result;
use capvec_record::compare::{Dimension, Figure, Options, compare};
use capvec_record::read::load;
use clap::ValueEnum;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare two records row by row
///
/// Retired instructions and modelled cycles are exact, so any change counts as a difference. Times differ if their
/// samples do (Mann–Whitney, p < 0.01) or, without samples, if the medians are further apart than three standard
/// deviations. For every figure, less is better. Rows that are in only one record, or cannot be compared, are listed; if
/// they are in the old record, the comparison fails, so that no row disappears unnoticed.
#[derive(clap::Args)]
#[command(
    after_help = "Exit status: 1 if a figure grew by more than --fail-over, an answer that was right is now wrong, or (without \
    --allow-missing) a row of the old record is missing from the new one or cannot be compared; 2 if nothing could be \
    compared.\n\n\
    Examples:\n  \
    capvec compare out/before out/after\n  \
    capvec compare out/main out/branch --fail-over 2% --format md >>\"$GITHUB_STEP_SUMMARY\"\n  \
    capvec compare out/karu64 out/marian --across core,vlen\n  \
    capvec compare old.csv new.csv --figures cycles --all"
)]
pub struct Args {
    /// Directory of `capvec bench --out`, or its record.json or results.csv
    old: PathBuf,
    /// The record to compare with it, given in the same way
    new: PathBuf,
    /// Fail if a figure grew by more than this
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_hyphen_values = true)]
    fail_over: Option<f64>,
    /// Accept rows of OLD that are missing from NEW or cannot be compared with it
    #[arg(long)]
    allow_missing: bool,
    /// Compare records that differ in these: target, core, subject, vlen. Each record must have a single value for each
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    across: Vec<Across>,
    /// Figures to compare [default: all in the records]
    #[arg(long, value_enum, value_delimiter = ',')]
    figures: Vec<Kind>,
    /// Also list the rows without a difference
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// A figure, on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Insns,
    Cycles,
    Time,
}

/// A property that may differ, on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum Across {
    Target,
    Core,
    Subject,
    Vlen,
}

impl From<Across> for Dimension {
    fn from(a: Across) -> Dimension {
        match a {
            Across::Target => Dimension::Target,
            Across::Core => Dimension::Core,
            Across::Subject => Dimension::Subject,
            Across::Vlen => Dimension::Vlen,
        }
    }
}

/// A percentage as a fraction; the sign is optional.
fn percent(text: &str) -> Result<f64, String> {
    match text.trim().trim_end_matches('%').trim_end().parse::<f64>() {
        Ok(v) if v.is_finite() && v >= 0.0 => Ok(v / 100.0),
        _ => Err("must be a percentage, 0 or more, such as 2%".into()),
    }
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let figures = args.figures.iter().map(|k| match k {
        Kind::Insns => Figure::Insns,
        Kind::Cycles => Figure::Cycles,
        Kind::Time => Figure::Time,
    });
    let options = Options {
        fail_over: args.fail_over,
        figures: figures.collect(),
        across: args.across.iter().map(|a| (*a).into()).collect(),
        allow_missing: args.allow_missing,
    };
    let [old, new] = [&args.old, &args.new].map(|p| load(p).map_err(usage));
    let found = compare(&old?.record, &new?.record, &options).map_err(usage)?;
    let text = match args.format {
        Format::Table => found.text(args.all, terminal_width()),
        Format::Csv => found.csv(),
        Format::Json => serde_json::to_string_pretty(&found)? + "\n",
        Format::Md => found.markdown(args.all),
    };
    crate::cmd::print(&text)?;
    // A CSV has only the rows that are in both records, so it does not show why the comparison fails.
    let missing = found.missing();
    if matches!(args.format, Format::Csv) && missing > 0 && !args.allow_missing {
        say!(
            "{missing} rows of the old record are missing or cannot be compared; --format json lists them"
        );
    }
    Ok(ExitCode::from(u8::from(found.failed())))
}
