//! `capvec bench --target rtl`: kernels of libcapvec on the core of `rtl/`, next to the prediction of the core model `zvku`
//! and published figures.

use super::Args;
use super::args::Kat;
use crate::cmd::flags::{Format, once};
use crate::cmd::{Usage, setup, usage};
use anyhow::{Context, Result, bail};
use capvec_bare::Image;
use capvec_rtl::figures::{self, Figure};
use capvec_rtl::hart::{Model, Parameters};
use capvec_rtl::{Source, Verilator};
use capvec_sysroot::Store;
use capvec_targets::SubjectName;
use capvec_targets::backend::debian_toolchain;
use capvec_text::{csv, digits};
use capvec_timing::{Core, Setting};
use comfy_table::{CellAlignment, Table, presets};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The core model of the RTL.
const CORE: &str = "zvku";
/// Size of the memory.
const MEMORY: u64 = 1 << 20;
/// Cycles and instructions of a published core, by operation and direction.
const MARIAN: &str = include_str!("../../../../../published/marian_table1.csv");
const COLUMNS: [&str; 12] = [
    "VLEN",
    "DLEN",
    "case",
    "blocks",
    "instructions",
    "cycles, cold",
    "cycles, warm",
    "cycles/block",
    "predicted",
    "error %",
    "Marian: cycles",
    "Marian: instructions",
];

/// Measures, and prints a table.
pub fn run(args: &Args) -> Result<ExitCode> {
    let dlens = dlens(args)?;
    refuse(args)?;
    let vlens = vlens(args);
    let spinner = setup::spinner(args.quiet);
    let mut progress = |what: &str| spinner.set_message(what.to_string());
    let root = capvec_rtl::checkout().map_err(usage)?;
    let store = Store::from_env()?;
    let verilator = Verilator::find(&mut |p| progress(&p.to_string()))?;
    let source = Source::in_checkout(&root, &["zvku", "core"])?;
    let program = program(&root, &store, &mut progress)?;
    let mut rows = Vec::new();
    for vlen in &vlens {
        for dlen in &dlens {
            progress(&format!("building the core with VLEN {vlen} and DLEN {dlen}"));
            let parameters = Parameters { vlen: *vlen, dlen: *dlen, memory: MEMORY };
            let dir = store.home().join("rtl");
            let model = Model::build(&verilator, &source, parameters, &dir)?;
            if args.setup_only {
                continue;
            }
            progress(&format!("running the core with VLEN {vlen} and DLEN {dlen}"));
            let (measured, _) = figures::measure(model, &program)?;
            let predicted = figures::predict(&core(*dlen)?, *vlen, &program)?;
            rows.extend(measured.iter().zip(&predicted).map(|(m, p)| row(*vlen, *dlen, m, p)));
        }
    }
    spinner.finish_and_clear();
    if !args.setup_only {
        crate::cmd::print(&text(args.format, &rows)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses flags that mean nothing here.
fn refuse(args: &Args) -> Result<()> {
    let given = [
        ("--subject", args.subjects() != [SubjectName::default()]),
        ("--core", !args.core.is_empty()),
        ("--caps", !args.caps.is_empty()),
        ("--cases", !args.cases.is_empty()),
        ("--bytes", !args.bytes.is_empty()),
        ("--isa-file", args.isa_files.is_some()),
        ("--explain", args.explain),
        ("--mix", args.mix),
        ("--profile", args.profile),
        ("--speed", args.speed),
        ("--kat", args.kat != Kat::Some),
        ("--vectors", args.vectors.is_some()),
        ("--sysroot", args.on.sysroot.is_some()),
        ("--qemu-cpu", args.on.qemu_cpu.is_some()),
        ("--out", args.out.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Usage(format!(
            "{flag}: --target rtl runs a program of its own; it takes --vlen, --set dlen=…, --format, --setup-only and --quiet"
        ))
        .into()),
        None => Ok(()),
    }
}

/// The values of `--vlen`, each once.
fn vlens(args: &Args) -> Vec<u32> {
    if args.vlen.is_empty() { vec![256] } else { once(args.vlen.clone()) }
}

/// The values of `--set dlen=…`, each once.
fn dlens(args: &Args) -> Result<Vec<u32>> {
    let wrong =
        |what: &str| Usage(format!("--set {what}: --target rtl takes --set dlen=64,128,256,512"));
    let mut dlens = Vec::new();
    for set in &args.set {
        let values = set.values_of("dlen").ok_or_else(|| wrong(&set.to_string()))?;
        for value in values {
            let dlen = value.parse().ok().filter(|d| [64, 128, 256, 512].contains(d));
            dlens.push(dlen.ok_or_else(|| wrong(&set.to_string()))?);
        }
    }
    Ok(if dlens.is_empty() { vec![128] } else { once(dlens) })
}

/// The core model at this DLEN.
fn core(dlen: u32) -> Result<Core> {
    let core = Core::load(CORE)?;
    let set = |key: &str, value: u32| Setting { key: key.into(), value: value.to_string() };
    // Groups of 256 bits are one beat from there on.
    let group = if dlen < 256 { 256 / dlen - 1 } else { 0 };
    let settings = [
        set("dcache.width", dlen / 8),
        set("vector.datapath", dlen),
        set("vector.granule", dlen),
        set("vector.memory_bits", dlen),
        set("vector.class.vsha2-64.first", 2 + group),
        set("vector.class.vsm3.first", 1 + group),
    ];
    if dlen == 128 { Ok(core) } else { Ok(core.with(&settings)?) }
}

/// The program, compiled by the cross compiler on PATH, or else Debian's.
fn program(root: &Path, store: &Store, progress: &mut dyn FnMut(&str)) -> Result<Image> {
    const ON_PATH: &str = "riscv64-linux-gnu-gcc";
    let version = Command::new(ON_PATH).arg("--version").stdin(Stdio::null()).output();
    let compiler: PathBuf = match version {
        Ok(output) if output.status.success() => ON_PATH.into(),
        _ => debian_toolchain(store, capvec_record::Arch::Riscv64, progress)?.bin.join("gcc"),
    };
    progress("compiling libcapvec");
    // The Makefile knows what is up to date, in one checkout.
    let build = root.join("target/rtl-cycles");
    let mut make = Command::new("make");
    make.current_dir(root.join("crypto/examples/cycles")).stdin(Stdio::null());
    make.args(["-s".into(), format!("CC={}", compiler.display())]);
    make.arg(format!("BUILD={}", build.display()));
    let output = make.output().context("running make; on Debian: apt install make")?;
    if !output.status.success() {
        bail!("compiling libcapvec: {}", String::from_utf8_lossy(&output.stderr));
    }
    let file = build.join("cycles");
    let bytes = std::fs::read(&file).with_context(|| file.display().to_string())?;
    Ok(Image::parse(&bytes)?)
}

/// A published pair of cycles and instructions.
fn published(case: &str) -> Option<[String; 2]> {
    let mut lines = MARIAN.lines().filter(|l| !l.starts_with('#')).skip(1);
    lines.find_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [operation, direction, _, _, cycles, instructions] = fields[..] else { return None };
        (case == format!("{operation} {direction}"))
            .then(|| [cycles.to_string(), instructions.to_string()])
    })
}

fn row(vlen: u32, dlen: u32, m: &Figure, p: &Figure) -> [String; 12] {
    let off = 100.0 * (p.warm.cycles as f64 / m.warm.cycles as f64 - 1.0);
    let [cycles, instructions] = published(&m.case).unwrap_or_default();
    [
        vlen.to_string(),
        dlen.to_string(),
        m.case.clone(),
        m.blocks.to_string(),
        m.warm.instructions.to_string(),
        m.cold.cycles.to_string(),
        m.warm.cycles.to_string(),
        digits::fixed(Some(m.per_block()), 2),
        p.warm.cycles.to_string(),
        digits::fixed(Some(off), 1),
        cycles,
        instructions,
    ]
}

fn text(format: Format, rows: &[[String; 12]]) -> Result<String> {
    let lines = |of: &dyn Fn(&[String]) -> String| -> String {
        rows.iter().map(|r| of(r) + "\n").collect()
    };
    Ok(match format {
        Format::Table => {
            let mut table = Table::new();
            table.load_preset(presets::NOTHING).set_header(COLUMNS);
            for (n, column) in table.column_iter_mut().enumerate() {
                column.set_cell_alignment(match n {
                    2 => CellAlignment::Left,
                    _ => CellAlignment::Right,
                });
            }
            table.add_rows(rows);
            table.trim_fmt() + "\n"
        }
        Format::Csv => {
            let line = |r: &[String]| r.iter().map(|f| csv::field(f)).collect::<Vec<_>>().join(",");
            line(&COLUMNS.map(String::from)) + "\n" + &lines(&line)
        }
        Format::Json => {
            let object = |r: &[String; 12]| -> serde_json::Map<String, serde_json::Value> {
                let pairs = COLUMNS.iter().zip(r);
                pairs.map(|(k, v)| (k.to_string(), serde_json::Value::from(v.as_str()))).collect()
            };
            serde_json::to_string_pretty(&rows.iter().map(object).collect::<Vec<_>>())? + "\n"
        }
        Format::Md => {
            let line = |r: &[String]| format!("| {} |", r.join(" | "));
            let rule = "|--:|--:|---|".to_string() + &"--:|".repeat(9);
            line(&COLUMNS.map(String::from)) + "\n" + &rule + "\n" + &lines(&line)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Bench {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn each_length_is_measured_once() {
        let line = "bench --target rtl --vlen 256,512,256 --set dlen=128,64,128 --set dlen=64";
        let args = Bench::parse_from(line.split(' ')).args;
        assert_eq!((vlens(&args), dlens(&args).unwrap()), (vec![256, 512], vec![128, 64]));
    }

    #[test]
    fn published_rows_are_found() {
        assert_eq!(published("AES128 decrypt"), Some(["226".into(), "53".into()]));
        assert_eq!(published("AES-128-ECB"), None);
        let cases = MARIAN.lines().filter(|l| !l.starts_with('#')).skip(1).count();
        assert_eq!(cases, 9);
    }

    #[test]
    fn the_model_exists_at_every_dlen() {
        for dlen in [64, 128, 256, 512] {
            core(dlen).unwrap();
        }
    }
}
