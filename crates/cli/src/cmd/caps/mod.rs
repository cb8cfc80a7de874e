//! `capvec caps`: what the hart, the kernel and the library each report.

mod lint;
mod native;

use crate::cmd::flags::vlen;
use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use capvec_bench::capability_views::{self, Said, Views};
use capvec_bench::capset::CapSet;
use capvec_bench::run::{Program, Runner};
use capvec_targets::{CORE, Feature, SYSROOT, SubjectName, TargetName};
use capvec_timing::Core;
use clap::ValueEnum;
use comfy_table::{Table, presets};
use std::process::ExitCode;

/// Show which extensions the hart, the kernel and the library report, and why they differ
///
/// A small program on a modelled core queries riscv_hwprobe, AT_HWCAP and /proc/cpuinfo, and the sysroot's OpenSSL with
/// its own detection and with OPENSSL_riscvcap.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
    capvec caps\n  \
    capvec caps --isa rva23u64_zvkng_zkr --vlen 512\n  \
    capvec caps --caps string:rv64gcv_zvkned\n  \
    capvec caps --target native\n  \
    capvec caps lint rv64gcv_zvkned"
)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    /// What to query: sim, or native (this machine)
    #[arg(long, default_value = "sim")]
    target: TargetName,
    /// Core model: a name from `capvec cores list`, or a file [default: karu64]
    #[arg(long)]
    core: Option<String>,
    /// ISA of the hart, such as rv64gcv_zvkned or rva23u64 [default: the core's]
    #[arg(long)]
    isa: Option<String>,
    /// Vector register length in bits [default: the core's]
    #[arg(long, value_parser = vlen)]
    vlen: Option<u32>,
    /// Capability set, as for `capvec bench`: the extensions that the hart has and the library is configured to use
    /// [default: auto]
    #[arg(long, conflicts_with = "isa")]
    caps: Option<String>,
    /// Name of the sysroot that the library comes from [default: trixie-riscv64]
    #[arg(long)]
    sysroot: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(clap::Subcommand)]
enum Sub {
    Lint(lint::Args),
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(Sub::Lint(args)) = args.command {
        return lint::run(args);
    }
    let asked = [
        (true, Feature::Views),
        (args.core.is_some(), Feature::Core),
        (args.isa.is_some(), Feature::Isa),
        (args.vlen.is_some(), Feature::Vlen),
        (args.caps.is_some(), Feature::Caps),
        (args.sysroot.is_some(), Feature::Sysroot),
    ];
    args.target.require(&SubjectName::OpenSsl, &asked)?;
    let text = match args.target {
        TargetName::Native => here(args.format)?,
        _ => modelled(&args)?,
    };
    crate::cmd::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn here(format: Format) -> Result<String> {
    let report = native::ask();
    Ok(match format {
        Format::Table => report.text(),
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
    })
}

fn modelled(args: &Args) -> Result<String> {
    let mut core = Core::load(args.core.as_deref().unwrap_or(CORE)).map_err(usage)?;
    if let Some(isa) = &args.isa {
        core.isa = isa.parse().map_err(|e| Usage(format!("--isa {isa}: {e}")))?;
        if core.isa.xlen != 64 {
            return Err(
                Usage(format!("--isa {isa}: the library is 64-bit; begin with rv64")).into()
            );
        }
    }
    let capset = CapSet::parse(args.caps.as_deref().unwrap_or("auto"), &core.isa).map_err(usage)?;
    for warning in &capset.warnings {
        say!("warning: {warning}");
    }
    let vlen = args.vlen.unwrap_or(core.vlen);
    let progress = &mut |what: &str| say!("{what}");
    let sysroot = args.sysroot.as_deref().unwrap_or(SYSROOT);
    let runner = Runner::new(core, sysroot, &[Program::Measure], progress)?;
    let views = capability_views::ask(&runner, vlen, &capset)?;
    Ok(match args.format {
        Format::Table => text(&views),
        Format::Json => serde_json::to_string_pretty(&views)? + "\n",
    })
}

fn cell(s: Said) -> &'static str {
    match s {
        Said::Yes => "yes",
        Said::No => "no",
        Said::Silent => "·",
    }
}

fn text(v: &Views) -> String {
    let k = &v.kernel;
    let hwprobe = match k.ima_ext_0() {
        Some(bits) => format!("{bits:#x}"),
        None => "not supported".into(),
    };
    let mut s = format!(
        "core           {}, VLEN {}\n\
         hwprobe key 4  {hwprobe}\n\
         AT_HWCAP       {:#x}\n\
         /proc/cpuinfo  {}\n\
         detected       {}\n\
         configured     {}\n\
         with           OPENSSL_riscvcap={}\n\n",
        v.core, v.vlen, k.hwcap, k.isa, k.library, v.configured, v.capstring
    );
    let mut t = Table::new();
    let head = ["extension", "hart", "hwprobe", "HWCAP", "cpuinfo", "detected", "configured"];
    t.load_preset(presets::NOTHING).set_header(head);
    for r in &v.rows {
        let said = [r.hart, r.hwprobe, r.hwcap, r.cpuinfo, r.detected, r.configured].map(cell);
        t.add_row(std::iter::once(r.extension).chain(said));
    }
    s += &(t.trim_fmt() + "\n");
    s += "\n·: has no name for it. detected, configured: OpenSSL without and with OPENSSL_riscvcap.\n";
    s + &explained(v)
}

/// The extensions, grouped by what explains them.
fn explained(v: &Views) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in &v.rows {
        for why in &row.why {
            match reasons.iter_mut().find(|(r, _)| r == why) {
                Some((_, names)) => names.push(row.extension),
                None => reasons.push((why, vec![row.extension])),
            }
        }
    }
    let lines = reasons.iter().map(|(why, names)| format!("{}: {why}\n", names.join(" ")));
    let others = v.differences.iter().chain(&v.notes).map(|d| format!("{d}\n"));
    lines.chain(others).collect()
}
