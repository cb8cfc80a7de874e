//! `capvec build mlkem`: what compilers alone make of libcapvec's portable ML-KEM, as a matrix.

use crate::cmd::core_choice::CoreName;
use crate::cmd::flags::{CORE_HELP, terminal_width, vlen};
use crate::cmd::progress::spinner;
use crate::cmd::{CheckFailed, core_choice, usage};
use anyhow::{Context, Result};
use capvec_bench::capset::CapSet;
use capvec_bench::case::{self, Case};
use capvec_bench::driver_protocol::Taken;
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::Results;
use capvec_guest::{Compiler, Portable, Program, is_not_vectorised};
use capvec_record::grid::Grid;
use capvec_targets::backend::Sim;
use capvec_targets::{CORE, SYSROOT, SubjectName};
use capvec_text::digits::count;
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use std::path::PathBuf;
use std::process::ExitCode;

/// The case that is measured.
const CASE: &str = "ml-kem-768";
/// The column of the hand-written code.
const KERNELS: &str = "kernels";

#[derive(clap::Args)]
pub struct Args {
    /// ISAs, as compilers take them with -march
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "rv64gc,rv64gc_zbb,rv64gcv,rv64gcv_zbb_zvbb"
    )]
    march: Vec<String>,
    /// Compilers: gcc, clang
    #[arg(long, value_delimiter = ',', default_value = "gcc,clang")]
    compiler: Vec<Compiler>,
    #[arg(long, value_parser = CoreName, hide_possible_values = true, help = CORE_HELP, default_value = CORE)]
    core: String,
    /// Vector register length in bits [default: the core's own]
    #[arg(long, value_parser = vlen)]
    vlen: Option<u32>,
    /// Directory for the compilers' remarks on loops that they did not vectorise, one file for each build
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// The figures of one column: instructions and cycles by operation.
struct Column {
    figures: Vec<[Option<f64>; 2]>,
    /// Number of remarks, if there was a compiler.
    remarks: Option<usize>,
}

const LEGEND: &str = "\
Each column: libcapvec's portable C compiled with -O3 for the ISA in its line, without any kernel; kernels: libcapvec as it is, on the
same hart. insns/op: retired instructions (k, M: thousands, millions). cycles/op: of the core model. missed: how often the compiler
remarked that it did not vectorise a loop; --output keeps its remarks, which say why.
";

/// Builds and measures everything, and prints the matrix.
pub fn run(args: &Args) -> Result<ExitCode> {
    let core = core_choice::one(&args.core, &[])?;
    let cases = case::select(&[CASE.into()])?;
    let case = cases.first().context("the case is built in")?;
    let sets = args.march.iter().map(|march| {
        CapSet::of(march, &core.isa).with_context(|| format!("--march {}", escape::line(march)))
    });
    let sets = sets.collect::<Result<Vec<CapSet>>>().map_err(usage)?;
    args.output.as_ref().map_or(Ok(()), |dir| atomic_file::prepare(dir))?;
    let mut body = Vec::new();
    for (march, capset) in args.march.iter().zip(sets) {
        let c = Configuration::new(args.vlen.unwrap_or(core.vlen), capset);
        let compiled = args.compiler.iter().map(|by| compiled(args, &core, case, &c, *by, march));
        let mut columns = compiled.collect::<Result<Vec<Column>>>()?;
        columns.push(kernels(args, &core, case, &c)?);
        for (i, operation) in case.operations.iter().enumerate() {
            let mut cells = vec![march.clone(), operation.name().into()];
            for column in &columns {
                let figures = column.figures.get(i).copied().unwrap_or_default();
                cells.extend(figures.map(count));
                cells.extend(column.remarks.map(|n| n.to_string()));
            }
            body.push(cells);
        }
    }
    let mut head = ["capability set", "operation"].map(String::from).to_vec();
    for by in &args.compiler {
        head.extend(["insns/op", "cycles/op", "missed"].map(|w| format!("{}: {w}", by.name())));
    }
    head.extend(["insns/op", "cycles/op"].map(|w| format!("{KERNELS}: {w}")));
    crate::cmd::print(&format!("{}{LEGEND}", Grid { head, body }.text(terminal_width())))?;
    Ok(ExitCode::SUCCESS)
}

/// One build, measured.
fn compiled(
    args: &Args,
    core: &Core,
    case: &Case,
    c: &Configuration,
    compiler: Compiler,
    march: &str,
) -> Result<Column> {
    let spinner = spinner(args.quiet);
    let progress = &mut |what: &str| spinner.set_message(what.to_string());
    let how = Portable { compiler, march: march.into() };
    let (sim, remarks) = Sim::portable(core.clone(), SYSROOT, &how, progress)?;
    spinner.finish_and_clear();
    let mut text = String::new();
    for (unit, said) in &remarks {
        text += &format!("== {unit}\n{said}\n");
    }
    if let Some(dir) = &args.output {
        let file = dir.join(format!("{}-{march}.txt", compiler.name()));
        atomic_file::replace(&file, text.as_bytes())?;
    }
    let remarks = Some(text.lines().filter(|line| is_not_vectorised(line)).count());
    Ok(Column { remarks, ..measured(&Runner::at(sim), case, c, compiler.name())? })
}

fn kernels(args: &Args, core: &Core, case: &Case, c: &Configuration) -> Result<Column> {
    let spinner = spinner(args.quiet);
    let progress = &mut |what: &str| spinner.set_message(what.to_string());
    let programs = [Program::Measure];
    let runner = Runner::of(&SubjectName::Capvec, core.clone(), SYSROOT, &programs, progress)?;
    spinner.finish_and_clear();
    measured(&runner, case, c, KERNELS)
}

/// The figures of a driver; a wrong answer is a failed check.
fn measured(runner: &Runner, case: &Case, c: &Configuration, name: &str) -> Result<Column> {
    let results = Results::measure(runner, &[case], &[], c)?;
    let result = results.cases.first().context("one case was measured")?;
    if let Some(wrong) = result.answers.first() {
        let what = format!("{name}, {}: {}", c.capset.name, escape::line(wrong));
        return Err(CheckFailed(what).into());
    }
    let figures = result.measures.iter().map(|m| match &m.taken {
        Ok(Taken::Counts(counts)) => {
            [counts.instret, counts.cycles].map(|n| Some(n as f64 / m.repeats as f64))
        }
        _ => [None, None],
    });
    Ok(Column { figures: figures.collect(), remarks: None })
}
