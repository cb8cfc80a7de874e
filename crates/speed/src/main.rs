//! Speed of capvec's engines and of qemu-riscv64 on the same machine, with the same stock programs.

mod args;
mod build;
mod debian;
mod rows;
mod runners;
mod stock;
mod stock_programs;
mod timed;

use anyhow::Context;
use args::Args;
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use rows::{Kind, PROGRAMS, PUBLIC_KEY, Program, Row, SYMMETRIC, TARGET};
use runners::{Runner, Set};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tempfile::TempDir;
use timed::median;

/// Runs of `openssl version` that measure the start-up time.
const STARTS: u32 = 10;

/// Debian's QEMU, or the one on PATH.
fn find_qemu(args: &Args) -> Option<PathBuf> {
    if args.no_qemu || args.qemu.is_some() {
        return args.qemu.clone();
    }
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let name = format!("trixie-{arch}");
    let found = capvec_sysroot::ensure(&name, &["qemu-user"], &mut |p| eprintln!("{p}"));
    match found {
        Ok(root) => Some(root.join("usr/bin/qemu-riscv64")),
        Err(e) => {
            eprintln!("Debian's QEMU is not available: {e}");
            let path = std::env::var_os("PATH")?;
            std::env::split_paths(&path).map(|d| d.join("qemu-riscv64")).find(|p| p.exists())
        }
    }
}

/// One decimal below a hundred.
fn figure(v: Option<f64>) -> String {
    match v {
        None => String::new(),
        Some(v) if v < 100.0 => format!("{v:.1}"),
        Some(v) => format!("{v:.0}"),
    }
}

/// The runners and the processor time of starting each: capvec's engines, then QEMU if it is available, then cores.
struct Bench {
    runners: Vec<(Runner, f64)>,
    qemu: Option<PathBuf>,
    args: Args,
    /// The directory of this crate's programs.
    _programs: TempDir,
}

impl Bench {
    fn new(args: Args) -> anyhow::Result<Bench> {
        let dir = tempfile::tempdir().context("cannot create a directory for programs")?;
        let programs = dir.path().to_path_buf();
        let capvec = |engine: &String, core: Option<&String>| Runner::Capvec {
            program: args.capvec.clone(),
            engine: engine.clone(),
            core: core.cloned(),
            without: args.without.clone(),
            programs: programs.clone(),
        };
        let mut runners: Vec<Runner> = args.engines.iter().map(|e| capvec(e, None)).collect();
        let qemu = find_qemu(&args);
        if let Some(program) = qemu.clone() {
            let sysroot = capvec_sysroot::ensure("trixie-riscv64", &["openssl"], &mut |p| {
                eprintln!("{p}");
            })?;
            runners.push(Runner::Qemu { program, sysroot, programs: programs.clone() });
        }
        let first = args.engines.first().context("--engines names none")?;
        runners.extend(args.cores.iter().map(|core| capvec(first, Some(core))));
        // The start is subtracted from the times of all rows but its own and those of stock programs.
        let starts = if args.wants_any_row() { STARTS } else { 1 };
        let start = |r: Runner| r.start(starts).map(|(time, _)| (r, time));
        let runners = runners.into_iter().map(start).collect::<anyhow::Result<_>>()?;
        // Compiling takes a while, so errors above come first.
        if PROGRAMS.iter().any(|p| args.wants(p.name)) {
            build::programs(&args.capvec, dir.path())?;
        }
        Ok(Bench { runners, qemu, args, _programs: dir })
    }

    /// The figures of each runner, whose runs alternate.
    fn alternate(
        &self,
        mut run: impl FnMut(&Runner, f64) -> anyhow::Result<f64>,
    ) -> anyhow::Result<Vec<Vec<f64>>> {
        let mut figures = vec![Vec::new(); self.runners.len()];
        for _ in 0..self.args.runs {
            for ((runner, start), figures) in self.runners.iter().zip(&mut figures) {
                figures.push(run(runner, *start)?);
            }
        }
        Ok(figures)
    }

    /// Medians, and medians over all rounds of the ratios of engines to QEMU, and of cores to the first engine and to QEMU.
    /// The last cell is the ratio to QEMU that a core must reach, half of `target`.
    fn cells(&self, figures: &[Vec<f64>], more_is_better: bool, target: f64) -> Vec<String> {
        let engines = self.args.engines.len();
        let one = |(a, b): (&f64, &f64)| if more_is_better { a / b } else { b / a };
        let ratio = |a: usize, b: usize| {
            let ratio = median(figures[a].iter().zip(&figures[b]).map(one).collect());
            ratio.map_or(String::new(), |r| format!("{r:.2}"))
        };
        let cores = engines + self.qemu.is_some() as usize..self.runners.len();
        let figure = |k: usize| figure(median(figures[k].clone()));
        let mut cells: Vec<String> = (0..engines).map(figure).collect();
        cells.push(if self.qemu.is_some() { figure(engines) } else { String::new() });
        let to_qemu = |k| if self.qemu.is_some() { ratio(k, engines) } else { String::new() };
        cells.extend((0..engines).map(to_qemu));
        cells.extend(cores.clone().map(figure));
        cells.extend(cores.clone().map(|k| ratio(k, 0)));
        cells.extend(cores.map(to_qemu));
        cells.push(format!("{:.1}", target / 2.0));
        cells
    }

    fn table(&self, title: &str, set: Set, rows: &[Row]) -> anyhow::Result<()> {
        let rows: Vec<&Row> = rows.iter().filter(|row| self.args.wants(row.name)).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let mut table = self.headed(title);
        for row in rows {
            eprintln!("{title}: {}", row.name);
            let figures =
                self.alternate(|runner, start| runner.measure(set, row, self.args.seconds, start))?;
            let unit = if row.kind == Kind::Bulk { "MB/s" } else { "op/s" };
            let mut cells = vec![row.name.to_owned(), unit.to_owned()];
            let target = if set == Set::Full { row.target } else { TARGET };
            cells.extend(self.cells(&figures, true, target));
            table.add_row(cells);
        }
        println!("{table}\n");
        Ok(())
    }

    /// Measures this crate's own programs.
    fn programs(&self) -> anyhow::Result<()> {
        let rows: Vec<&Program> = PROGRAMS.iter().filter(|p| self.args.wants(p.name)).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let mut table = self.headed("rv64gc alone");
        for row in rows {
            eprintln!("program: {}", row.name);
            let figures = self.alternate(|runner, start| runner.program(row, start))?;
            let mut cells = vec![row.name.to_owned(), "1/s".to_owned()];
            cells.extend(self.cells(&figures, true, TARGET));
            table.add_row(cells);
        }
        println!("{table}\n");
        Ok(())
    }

    /// An empty table with its header.
    fn headed(&self, title: &str) -> Table {
        let mut table = Table::new();
        table.load_preset(presets::ASCII_MARKDOWN);
        let mut head = vec![title.to_owned(), String::new()];
        head.extend(self.args.engines.iter().cloned());
        head.push("QEMU".into());
        head.extend(self.args.engines.iter().map(|e| format!("{e} / QEMU")));
        head.extend(self.args.cores.iter().cloned());
        let first = &self.args.engines[0];
        head.extend(self.args.cores.iter().map(|core| format!("{core} / {first}")));
        head.extend(self.args.cores.iter().map(|core| format!("{core} / QEMU")));
        head.push("required with a core model".into());
        table.set_header(head);
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    fn starts(&self) -> anyhow::Result<()> {
        if self.args.only.is_some() {
            return Ok(());
        }
        let mut table = self.headed("start");
        let figures = self.alternate(|runner, _| Ok(runner.start(STARTS)?.1 * 1e3))?;
        let mut cells = vec!["openssl version".to_owned(), "ms".to_owned()];
        cells.extend(self.cells(&figures, false, TARGET));
        table.add_row(cells);
        println!("{table}\n");
        Ok(())
    }
}

/// A description of the machine and its load, for records.
fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(Path::new(path)).unwrap_or_default();
    let info = read("/proc/cpuinfo");
    let model = info.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or("?");
    let model = model.trim_start_matches([' ', '\t', ':']);
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let load = read("/proc/loadavg");
    format!("{model}, {cpus} processors, load {}", load.split(' ').next().unwrap_or("?"))
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Err(wrong) = args.check() {
        eprintln!("capvec-speed: {wrong}");
        return ExitCode::from(2);
    }
    match measure(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("capvec-speed: {e:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(args: Args) -> anyhow::Result<()> {
    println!("{}", machine());
    if !args.without.is_empty() {
        println!("without {}", args.without.join(", "));
    }
    let bench = Bench::new(args)?;
    if bench.qemu.is_none() {
        eprintln!("no QEMU: its columns stay empty");
    }
    bench.table("every capability, VLEN 256", Set::Full, SYMMETRIC)?;
    bench.table("rv64gc alone", Set::Base, SYMMETRIC)?;
    bench.table("public key, every capability", Set::Full, PUBLIC_KEY)?;
    bench.programs()?;
    bench.starts()?;
    if let Some(qemu) = &bench.qemu {
        stock::measure(&bench.args, qemu)?;
    }
    println!("largest memory use of a run of capvec: {:.0} MB", timed::peak_memory());
    Ok(())
}
