//! `capvec cores fit`: parameters of a core model by least squares.

use super::c_build;
use super::free::all_free;
use crate::cmd::core_choice::{self, CoreName, SetFlag};
use crate::cmd::flags::terminal_width;
use crate::cmd::setup::TOOL;
use crate::cmd::{Usage, progress, usage};
use anyhow::{Context, Result};
use capvec_bench::fit::{Fitted, Free, Problem, Value};
use capvec_bench::predictions;
use capvec_record::fitted::{self, Parameter, Row, Trade};
use capvec_record::grid::Section;
use capvec_record::published::silicon::{self, Line, Needs};
use capvec_record::shown::Tables;
use capvec_targets::SubjectName;
use capvec_text::escape;
use capvec_timing::{Core, Setting};
use clap::ValueEnum;
use std::cell::RefCell;
use std::path::PathBuf;

/// Flags of `capvec cores fit`.
#[derive(clap::Args)]
pub struct Args {
    /// Name of a core, or a TOML file of your own
    #[arg(value_name = "CORE", value_parser = CoreName, hide_possible_values = true)]
    core: String,
    /// CSV with published speeds, in the form of published/silicon.csv or published/karu64_openssl.csv [default: what is published for the
    /// core]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Parameters to fit, separated by commas: KEY, KEY=LOW..HIGH with bounds, or KEY+KEY for several that keep their
    /// ratios
    #[arg(long, value_name = "KEY[=LOW..HIGH]", value_delimiter = ',', required = true)]
    free: Vec<String>,
    /// Fit the core with this parameter changed; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<SetFlag>,
    /// Fit only to these figures: a case, a capability set, CASE/SET or CASE/SET/BYTES
    #[arg(long, value_name = "FIGURE", value_delimiter = ',')]
    only: Vec<String>,
    /// Do not fit to these figures, but show how well they are predicted: a case, a capability set,
    /// CASE/SET or CASE/SET/BYTES
    #[arg(long, value_name = "FIGURE", value_delimiter = ',')]
    hold_out: Vec<String>,
    /// Predict figures of programs in C, for which Debian's OpenSSL has assembly, by this build of OpenSSL (`capvec build openssl --arch
    /// riscv64 --variant no-asm --command`)
    #[arg(long, value_name = "NAME")]
    c_build: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = FitFormat::Table)]
    format: FitFormat,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FitFormat {
    Table,
    Md,
    Json,
}

/// Fits, and shows the result.
pub fn text(args: &Args) -> Result<String> {
    let (own, core) =
        (core_choice::one(&args.core, &[])?, core_choice::one(&args.core, &args.set)?);
    let lines = published(args, &core)?;
    let build = args.c_build.as_ref().map(|name| c_build::find(name).map_err(usage)).transpose()?;
    let free = all_free(&core, &args.free)?;
    // A parameter that the core itself lacks is set to the value from which the search begins.
    let has_set = |k: &Value| {
        args.set.iter().find(|s| s.is_for(&core, &k.key) && own.number(&k.key).is_some())
    };
    if let Some(set) = free.iter().flat_map(|f| &f.keys).find_map(has_set) {
        return Err(
            Usage(format!("--set {set}: it is free (--free); give its bounds there")).into()
        );
    }
    let held = held(args, &lines).map_err(usage)?;
    let published = lines.iter().map(Line::cycles_per_byte).collect();
    let problem = Problem { free, published, held };
    problem.check().map_err(usage)?;
    let bar = progress::bar(args.quiet, 0, "runs of the model")?;
    let version = RefCell::new(String::new());
    let own_c = build.as_ref().map(|build| SubjectName::Build(build.name.clone()));
    let mut predict = |values: &[f64], figures: &[usize]| {
        let set = |key: &str, value: f64| Setting { key: key.into(), value: value.to_string() };
        let settings = problem.free.iter().zip(values);
        let settings: Vec<Setting> =
            settings.flat_map(|(f, v)| f.settings(*v).map(|(k, v)| set(k, v))).collect();
        let core = predictions::clocked(core.with(&settings)?);
        let stock = |_: &str| c_build::runner(core.clone(), &SubjectName::OpenSsl, args.quiet);
        let own = own_c.as_ref();
        let own = own.map(|subject| |_: &str| c_build::runner(core.clone(), subject, args.quiet));
        let own = own.as_ref().map(|make| make as predictions::MakeRunner);
        let programs = predictions::Programs { stock: &stock, c_build: own, measured: &[] };
        let lines: Vec<Line> = figures.iter().filter_map(|i| lines.get(*i).cloned()).collect();
        let predicted = predictions::run(&lines, programs, 0, TOOL, &|| ())?;
        bar.inc(1);
        version.replace(predicted.version);
        let cycles = predicted.rows.iter().map(|r| r.predicted.context("a prediction"));
        cycles.collect()
    };
    let fit = problem.fit(&mut predict)?;
    bar.finish_and_clear();
    let fitted = record(&core, &lines, &problem, &fit);
    let fitted = fitted::Fitted {
        version: version.take(),
        c_build: build.as_ref().map(c_build::described),
        ..fitted
    };
    let tables = |draw: &dyn Fn(&Section) -> String| tables(args, &core, &fitted, draw);
    match args.format {
        FitFormat::Table => tables(&|s| format!("\n{}", s.text(terminal_width()))),
        FitFormat::Md => tables(&|s| format!("\n{}", s.markdown())),
        FitFormat::Json => Ok(serde_json::to_string_pretty(&fitted)? + "\n"),
    }
}

/// The tables, between what predicted the figures and the flags that give `--core` the fitted values.
fn tables(
    args: &Args,
    core: &Core,
    fitted: &fitted::Fitted,
    draw: &dyn Fn(&Section) -> String,
) -> Result<String> {
    let stock = match fitted.version.as_str() {
        "" => String::new(),
        version => format!("OpenSSL {}, ", escape::line(version)),
    };
    let own = fitted.c_build.as_ref();
    let own = own.map_or(String::new(), |b| format!("Programs in C: {}\n", escape::line(b)));
    let free = |set: &&SetFlag| {
        fitted.parameters.iter().flat_map(|p| &p.keys).any(|key| set.is_for(core, key))
    };
    let kept = args.set.iter().filter(|set| !free(set));
    let set = kept.map(|set| format!("--set {set} ")).collect::<String>();
    let flags = escape::line(&(set + &fitted.flags())).to_string();
    Ok(format!(
        "{}, {stock}{} runs of the model\n{own}{}\nThe fitted core: --core {} {flags}\n",
        core.name,
        fitted.runs,
        fitted.drawn(draw)?,
        args.core
    ))
}

/// The published figures of the core that predictions can be compared with.
fn published(args: &Args, core: &Core) -> Result<Vec<Line>> {
    let all = match &args.to {
        None => silicon::lines()?,
        Some(path) => {
            let shown = escape::path(path);
            let text = capvec_text::file::read(path)
                .map_err(|e| usage(anyhow::anyhow!("--to {shown}: {e}")))?;
            let megahertz = core.frequency as f64 / 1e6;
            silicon::parse(&text, &core.name, megahertz)
                .map_err(|e| usage(e.context(format!("--to {shown}"))))?
        }
    };
    let own: Vec<Line> = all.into_iter().filter(|l| l.core == core.name).collect();
    let in_c = own.iter().filter(|l| l.needs() == Needs::CBuild).count();
    let predicted = |l: &Line| match l.needs() {
        Needs::Stock => true,
        Needs::CBuild => args.c_build.is_some(),
        Needs::Measured => false,
    };
    let lines: Vec<Line> = own.into_iter().filter(predicted).collect();
    match &args.c_build {
        Some(name) if in_c == 0 => Err(Usage(format!(
            "--c-build {name}: no figure of {} is of OpenSSL's C; leave it out",
            core.name
        ))
        .into()),
        _ if lines.is_empty() => Err(Usage(none(args, core, in_c)).into()),
        _ => Ok(lines),
    }
}

/// Why there is nothing to fit to; `in_c` is the number of figures that `--c-build` would predict.
fn none(args: &Args, core: &Core, in_c: usize) -> String {
    match &args.to {
        _ if in_c > 0 => format!(
            "{}: all published figures that can be fitted to are of programs in C; name a build of OpenSSL's C with --c-build",
            core.name
        ),
        Some(path) => format!(
            "--to {}: the file has no speeds of {} that can be compared; leave out --to for what is published of a core, or name another file",
            escape::path(path),
            core.name
        ),
        None => format!(
            "{}: no speeds of `openssl speed` are published of this core that can be compared; name a file with --to (docs/models.md says where \
             the parameters of shipped cores come from)",
            core.name
        ),
    }
}

/// Which figures are not fitted.
fn held(args: &Args, lines: &[Line]) -> Result<Vec<bool>> {
    let figure = |l: &Line| format!("{}/{}", l.case, l.set);
    let sized = |l: &Line| format!("{}/{}", figure(l), l.bytes);
    let names = |name: &String, l: &Line| {
        [&l.case, &l.set, &figure(l), &sized(l)].into_iter().any(|own| own == name)
    };
    for (flag, name) in args
        .only
        .iter()
        .map(|n| ("--only", n))
        .chain(args.hold_out.iter().map(|n| ("--hold-out", n)))
    {
        if !lines.iter().any(|l| names(name, l)) {
            let all: Vec<String> = lines.iter().map(sized).collect();
            anyhow::bail!("{flag} {name}: no such figure; the figures are {}", all.join(", "));
        }
    }
    let held = |l: &Line| {
        let only = args.only.is_empty() || args.only.iter().any(|n| names(n, l));
        !only || args.hold_out.iter().any(|n| names(n, l))
    };
    Ok(lines.iter().map(held).collect())
}

fn record(core: &Core, lines: &[Line], problem: &Problem, fit: &Fitted) -> fitted::Fitted {
    let first =
        |place: usize| problem.free.get(place).map_or(String::new(), |f| f.keys[0].key.clone());
    let parameter = |(place, (free, value)): (usize, (&Free, &f64))| Parameter {
        keys: free.keys.iter().map(|k| k.key.clone()).collect(),
        before: free.keys.iter().map(|k| k.before).collect(),
        values: free.settings(*value).map(|(_, v)| v).collect(),
        bounds: [free.low, free.high],
        standard_error: fit.estimate.errors.get(place).copied().flatten(),
        has_effect: !fit.estimate.without_effect.contains(&place),
    };
    let mut left_out = fit.left_out.iter();
    let rows = lines.iter().enumerate().map(|(i, l)| {
        let held_out = problem.held[i];
        let published = problem.published[i];
        let residual = if held_out { None } else { left_out.next().copied().flatten() };
        Row {
            case: l.case.clone(),
            set: l.set.clone(),
            bytes: l.bytes,
            published,
            before: fit.before[i],
            after: fit.after[i],
            left_out: residual.map(|r| published * r.exp()),
            held_out,
            source: l.source.clone(),
        }
    });
    fitted::Fitted {
        fitted: fitted::VERSION,
        tool: TOOL.into(),
        version: String::new(),
        c_build: None,
        core: core.identity.label.clone(),
        core_digest: core.identity.digest.clone(),
        parameters: problem.free.iter().zip(&fit.values).enumerate().map(parameter).collect(),
        trades: fit
            .estimate
            .trades
            .iter()
            .map(|t| Trade { parameters: t.pair.map(first), correlation: t.correlation })
            .collect(),
        rows: rows.collect(),
        runs: fit.runs,
    }
}
