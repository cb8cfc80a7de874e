//! `capvec measure`.

use super::{Own, size};
use crate::cmd::flags::{Format, terminal_width, vlen};
use crate::cmd::run::regions;
use crate::cmd::setup::TOOL;
use crate::cmd::{CheckFailed, Usage, say, usage};
use anyhow::Result;
use capvec_bench::own_code::{self, Plan};
use capvec_guest::OwnCode;
use capvec_linux::Options;
use capvec_profile::regions::{Wanted, text};
use capvec_record::{Evaluated, view};
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use std::path::PathBuf;
use std::process::ExitCode;

/// Message sizes unless --bytes gives others.
const BYTES: &str = "64,1024,16384";

/// Measure your own code: instructions and cycles of a call, on any core, capability set and VLEN
///
/// The files are compiled and linked by Debian's gcc in the simulator. One file says what to measure, with the macros of
/// capvec/measure.h; --call does so without one. A known answer that is wrong blanks the figures of its capability set and
/// makes the exit status 1.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec measure bench.c my_sha256.S --march rv64gcv_zvknha_zvkb --caps scalar,zvknha_zvkb --vlen 128,256\n  \
    capvec measure --call 'my_sha256_block(state, data, n / 64)' libmine.a --core spacemit-x60,karu64\n  \
    capvec measure bench.c mine.o --out before && capvec compare before after --fail-over 1%\n\n\
    bench.c:\n  \
    #include <capvec/measure.h>\n  \
    void my_sha256_block(uint32_t state[8], const void *data, size_t blocks);\n  \
    static uint32_t state[8];\n  \
    static uint8_t data[16384];\n  \
    CAPVEC_MEASURE(\"sha256\", n, my_sha256_block(state, data, n / 64))")]
pub struct Args {
    #[command(flatten)]
    own: Own,
    /// Vector register lengths in bits [default: the core's]
    #[arg(long, value_delimiter = ',', value_parser = vlen)]
    vlen: Vec<u32>,
    /// Message sizes in bytes
    #[arg(long, value_delimiter = ',', default_value = BYTES, value_parser = size)]
    bytes: Vec<u64>,
    /// Also write record.json, results.csv and table.md to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also print what regions of the code execute and cost, in a run of its own: functions with all that they call, by name;
    /// @marks, the code between CAPVEC_BEGIN and CAPVEC_END; @counters, the code between two readings of cycle or instret
    #[arg(long, value_name = "FUNCTION|@marks|@counters", value_delimiter = ',')]
    region: Vec<String>,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let wanted = regions::wanted(&args.region)?;
    if !args.region.is_empty() && !matches!(args.own.format, Format::Table) {
        return Err(Usage(
            "--region works with --format table only; `capvec run --region --stats-json` has JSON"
                .into(),
        )
        .into());
    }
    let plan = args.own.plan(&args.vlen, &args.bytes).map_err(usage)?;
    plan.check().map_err(usage)?;
    if let Some(dir) = &args.out {
        atomic_file::prepare(dir)?;
    }
    let code = args.own.build()?;
    let bar = args.own.bar(plan.len())?;
    let (record, varying) = own_code::measure::run(&plan, &code, TOOL, &|| bar.inc(1))?;
    bar.finish_and_clear();
    varying.iter().for_each(|text| say!("{text}"));
    let code_of_answers = show(&args, &record.evaluate()?)?;
    if !args.region.is_empty() {
        show_regions(&plan, &code, &wanted)?;
    }
    Ok(code_of_answers)
}

/// Runs everything once more, counting regions. Their figures include the calls that warm caches up.
fn show_regions(plan: &Plan, code: &OwnCode, wanted: &Wanted) -> Result<()> {
    let engine =
        |core: &Core, options: &mut Options| regions::counting(core, wanted.clone(), options);
    for run in own_code::observe::run(plan, code, &engine, &|finish| finish())? {
        regions::warn_of_absent(&run.found);
        let text = text(&run.found);
        crate::cmd::print(&format!(
            "\n{}, VLEN {}, {}:\n{text}",
            run.core.name, run.core.vlen, run.capset
        ))?;
    }
    Ok(())
}

fn show(args: &Args, record: &Evaluated) -> Result<ExitCode> {
    if let Some(dir) = &args.out {
        record.write(dir)?;
    }
    crate::cmd::print(&match args.own.format {
        Format::Table => view::text(record, terminal_width())?,
        Format::Csv => record.csv(),
        Format::Json => record.json()?,
        Format::Md => view::markdown(record)?,
    })?;
    match record.rows.iter().find(|row| !row.passed()) {
        None => Ok(ExitCode::SUCCESS),
        Some(row) => {
            let what = format!("{} on {}: {}", row.capset, row.core, row.answers);
            Err(CheckFailed(escape::line(&what).into_owned()).into())
        }
    }
}
