//! Command-line arguments.

use crate::rows::{PROGRAMS, PUBLIC_KEY, SYMMETRIC};
use crate::stock_programs::PROGRAMS as STOCK;
use clap::Parser;
use std::path::PathBuf;

/// Measures stock openssl and other programs on capvec's engines and on qemu-riscv64: processor time, medians of
/// runs that alternate
#[derive(Debug, Parser)]
pub struct Args {
    /// The capvec program to measure
    #[arg(long, default_value = "target/release/capvec")]
    pub capvec: PathBuf,
    /// Engines of capvec
    #[arg(long, value_delimiter = ',', default_value = "jit", value_parser = ["interp", "jit", "both"])]
    pub engines: Vec<String>,
    /// Core models to run the programs with as well, measuring the host's time
    #[arg(long, value_delimiter = ',', default_value = "karu64")]
    pub cores: Vec<String>,
    /// qemu-riscv64 [default: Debian's, through the sysroot mechanism; else that on PATH]
    #[arg(long, value_name = "FILE")]
    pub qemu: Option<PathBuf>,
    /// Do not run QEMU
    #[arg(long, conflicts_with = "qemu")]
    pub no_qemu: bool,
    /// Number of runs of each row on each engine, on QEMU and with each core model
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// Seconds for each measurement by openssl; with a core model, 200 seconds of the core's time for each of these
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub seconds: u32,
    /// Host instructions that the engines must not use, as on an older host
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = HOST)]
    pub without: Vec<String>,
    /// Measure only rows whose name contains this
    #[arg(long)]
    pub only: Option<String>,
}

/// The names that `capvec run --host-without` accepts.
const HOST: [&str; 8] = ["avx512", "avx2", "vaes", "vpclmulqdq", "gfni", "sha", "low", "faults"];

/// The names of all rows but the start and the stock programs.
fn rows() -> impl Iterator<Item = &'static str> {
    let rows = SYMMETRIC.iter().chain(PUBLIC_KEY).map(|row| row.name);
    rows.chain(PROGRAMS.iter().map(|p| p.name))
}

impl Args {
    /// Whether a row is to be measured.
    pub fn wants(&self, row: &str) -> bool {
        self.only.as_ref().is_none_or(|o| row.contains(o))
    }

    /// Whether a row is to be measured, other than the start and the stock programs.
    pub fn wants_any_row(&self) -> bool {
        rows().any(|name| self.wants(name))
    }

    /// The error in the arguments, if there is one.
    pub fn check(&self) -> Result<(), String> {
        if !self.capvec.exists() {
            let capvec = self.capvec.display();
            return Err(format!(
                "--capvec {capvec}: there is no such file; build it (cargo build --release -p capvec)"
            ));
        }
        if let Some(qemu) = self.qemu.as_ref().filter(|q| !q.exists()) {
            let qemu = qemu.display();
            return Err(format!(
                "--qemu {qemu}: there is no such file; leave it out to use Debian's, or give --no-qemu"
            ));
        }
        let stock = STOCK.iter().map(|p| p.name);
        let names: Vec<&str> = rows().chain(stock).collect();
        match &self.only {
            Some(only) if !names.iter().any(|name| self.wants(name)) => Err(format!(
                "--only {only}: no row has that in its name; the rows are {}",
                names.join(", ")
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::Parser;

    fn check(args: &[&str]) -> Result<(), String> {
        let mut all = vec!["capvec-speed"];
        if !args.contains(&"--capvec") {
            // The program must exist; any file will do.
            all.extend(["--capvec", env!("CARGO_MANIFEST_PATH")]);
        }
        all.extend(args);
        Args::try_parse_from(all).map_err(|e| e.to_string())?.check()
    }

    #[test]
    fn wrong_arguments_are_named_before_anything_runs() {
        assert_eq!(check(&[]), Ok(()));
        assert_eq!(check(&["--only", "ChaCha", "--without", "avx512,avx2"]), Ok(()));
        for (args, named) in [
            (["--only", "nothing"], "AES-128-ECB"),
            (["--qemu", "/nowhere/qemu"], "--no-qemu"),
            (["--capvec", "/nowhere/capvec"], "cargo build"),
            (["--without", "avx1024"], "avx512"),
            (["--engines", "fast"], "interp"),
        ] {
            let message = check(&args).expect_err("wrong arguments");
            assert!(message.contains(args[0]) && message.contains(named), "{message}");
        }
    }
}
