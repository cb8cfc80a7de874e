//! `capvec measure`: code of the user's own.

use crate::cmd::flags::{CORE_HELP, Format, bytes, once, terminal_width, vlen};
use crate::cmd::model;
use crate::cmd::setup::{self, TOOL};
use crate::cmd::{CheckFailed, usage};
use anyhow::{Context, Result, bail};
use capvec_bench::own_code::{self, Plan};
use capvec_guest::{OwnCode, Sources};
use capvec_record::{Evaluated, view};
use capvec_sysroot::Store;
use capvec_targets::{CORE, SYSROOT};
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Message sizes unless --bytes gives others.
const BYTES: &str = "64,1024,16384";

/// Bytes of the buffers that --call refers to.
const BUFFER: u64 = 1 << 20;

/// Measure your own code: instructions and cycles of a call, on any core, capability set and VLEN
///
/// The files are compiled and linked by Debian's gcc in the simulator. What is measured is said in one of them, with the macros of capvec/measure.h,
/// or by --call. A known answer that is wrong blanks the figures of its capability set and makes the exit status 1.
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
    /// Sources, objects and libraries: .c, .S, .s, .o, .a, .so
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Measure this call, in C. It may use n, the message size in bytes; data and out, aligned buffers of a mebibyte; and
    /// state, 4096 bytes of zeros
    #[arg(long, value_name = "CALL")]
    call: Vec<String>,
    /// Core models, by name or file
    #[arg(long, help = CORE_HELP, value_delimiter = ',', default_value = CORE)]
    core: Vec<String>,
    /// Capability sets, as for `capvec bench`; auto is what the core has
    #[arg(long, value_delimiter = ',', default_value = "auto", value_name = "SET")]
    caps: Vec<String>,
    /// Vector register lengths in bits [default: the core's]
    #[arg(long, value_delimiter = ',', value_parser = vlen)]
    vlen: Vec<u32>,
    /// Message sizes in bytes
    #[arg(long, value_delimiter = ',', default_value = BYTES, value_parser = size)]
    bytes: Vec<u64>,
    /// -march for the compiler and assembler
    #[arg(long, value_name = "ISA")]
    march: Option<String>,
    /// A further argument of the compiler, such as -O3; repeatable
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    cflag: Vec<String>,
    /// A directory with headers; repeatable
    #[arg(short = 'I', long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Name of the code in tables and records
    #[arg(long, default_value = "own")]
    name: String,
    /// End a run after this many seconds of host time
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Also write record.json, results.csv and table.md to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

fn size(text: &str) -> Result<u64, String> {
    bytes(text, 1..=BUFFER, &format!("from 1 to {BUFFER}"))
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let plan = plan(&args).map_err(usage)?;
    let sources = sources(&args).map_err(usage)?;
    if let Some(dir) = &args.out {
        atomic_file::prepare(dir)?;
    }
    let spinner = setup::spinner(args.quiet);
    let progress = &mut |what: &str| spinner.set_message(what.to_string());
    let code = OwnCode::build(&Store::from_env()?, SYSROOT, &sources, progress);
    spinner.finish_and_clear();
    let code = code?;
    let bar = if args.quiet { ProgressBar::hidden() } else { ProgressBar::new(plan.len() as u64) };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} runs {elapsed}")
        .context("the template is fixed")?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    let record = own_code::run(&plan, &code, TOOL, &|| bar.inc(1))?;
    bar.finish_and_clear();
    show(&args, &record.evaluate()?)
}

fn plan(args: &Args) -> Result<Plan> {
    let mut cores = Vec::new();
    for name in once(args.core.clone()) {
        let core = model::one(&name, &[])?;
        match args.vlen[..] {
            [] => cores.push(core),
            _ => cores.extend(
                once(args.vlen.clone()).into_iter().map(|vlen| Core { vlen, ..core.clone() }),
            ),
        }
    }
    Ok(Plan {
        cores,
        caps: once(args.caps.clone()),
        bytes: once(args.bytes.iter().map(|b| *b as usize).collect()),
        subject: args.name.clone(),
        timeout: Some(Duration::from_secs(args.timeout)),
    })
}

fn sources(args: &Args) -> Result<Sources> {
    let march = args.march.iter().map(|march| format!("-march={march}"));
    let calls = once(args.call.clone());
    let written = match calls[..] {
        [] => None,
        _ => Some(("capvec_calls.c".to_string(), harness(&calls)?)),
    };
    Ok(Sources {
        files: args.files.clone(),
        written: written.into_iter().collect(),
        include: args.include.clone(),
        flags: march.chain(args.cflag.iter().cloned()).collect(),
    })
}

/// A source that measures these calls.
fn harness(calls: &[String]) -> Result<String> {
    let mut text = format!(
        "#include <capvec/measure.h>\n\
        static __attribute__((aligned(4096))) unsigned char data[{BUFFER}], out[{BUFFER}], state[4096];\n\
        static void *const buffers[] __attribute__((used)) = {{ data, out, state }};\n"
    );
    for call in calls {
        let name = call.split('(').next().unwrap_or_default().trim();
        let is_name = !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit());
        if !is_name || !call.contains('(') {
            bail!("--call {call}: write a call of a function, such as 'f(state, data, n)'");
        }
        text += &format!("long {name}();\nCAPVEC_MEASURE(\"{name}\", n, {call})\n");
    }
    Ok(text)
}

fn show(args: &Args, record: &Evaluated) -> Result<ExitCode> {
    if let Some(dir) = &args.out {
        record.write(dir)?;
    }
    crate::cmd::print(&match args.format {
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
