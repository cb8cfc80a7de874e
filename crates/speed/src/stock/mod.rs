//! The last table: processor time (including start-up) and memory of stock programs, divided by those of QEMU.

mod inputs;
mod runner;

use crate::args::Args;
use crate::debian;
use crate::stock_programs::{Group, PROGRAMS, Program};
use crate::timed::median;
use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use runner::Runner;
use std::path::Path;

/// The sysroot with all of the programs.
const SYSROOT: &str = "trixie-riscv64-programs";

/// Packages that are needed only to make the inputs.
const TOOLS: [&str; 3] = ["bash", "coreutils", "libc6-dev"];

/// What a program took: processor time in seconds, and memory in megabytes.
struct Figures {
    time: f64,
    memory: f64,
}

/// Measures the programs that are wanted, and prints the table.
///
/// # Errors
/// The programs cannot be installed, or one of them fails.
pub fn measure(args: &Args, qemu: &Path) -> anyhow::Result<()> {
    let wanted: Vec<&Program> = PROGRAMS.iter().filter(|p| args.wants(p.name)).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let mut packages: Vec<&str> = TOOLS.to_vec();
    packages.extend(wanted.iter().map(|p| p.package));
    let root = debian::riscv64(SYSROOT, &packages)?;
    let dir = tempfile::tempdir().context("a directory for inputs")?;
    inputs::prepare(&args.capvec, (SYSROOT, &root), dir.path(), &wanted)?;
    let cores: Vec<&str> =
        std::iter::once("ideal").chain(args.cores.iter().map(String::as_str)).collect();
    let mut runners = vec![Runner::Qemu(qemu.to_path_buf())];
    let capvec = |core: &&str| Runner::Capvec(args.capvec.clone(), (*core).to_owned());
    runners.extend(cores.iter().map(capvec));
    let mut table = headed(&cores);
    let mut all = Vec::new();
    for group in Group::ALL {
        let mut ratios = Vec::new();
        for program in wanted.iter().filter(|p| p.group == group) {
            eprintln!("stock: {}", program.name);
            let mut rounds: Vec<Vec<Figures>> = Vec::new();
            for _ in 0..args.runs {
                let run = |runner: &Runner| {
                    let run = runner.run(program, (SYSROOT, &root), dir.path())?;
                    Ok(Figures { time: run.time, memory: run.peak as f64 / 1e3 })
                };
                rounds.push(runners.iter().map(run).collect::<anyhow::Result<_>>()?);
            }
            ratios.push(row(&mut table, program, &rounds));
        }
        means(&mut table, group.name(), &ratios);
        all.append(&mut ratios);
    }
    means(&mut table, "all", &all);
    println!("{table}\n");
    Ok(())
}

fn headed(cores: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN);
    let mut head = vec!["stock programs".to_owned(), "QEMU s".into()];
    head.extend(cores.iter().map(|core| format!("{core} / QEMU")));
    head.push("QEMU MB".into());
    head.extend(cores.iter().map(|core| format!("MB {core} / QEMU")));
    table.set_header(head);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Adds a program's row: QEMU's median figures, and the medians over all rounds of the ratios to QEMU. Returns the ratios of times.
fn row(table: &mut Table, program: &Program, rounds: &[Vec<Figures>]) -> Vec<f64> {
    let middle = |of: &dyn Fn(&[Figures]) -> f64| {
        median(rounds.iter().map(|round| of(round)).collect()).unwrap_or(f64::NAN)
    };
    let cores = 1..rounds[0].len();
    let times: Vec<f64> =
        cores.clone().map(|k| middle(&|round| round[k].time / round[0].time)).collect();
    let memory = cores.map(|k| middle(&|round| round[k].memory / round[0].memory));
    let mut cells = vec![program.name.to_owned(), format!("{:.2}", middle(&|r| r[0].time))];
    cells.extend(times.iter().map(|t| format!("{t:.2}")));
    cells.push(format!("{:.0}", middle(&|r| r[0].memory)));
    cells.extend(memory.map(|m| format!("{m:.2}")));
    table.add_row(cells);
    times
}

/// Adds the geometric means of a group, if it has more than one program.
fn means(table: &mut Table, name: &str, ratios: &[Vec<f64>]) {
    let [first, _, ..] = ratios else { return };
    let mean = |k: usize| geometric_mean(ratios.iter().map(|r| r[k]));
    let mut cells = vec![format!("geometric mean: {name}"), String::new()];
    cells.extend((0..first.len()).map(|k| format!("{:.2}", mean(k))));
    table.add_row(cells);
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), v| (sum + v.ln(), count + 1));
    (sum / f64::from(count)).exp()
}

#[cfg(test)]
mod tests {
    use super::{PROGRAMS, geometric_mean};

    #[test]
    fn means_are_geometric() {
        assert!((geometric_mean([0.5, 2.0, 8.0].into_iter()) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn names_are_unique() {
        for (n, program) in PROGRAMS.iter().enumerate() {
            assert!(PROGRAMS[..n].iter().all(|other| other.name != program.name));
            assert!(program.path.starts_with('/'));
        }
    }
}
