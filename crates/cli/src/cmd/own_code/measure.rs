//! `capvec measure`.

use super::{Own, size};
use crate::cmd::flags::{Format, terminal_width, vlen};
use crate::cmd::run::regions;
use crate::cmd::setup::TOOL;
use crate::cmd::{CheckFailed, say, usage};
use anyhow::{Result, bail};
use capvec_bench::own_code::{self, Plan};
use capvec_guest::OwnCode;
use capvec_linux::Options;
use capvec_profile::regions::Wanted;
use capvec_record::{Evaluated, RegionRecord, view};
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

/// Message sizes unless --bytes gives others.
const BYTES: &str = "64,1024,16384";

/// Measure your own code: instructions and cycles of a call, on any core, capability set and VLEN
///
/// The files are compiled and linked by Debian's gcc in the simulator. One file says what to measure, with the macros of
/// capvec/measure.h; --call does so without one. A known answer that is wrong blanks the figures of the same title, or all
/// figures of the capability set if none has its title, and makes the exit status 1. It is 3 if figures are missing because a
/// run was not done within --timeout.
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
    /// Measure everything in this many random layouts of memory, the same ones every time, and report the median, minimum and maximum of
    /// the cycles: where stack, heap, libraries and buffers lie decides which cache lines conflict
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000), conflicts_with = "region")]
    layouts: Option<u64>,
    /// Also write record.json, results.csv and table.md to this directory, and regions.csv with --region
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also show what regions of the code execute and cost, in a run of its own: functions with all that they call, by name;
    /// @marks, the code between CAPVEC_BEGIN and CAPVEC_END; @counters, the code between two readings of cycle or instret
    #[arg(long, value_name = "FUNCTION|@marks|@counters", value_delimiter = ',')]
    region: Vec<String>,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let wanted = regions::wanted(&args.region)?;
    let plan = args.own.plan(&args.vlen, &args.bytes).map_err(usage)?;
    let plan = Plan { layouts: args.layouts.unwrap_or(0), ..plan };
    plan.check_costs().map_err(usage)?;
    if let Some(dir) = &args.out {
        atomic_file::prepare(dir)?;
    }
    let code = args.own.build()?;
    let runs = if args.region.is_empty() { 1 } else { 2 };
    let bar = args.own.bar(runs * plan.len())?;
    let measured = own_code::measure::run(&plan, &code, TOOL, &|| bar.inc(1))?;
    let mut record = measured.record;
    let mut absent = Vec::new();
    if !args.region.is_empty() {
        (record.regions, absent) = regions_of(&plan, &code, &wanted, &|| bar.inc(1))?;
    }
    bar.finish_and_clear();
    measured.varying.iter().for_each(|text| say!("{text}"));
    let record = record.evaluate()?;
    show(&args, &record)?;
    let failures = escape::line(&failures(&record)).into_owned();
    match (failures.as_str(), absent.first()) {
        ("", None) => Ok(ExitCode::SUCCESS),
        ("", Some(name)) => Err(CheckFailed(regions::absent(name)).into()),
        (_, _) if measured.unfinished => bail!(failures),
        (_, _) => Err(CheckFailed(failures).into()),
    }
}

/// Runs everything once more, counting regions. Their figures include the calls that warm caches up. Returns the names of those that
/// no run executed, too: a misspelt name must not pass for a kernel that costs nothing.
fn regions_of(
    plan: &Plan,
    code: &OwnCode,
    wanted: &Wanted,
    progress: &(dyn Fn() + Sync),
) -> Result<(Vec<RegionRecord>, Vec<String>)> {
    let engine =
        |core: &Core, options: &mut Options| regions::counting(core, wanted.clone(), options);
    let (mut records, mut executed) = (Vec::new(), BTreeSet::new());
    for run in own_code::observe::run(plan, code, &engine, &|finish| finish(), progress)? {
        executed.extend(regions::executed(&run.found));
        records.extend(run.found.into_iter().map(|region| RegionRecord {
            core: run.core.identity.label.clone(),
            vlen: run.core.vlen,
            capset: run.capset.clone(),
            ..regions::record(region)
        }));
    }
    Ok((records, wanted.absent(&executed)))
}

fn show(args: &Args, record: &Evaluated) -> Result<()> {
    if let Some(dir) = &args.out {
        record.write(dir)?;
    }
    crate::cmd::print(&match args.own.format {
        Format::Table => view::text(record, terminal_width())?,
        Format::Csv => {
            let regions = record.regions_csv().map(|csv| format!("\n{csv}"));
            record.csv() + &regions.unwrap_or_default()
        }
        Format::Json => record.json()?,
        Format::Md => view::markdown(record)?,
    })
}

/// What went wrong with each call, and where it did so first.
fn failures(record: &Evaluated) -> String {
    let mut seen = HashSet::new();
    let failed = record.rows.iter().filter(|row| !row.passed());
    let failed = failed.filter(|row| seen.insert((&row.case, &row.answers)));
    let texts: Vec<String> = failed
        .map(|row| format!("{} with {} on {}: {}", row.case, row.capset, row.core, row.answers))
        .collect();
    texts.join("; ")
}
