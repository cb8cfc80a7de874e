//! One run of stock `openssl speed`, and the processor time that it took.

use crate::rows::{BYTES, Kind, Row};
use anyhow::{Context, bail};
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

/// Who runs it.
#[derive(Clone, Debug)]
pub enum Runner {
    /// `capvec run` with this engine.
    Capvec { program: PathBuf, engine: String },
    /// qemu-riscv64.
    Qemu { program: PathBuf, sysroot: PathBuf },
}

/// What capvec has for a set; what QEMU has.
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
            Runner::Capvec { engine, .. } => engine.clone(),
            Runner::Qemu { .. } => "QEMU".into(),
        }
    }

    /// The stock program with these arguments.
    fn openssl(&self, set: Set, args: &[&str]) -> Command {
        let (isa, cpu) = names(set);
        let mut command = match self {
            Runner::Capvec { program, engine } => {
                let mut c = Command::new(program);
                c.args(["run", "--clock", "host", "--engine", engine, "--isa", isa]);
                // The ideal core, so that every engine does the same.
                c.args(["--core", "ideal", "--vlen", "256", "--", "openssl"]);
                c
            }
            Runner::Qemu { program, sysroot } => {
                let mut c = Command::new(program);
                c.args(["-cpu", cpu, "-L"]).arg(sysroot).arg(sysroot.join("usr/bin/openssl"));
                c
            }
        };
        command.args(args).stdin(Stdio::null());
        command
    }

    /// A row's figure: megabytes or operations per second of processor time, without that of starting.
    ///
    /// # Errors
    /// The program does not run, or does not tell what it has counted.
    pub fn measure(&self, set: Set, row: &Row, seconds: u32, start: f64) -> anyhow::Result<f64> {
        let (seconds, bytes) = (seconds.to_string(), BYTES.to_string());
        let mut args = vec!["speed", "-mr", "-seconds", &seconds, "-bytes", &bytes];
        if row.kind == Kind::Bulk {
            args.push("-evp");
        }
        args.push(row.algorithm);
        let (log, time) = timed(&mut self.openssl(set, &args))?;
        let counts = counts(&log);
        let wanted = |number: u32| match row.kind {
            Kind::Bulk => true,
            Kind::Operations(n) => n == number,
        };
        let Some((_, count)) = counts.iter().find(|(number, _)| wanted(*number)) else {
            bail!("{} on {}: no count in {log:?}", row.name, self.name());
        };
        // Each of its measurements takes the same time on the clock, so about the same of the processor.
        let time = (time - start) / counts.len() as f64;
        let each = if row.kind == Kind::Bulk { BYTES as f64 / 1e6 } else { 1.0 };
        Ok(count * each / time)
    }

    /// Processor time and time on the clock of starting it: `openssl version`.
    ///
    /// # Errors
    /// The program does not run.
    pub fn start(&self, runs: u32) -> anyhow::Result<(f64, f64)> {
        let clock = Instant::now();
        let mut sum = 0.0;
        for _ in 0..runs {
            sum += timed(&mut self.openssl(Set::Full, &["version"]))?.1;
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

/// Runs it: what it says on standard error, and the processor time that it took, user and system, in seconds.
fn timed(command: &mut Command) -> anyhow::Result<(String, f64)> {
    let before = children()?;
    let output = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .with_context(|| format!("running {}", command.get_program().display()))?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        bail!("{command:?} ended with {}: {log}", output.status);
    }
    Ok((log, children()? - before))
}

/// Processor time of all ended children of this process, in seconds.
fn children() -> anyhow::Result<f64> {
    let path = Path::new("/proc/self/stat");
    let stat = std::fs::read_to_string(path).context("reading /proc/self/stat")?;
    // The second field, a name, may have spaces; cutime and cstime are fields 16 and 17 (proc_pid_stat(5)).
    let fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks: Vec<f64> =
        fields.split(' ').skip(13).take(2).filter_map(|f| f.parse().ok()).collect();
    if ticks.len() != 2 {
        bail!("{} has no times of children", path.display());
    }
    // Of these, Linux has always 100 in a second for programs.
    Ok((ticks[0] + ticks[1]) / 100.0)
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
