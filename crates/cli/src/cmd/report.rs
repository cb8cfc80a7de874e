//! `capvec report`: one HTML file from records.

use crate::cmd::{say, usage};
use anyhow::{Result, ensure};
use capvec_report::{Given, Input, input, page_with_figures};
use capvec_text::escape;
use capvec_util::atomic_file;
use std::path::PathBuf;
use std::process::ExitCode;

/// Make one HTML file from records: tables, plots, machine and method
///
/// Records come from `capvec bench`, `capvec kat`, `capvec explore`, `capvec doctor --format json` and
/// `capvec ct --cases --format json`. The file is self-contained: it fetches nothing, so it can be opened offline and passed
/// on. This command measures nothing.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec bench --out out/demo && capvec report out/demo -o demo.html\n  \
    capvec report out/karu64 out/marian --title 'Two cores' -o cores.html\n  \
    capvec doctor --target native --format json >doctor.json; capvec report out/native doctor.json")]
pub struct Args {
    /// Directories that `capvec bench`, `capvec kat` or `capvec explore` wrote with --out, or files: record.json, results.csv,
    /// kat.json, explore.json, or the output of these commands, of `capvec doctor` or of `capvec ct --cases` with --format json
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// CSV file of figures of configurations, such as areas, for the Pareto plot and the heat map. Columns: core, vlen, caps or a
    /// parameter such as vector.datapath, to say of which configurations a line is; figures, each with its unit in square brackets after
    /// its name; source
    #[arg(long, value_name = "FILE")]
    figures: Option<PathBuf>,
    /// File to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Heading of the page
    #[arg(long, default_value = "capvec report")]
    title: String,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let (mut records, mut others) = (Vec::new(), Vec::new());
    for path in &args.records {
        match input(path).map_err(usage)? {
            Input::Record(record) => records.push(*record),
            Input::Other(other) => others.push(*other),
        }
    }
    let given = args.figures.as_ref().map(|path| Given::read(path, &records));
    let given = given.transpose().map_err(usage)?;
    let page = page_with_figures(&records, &others, given.as_ref(), &args.title)?;
    if args.output.as_os_str() == "-" {
        crate::cmd::print_as_it_is(&page)?;
        return Ok(ExitCode::SUCCESS);
    }
    let shown = escape::path(&args.output);
    ensure!(
        !args.output.is_dir(),
        usage(anyhow::anyhow!("-o {shown}: it is a directory; name a file"))
    );
    atomic_file::output(&args.output, &page)?;
    say!("{} kB, opens offline in any browser:", page.len().div_ceil(1000));
    crate::cmd::print_path(&args.output)?;
    Ok(ExitCode::SUCCESS)
}
