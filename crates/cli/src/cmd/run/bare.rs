//! `capvec run --bare`: a program without an operating system.

use crate::cmd::bare_console::Console;
use crate::cmd::limits::{Limits, interrupts};
use crate::cmd::run::gdb::{self, GdbArgs};
use crate::cmd::stats::{Figures, Totals};
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result};
use capvec_bare::{Bare, BareError, CommitLog, Image, Options, Outcome, Signature, signature};
use capvec_gdb::Connection;
use capvec_linux::Net;
use capvec_sim::engine::Histogram;
use capvec_sim::hart::Config;
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use std::fs::File;
use std::io::{BufWriter, LineWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Exit statuses in addition to the program's own.
const LIMIT: u8 = 124;
const STUCK: u8 = 125;
const INTERRUPTED: u8 = 130;

/// Flags for bare programs only.
#[derive(clap::Args)]
pub struct BareArgs {
    /// Run an ELF file of the host without an operating system: machine mode, memory from 0x80000000, HTIF
    #[arg(long, conflicts_with_all = ["sysroot", "bind", "no_cwd", "env", "clock", "net", "quantum", "verbose"])]
    pub bare: bool,
    /// With --bare: when the program has ended, write the memory between --begin and --end to this file
    #[arg(long, value_name = "FILE", requires = "bare")]
    signature: Option<PathBuf>,
    /// First byte of the signature: a symbol or an address
    #[arg(long, value_name = "SYMBOL", default_value = "begin_signature", requires = "signature")]
    begin: String,
    /// End of the signature, exclusive
    #[arg(long, value_name = "SYMBOL", default_value = "end_signature", requires = "signature")]
    end: String,
    /// Bytes per line of the signature
    #[arg(long, value_name = "BYTES", default_value = "16", value_parser = granularity, requires = "signature")]
    signature_granularity: usize,
    /// With --bare: log every retired instruction to this file, in the format of Spike's --log-commits
    #[arg(long, value_name = "FILE", requires = "bare")]
    log_commits: Option<PathBuf>,
}

fn granularity(text: &str) -> Result<usize, String> {
    match text {
        "4" | "8" | "16" => Ok(text.parse().unwrap_or(16)),
        _ => Err("must be 4, 8 or 16".into()),
    }
}

fn log(path: &Path) -> Result<File> {
    File::create(path)
        .map_err(|e| Usage(format!("--log-commits {}: {e}", escape::path(path))).into())
}

/// Says so if nothing can end the run: without the symbol, stores to HTIF are not recognised.
pub fn warn_if_endless(image: &Image, limits: &Limits, name: &str) {
    if image.symbol("tohost").is_none() && limits.max_insns.is_none() && limits.timeout.is_none() {
        say!(
            "{name} has no symbol tohost, so it cannot end the run itself: use a program that is not stripped, --max-insns or --timeout"
        );
    }
}

/// Reports on standard error why the run ended, unless the program ended with code 0; returns the exit status.
pub fn report(outcome: Outcome) -> u8 {
    let (text, status) = match outcome {
        Outcome::Exit(0) => return 0,
        Outcome::Exit(code) => {
            let status = u8::try_from(code).unwrap_or(u8::MAX);
            (format!("the program ended with code {code} (tohost {:#x})", code << 1 | 1), status)
        }
        Outcome::Instructions => ("the limit of --max-insns is reached".into(), LIMIT),
        Outcome::Timeout => ("the limit of --timeout is reached".into(), LIMIT),
        Outcome::Interrupted => ("interrupted".into(), INTERRUPTED),
        Outcome::Stuck(trap, pc) => (
            format!(
                "the hart is stuck: the trap handler at {pc:#x} itself traps ({:?}); does the program set mtvec?",
                trap.cause
            ),
            STUCK,
        ),
    };
    say!("{text}");
    status
}

/// Runs the program at `path` on the hart that `config` describes.
pub fn run(
    args: &BareArgs,
    path: &Path,
    core: &Core,
    config: Config,
    limits: &Limits,
    gdb_args: &GdbArgs,
) -> Result<ExitCode> {
    let name = escape::path(path);
    let file = std::fs::read(path).map_err(|e| {
        Usage(format!("{name}: {e}; with --bare the program is a file of the host"))
    })?;
    let image = Image::parse(&file).map_err(|e| Usage(format!("{name}: {e}")))?;
    if gdb_args.is_some() && args.log_commits.is_some() {
        return Err(Usage("--gdb does not work with --log-commits".into()).into());
    }
    warn_if_endless(&image, limits, &name.to_string());
    let interrupt = interrupts()?;
    let listener = gdb_args.listen(&mut *core.engine(false))?;
    let stop = || interrupt.load(Ordering::Relaxed);
    let connected = listener.map(|listener| gdb::wait(listener, &stop)).transpose();
    let connection = match connected {
        Ok(connection) => connection,
        Err(code) => return Ok(code),
    };
    let what = Signature {
        begin: args.begin.clone(),
        end: args.end.clone(),
        granularity: args.signature_granularity,
    };
    let job = Job {
        image: &image,
        core,
        config,
        limits,
        interrupt,
        connection,
        log: args.log_commits.as_deref().map(log).transpose()?,
        signature: args.signature.is_some().then_some(&what),
    };
    let exts = job.config.exts;
    let ended = std::thread::scope(|s| s.spawn(|| job.run()).join());
    let ended = ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let ended = ended.map_err(|e| Usage(format!("{name}: {e}")))?;
    ended.logged.context("--log-commits")?;
    let Ended { totals, ref counted, .. } = ended;
    let reported = limits.report(&Figures { totals, histogram: counted.as_ref(), core, exts });
    if let (Some(path), Some(text)) = (&args.signature, ended.signature) {
        let name = || format!("--signature: cannot write {}", escape::path(path));
        atomic_file::replace(path, &text.map_err(usage)?).with_context(name).map_err(usage)?;
    }
    let code = report(ended.outcome);
    Ok(ExitCode::from(if reported || code != 0 { code } else { 1 }))
}

/// A run of a program, on a thread of its own, because the thread that runs the guest stays confined.
struct Job<'a> {
    image: &'a Image,
    core: &'a Core,
    config: Config,
    limits: &'a Limits,
    interrupt: Arc<AtomicBool>,
    connection: Option<Connection>,
    log: Option<File>,
    signature: Option<&'a Signature>,
}

/// The result.
struct Ended {
    outcome: Outcome,
    logged: std::io::Result<()>,
    totals: Totals,
    counted: Option<Histogram>,
    signature: Option<Result<String, BareError>>,
}

impl Job<'_> {
    fn run(self) -> Result<Ended, BareError> {
        let timeout = self.limits.timeout.map(Duration::from_secs);
        let until = timeout.and_then(|t| Instant::now().checked_add(t));
        let console = Console { until, interrupt: Arc::clone(&self.interrupt) };
        let options = Options {
            config: Arc::new(self.config),
            memory: self.limits.memory,
            max_insns: self.limits.max_insns,
            timeout,
            interrupt: Some(self.interrupt),
            console: Box::new(LineWriter::new(console)),
            log: self.log.map(|file| CommitLog::new(Box::new(BufWriter::new(file)))),
        };
        let mut engine = self.core.engine(self.limits.counts());
        let mut machine = Bare::new(self.image, options)?;
        if let Err(e) = capvec_linux::confine(Net::None) {
            say!("{e}");
        }
        let outcome = match self.connection {
            Some(connection) => gdb::run_bare(&mut machine, engine.as_mut(), connection),
            None => machine.run(engine.as_mut()),
        };
        let logged = machine.finish();
        let h = machine.hart();
        let totals = Totals::of_hart(h.instret, h.cycles);
        let counted = engine.histogram();
        let signature = self.signature.map(|what| signature(self.image, &h.mem, what));
        Ok(Ended { outcome, logged, totals, counted, signature })
    }
}
