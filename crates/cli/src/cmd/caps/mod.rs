//! `capvec caps`: what the hart, the kernel and the library each report.

mod lint;
mod native;

use crate::cmd::core_flags::CoreFlags;
use crate::cmd::flags::with_default;
use crate::cmd::misaligned::MisalignedFlag;
use crate::cmd::{say, usage};
use anyhow::Result;
use capvec_bench::capability_reports::{self, Reports, Said};
use capvec_bench::capset::CapSet;
use capvec_bench::run::Runner;
use capvec_guest::Program;
use capvec_targets::{Feature, SYSROOT, SubjectName, TargetName};
use capvec_timing::{Core, Model};
use clap::ValueEnum;
use comfy_table::{Table, presets};
use std::process::ExitCode;

/// Show which extensions the hart, the kernel and the library report, and why they differ
///
/// On a modelled core, a small program queries riscv_hwprobe, AT_HWCAP and /proc/cpuinfo, and the sysroot's OpenSSL, once
/// detecting for itself and once with OPENSSL_riscvcap set. With --target native, the features of this machine's processor are
/// compared with /proc/cpuinfo and with what the openssl in PATH reports.
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
    #[command(flatten)]
    core: CoreFlags,
    /// Capability set, as for `capvec bench`: the extensions that the hart has and the library is configured to use
    /// [default: auto]
    #[arg(long, conflicts_with = "isa")]
    caps: Option<String>,
    #[arg(long, help = with_default("Name of the sysroot that the library comes from", SYSROOT))]
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
    let own = [(args.caps.is_some(), Feature::Caps), (args.sysroot.is_some(), Feature::Sysroot)];
    args.target.require(
        &SubjectName::OpenSsl,
        &[&[(true, Feature::Reports)][..], &args.core.asked(), &own].concat(),
    )?;
    let text = match args.target {
        TargetName::Native => here(args.format)?,
        _ => modelled(&args)?,
    };
    crate::cmd::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn here(format: Format) -> Result<String> {
    let report = native::ask()?;
    Ok(match format {
        Format::Table => report.text(),
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
    })
}

fn modelled(args: &Args) -> Result<String> {
    let core = args.core.core_of_library(&MisalignedFlag::default())?;
    // Reports have no cycles, which some models cannot count for every set.
    let core = Core { model: Model::Ideal, ..core };
    let capset = CapSet::parse(args.caps.as_deref().unwrap_or("auto"), &core.isa).map_err(usage)?;
    for warning in capset.warnings_for(false) {
        say!("warning: {warning}");
    }
    let vlen = core.vlen;
    let progress = &mut |what: &str| say!("{what}");
    let sysroot = args.sysroot.as_deref().unwrap_or(SYSROOT);
    let runner = Runner::new(core, sysroot, &[Program::Measure], progress)?;
    let reports = capability_reports::ask(&runner, vlen, &capset)?;
    Ok(match args.format {
        Format::Table => text(&reports),
        Format::Json => serde_json::to_string_pretty(&reports)? + "\n",
    })
}

fn cell(s: Said) -> &'static str {
    match s {
        Said::Yes => "yes",
        Said::No => "no",
        Said::Silent => "·",
    }
}

fn text(v: &Reports) -> String {
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
fn explained(v: &Reports) -> String {
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
