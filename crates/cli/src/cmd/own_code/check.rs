//! `capvec check`.

use super::{Own, size};
use crate::cmd::flags::{Format, terminal_width, vlen};
use crate::cmd::setup::TOOL;
use crate::cmd::{CheckFailed, usage};
use anyhow::Result;
use capvec_bench::own_code;
use capvec_record::shown::Tables;
use capvec_text::escape;
use std::process::ExitCode;

/// VLENs unless --vlen gives others.
const VLENS: &str = "128,256,512,1024";
/// Message sizes unless --bytes gives others: multiples of the block sizes of ciphers and hashes.
const BYTES: &str = "64,128,192,1024,4096";

/// Check your own code: calling convention, stack, accesses outside its buffers, known answers, at every VLEN
///
/// Takes what `capvec measure` takes, and calls everything that it would measure: with known values in the registers that a
/// function must preserve, with buffers of capvec_buffer next to memory that cannot be accessed, at several alignments, in
/// several states of the vector unit, at each VLEN, with both policies for agnostic elements. The exit status is 1 if anything is
/// wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec check bench.c my_sha256.S --march rv64gcv_zvknha_zvkb\n  \
    capvec check --call 'my_sha256_block(state, data, n / 64)' libmine.a --caps zbb,zvknha_zvkb --vlen 128,256\n\n\
    bench.c:\n  \
    #include <capvec/measure.h>\n  \
    void my_sha256_block(uint32_t *state, const void *data, size_t blocks);\n  \
    static uint32_t *state;\n  \
    static uint8_t *data;\n  \
    static void prepare(size_t n) { state = capvec_buffer(32, 4); data = capvec_buffer(n, 1); }\n  \
    CAPVEC_SETUP(prepare)\n  \
    CAPVEC_MEASURE(\"sha256\", n, my_sha256_block(state, data, n / 64))")]
pub struct Args {
    #[command(flatten)]
    own: Own,
    /// Vector register lengths in bits
    #[arg(long, value_delimiter = ',', value_parser = vlen, default_value = VLENS)]
    vlen: Vec<u32>,
    /// Message sizes in bytes. Code that takes any size should be checked with others, too, such as 1,15,60,61
    #[arg(long, value_delimiter = ',', default_value = BYTES, value_parser = size)]
    bytes: Vec<u64>,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let plan = args.own.plan(&args.vlen, &args.bytes).map_err(usage)?;
    plan.check().map_err(usage)?;
    let code = args.own.build()?;
    let bar = args.own.bar(2 * plan.len())?;
    let checked = own_code::check::run(&plan, &code, TOOL, &|| bar.inc(1))?;
    bar.finish_and_clear();
    crate::cmd::print(&match args.own.format {
        Format::Table => checked.drawn(|s| s.text(terminal_width()) + "\n")?,
        Format::Md => checked.drawn(|s| s.markdown() + "\n")?,
        Format::Csv => checked.csv(),
        Format::Json => serde_json::to_string_pretty(&checked)? + "\n",
    })?;
    match checked.first() {
        None => Ok(ExitCode::SUCCESS),
        Some(what) => Err(CheckFailed(escape::line(&what).into_owned()).into()),
    }
}
