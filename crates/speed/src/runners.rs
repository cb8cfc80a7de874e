//! What runs guest programs: capvec with an engine or a core, or QEMU. Measures the processor time of stock `openssl speed` on it.

use crate::rows::{BYTES, Kind, Program, Row};
use crate::timed::timed;
use anyhow::bail;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Instruction sets that rows are measured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// rv64gc.
    Base,
    /// Every capability that OpenSSL uses, vectors of 256 bits.
    Full,
}

/// What runs a program.
#[derive(Clone, Debug)]
pub enum Runner {
    /// `capvec run` with this engine, in real time or in the time of a core model. The directory of programs is
    /// mounted at `/w`.
    Capvec {
        program: PathBuf,
        engine: String,
        core: Option<String>,
        /// Host features that the engine must not use.
        without: Vec<String>,
        programs: PathBuf,
    },
    /// qemu-riscv64.
    Qemu { program: PathBuf, sysroot: PathBuf, programs: PathBuf },
}

/// Modelled seconds per second of measurement: the default core has a clock of 75 MHz, and much shorter runs would
/// mostly measure translation.
const CORE_SECONDS: u32 = 200;

/// The names of a set in capvec and in QEMU.
fn names(set: Set) -> (&'static str, &'static str) {
    match set {
        Set::Base => ("rv64gc", "rv64,zba=off,zbb=off,zbc=off,zbs=off,v=off"),
        Set::Full => ("rva23u64_zvkng_zvksg_zvkb_zvbc", "max,vlen=256"),
    }
}

impl Runner {
    /// A column's name.
    pub fn name(&self) -> String {
        match self {
            Runner::Capvec { core: Some(core), .. } => core.clone(),
            Runner::Capvec { engine, .. } => engine.clone(),
            Runner::Qemu { .. } => "QEMU".into(),
        }
    }

    /// The command for the stock program with these arguments.
    fn openssl(&self, set: Set, args: &[&str]) -> Command {
        match self {
            Runner::Capvec { .. } => self.guest(set, "openssl".as_ref(), args),
            Runner::Qemu { sysroot, .. } => self.guest(set, &sysroot.join("usr/bin/openssl"), args),
        }
    }

    /// The command for a guest program with these arguments.
    fn guest(&self, set: Set, guest: &Path, args: &[&str]) -> Command {
        let (isa, cpu) = names(set);
        let mut command = match self {
            Runner::Capvec { program, engine, core, without, programs } => {
                let mut c = Command::new(program);
                c.args(["run", "--engine", engine, "--isa", isa, "--vlen", "256", "--bind"]);
                c.arg(format!("{}:/w:ro", programs.display()));
                if !without.is_empty() {
                    c.args(["--host-without", &without.join(",")]);
                }
                match core {
                    Some(core) => c.args(["--core", core]),
                    // The ideal core, so that every engine does the same work.
                    None => c.args(["--core", "ideal", "--clock", "host"]),
                };
                c.arg("--").arg(guest);
                c
            }
            Runner::Qemu { program, sysroot, .. } => {
                let mut c = Command::new(program);
                c.args(["-cpu", cpu, "-L"]).arg(sysroot).arg(guest);
                c
            }
        };
        command.args(args).stdin(Stdio::null());
        command
    }

    /// How often one of this crate's programs runs per second of processor time, without its start.
    ///
    /// # Errors
    /// The program does not run.
    pub fn program(&self, row: &Program, start: f64) -> anyhow::Result<f64> {
        let guest = match self {
            Runner::Capvec { .. } => Path::new("/w").join(row.name),
            Runner::Qemu { programs, .. } => programs.join(row.name),
        };
        let run = timed(&mut self.guest(Set::Base, &guest, &[row.rounds]))?;
        Ok(1.0 / (run.time - start))
    }

    /// A row's figure: megabytes or operations per second of processor time, without the start.
    ///
    /// # Errors
    /// The program does not run, or does not print its counts.
    pub fn measure(&self, set: Set, row: &Row, seconds: u32, start: f64) -> anyhow::Result<f64> {
        let scale =
            if matches!(self, Runner::Capvec { core: Some(_), .. }) { CORE_SECONDS } else { 1 };
        let (seconds, bytes) = ((seconds * scale).to_string(), BYTES.to_string());
        let mut args = vec!["speed", "-mr", "-seconds", &seconds, "-bytes", &bytes];
        if row.kind == Kind::Bulk {
            args.push("-evp");
        }
        args.push(row.algorithm);
        let run = timed(&mut self.openssl(set, &args))?;
        let counts = counts(&run.log);
        let wanted = |number: u32| match row.kind {
            Kind::Bulk => true,
            Kind::Operations(n) => n == number,
        };
        let Some((_, count)) = counts.iter().find(|(number, _)| wanted(*number)) else {
            bail!("{} on {}: no count in {:?}", row.name, self.name(), run.log);
        };
        // All its measurements take the same real time, and so about the same processor time.
        let time = (run.time - start) / counts.len() as f64;
        let each = if row.kind == Kind::Bulk { BYTES as f64 / 1e6 } else { 1.0 };
        Ok(count * each / time)
    }

    /// Processor time and real time of a start: `openssl version`.
    ///
    /// # Errors
    /// The program does not run.
    pub fn start(&self, runs: u32) -> anyhow::Result<(f64, f64)> {
        let clock = Instant::now();
        let mut sum = 0.0;
        for _ in 0..runs {
            sum += timed(&mut self.openssl(Set::Full, &["version"]))?.time;
        }
        Ok((sum / runs as f64, clock.elapsed().as_secs_f64() / runs as f64))
    }
}

/// The `+R` lines of `openssl speed -mr`: number and count of each.
fn counts(log: &str) -> Vec<(u32, f64)> {
    let line = |line: &str| {
        let mut fields = line.strip_prefix("+R")?.split(':');
        let number = fields.next()?;
        Some((number.parse().unwrap_or(0), fields.next()?.parse().ok()?))
    };
    log.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn counts_are_found_among_other_lines() {
        let log = "+DT:AES-128-ECB:1:16384\n+R:377728:AES-128-ECB:1.00\nnote\n+R16:4494:ML-KEM-768:0.54\n";
        assert_eq!(counts(log), [(0, 377728.0), (16, 4494.0)]);
    }
}
