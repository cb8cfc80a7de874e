//! Runs commands and measures their processor time and memory.

use anyhow::{Context, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The output, the time and the memory of a run.
pub struct Run {
    /// Standard error.
    pub log: String,
    /// Processor time, user and system, in seconds.
    pub time: f64,
    /// Largest resident size in kilobytes.
    pub peak: u64,
}

/// Runs the command.
///
/// # Errors
/// It does not run, or fails.
pub fn timed(command: &mut Command) -> anyhow::Result<Run> {
    let before = children()?;
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("running {}", command.get_program().display()))?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let pipe = child.stderr.take().context("it has a standard error")?;
    let reader = std::thread::spawn(move || std::io::read_to_string(pipe));
    let is_capvec = command.get_args().next().is_some_and(|a| a == "run");
    let (mut wait, mut most) = (Duration::from_millis(2), 0);
    let status = loop {
        most = most.max(peak(&status).unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(wait);
        wait = (wait * 2).min(Duration::from_millis(50));
    };
    let log = reader.join().ok().context("reading standard error")??;
    if !status.success() {
        bail!("{command:?} ended with {status}: {log}");
    }
    if is_capvec {
        PEAK.fetch_max(most, Ordering::Relaxed);
    }
    Ok(Run { log, time: children()? - before, peak: most })
}

/// Largest resident size of a run of capvec so far, in kilobytes.
static PEAK: AtomicU64 = AtomicU64::new(0);

/// Largest resident size of a run of capvec, in megabytes.
pub fn peak_memory() -> f64 {
    PEAK.load(Ordering::Relaxed) as f64 / 1e3
}

/// A process's peak resident size in kilobytes, from its status (proc_pid_status(5)).
fn peak(status: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Processor time of all ended children of this process, in seconds.
fn children() -> anyhow::Result<f64> {
    let path = Path::new("/proc/self/stat");
    let stat = std::fs::read_to_string(path).context("reading /proc/self/stat")?;
    // The second field, a name, may contain spaces; cutime and cstime are fields 16 and 17 (proc_pid_stat(5)).
    let fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks: Vec<f64> =
        fields.split(' ').skip(13).take(2).filter_map(|f| f.parse().ok()).collect();
    if ticks.len() != 2 {
        bail!("{} has no times of children", path.display());
    }
    // Linux always reports 100 ticks per second to programs.
    Ok((ticks[0] + ticks[1]) / 100.0)
}

/// The middle one of these values.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
