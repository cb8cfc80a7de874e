//! Runs a batch on both sides.

use crate::case::{Batch, Job};
use crate::job_result::{Digest, JobResult};
use crate::layout::job_result;
use crate::link::{Linked, Place, link};
use crate::target::Target;
use anyhow::{Context, bail};
use capvec_linux::{Input, Machine, Options, Output, Status};
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Ideal, Plan, Seen, StaticCosts, Timing};
use capvec_sim::{Engine, Interpreter};
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Maximum host time for a batch on one side; far more than it needs.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// How capvec executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// The reference interpreter.
    Plain,
    /// The same with a core model, which runs the semantics that log accesses.
    Observed,
    /// The translating engine, from a block's second entry on; on hosts without it, the reference interpreter.
    Jit,
}

/// A core model that observes every instruction and costs nothing.
struct Watch;

impl Timing for Watch {
    fn plan(&self, _: u64, insns: &[Insn]) -> Plan {
        let dynamic = |index| Dynamic { index, note: 0, issue: 0 };
        let dynamic: Vec<Dynamic> = (0..insns.len() as u8).map(dynamic).collect();
        Plan { costs: StaticCosts::new(&vec![0; insns.len() + 1], &dynamic), ..Plan::default() }
    }

    fn enter(&mut self, _: u64, _: u64, _: &Plan, _: bool) -> u64 {
        0
    }

    fn execute(&mut self, _: u64, _: Dynamic, _: &Insn, _: &Seen<'_>) -> u64 {
        0
    }
}

impl EngineKind {
    /// All of them.
    pub const ALL: [EngineKind; 3] = [EngineKind::Plain, EngineKind::Observed, EngineKind::Jit];

    fn engine(self) -> anyhow::Result<Box<dyn Engine>> {
        Ok(match self {
            EngineKind::Plain => Box::new(Interpreter::new(Ideal, false)),
            EngineKind::Observed => Box::new(Interpreter::new(Watch, false)),
            EngineKind::Jit => {
                let options = capvec_jit::Options { hot_threshold: 1, ..Default::default() };
                match capvec_jit::engine(options, None) {
                    Err(capvec_jit::Unsupported::Processor) => {
                        Box::new(Interpreter::new(Ideal, false))
                    }
                    engine => engine?,
                }
            }
        })
    }
}

/// The output of a batch on one side: a result for each job.
pub struct JobResults {
    bytes: Vec<u8>,
    spans: Vec<Range<usize>>,
    vlenb: usize,
}

impl JobResults {
    /// Locates the results of these jobs.
    fn new(bytes: Vec<u8>, jobs: &[Kind], vlenb: usize) -> Option<JobResults> {
        let mut rest: &[u8] = &bytes;
        let mut spans = Vec::new();
        for kind in jobs {
            let start = bytes.len() - rest.len();
            rest = match kind {
                Kind::Digest => Digest::split(rest, vlenb)?.1,
                Kind::Whole => rest.split_at_checked(job_result::whole(vlenb as u64) as usize)?.1,
            };
            spans.push(start..bytes.len() - rest.len());
        }
        rest.is_empty().then_some(())?;
        Some(JobResults { bytes, spans, vlenb })
    }

    /// The result of job `n`, a case.
    pub fn get(&self, n: usize) -> JobResult<'_> {
        JobResult::new(&self.bytes[self.spans[n].clone()], self.vlenb)
    }

    /// The digest of job `n`, a program.
    pub fn digest(&self, n: usize) -> Digest<'_> {
        Digest::new(&self.bytes[self.spans[n].clone()])
    }
}

/// The kind of a job's result.
#[derive(Clone, Copy)]
enum Kind {
    Digest,
    Whole,
}

/// A batch that is ready to run on both sides.
pub struct Prepared {
    linked: Linked,
    kinds: Vec<Kind>,
    target: Target,
    dir: tempfile::TempDir,
}

const FILE: &str = "program";

impl Prepared {
    /// Links the batch and writes the executable to a new directory.
    ///
    /// # Errors
    /// The directory or the file cannot be written.
    pub fn new(batch: &Batch, target: Target) -> anyhow::Result<Prepared> {
        Prepared::selected(batch, target, &Vec::from_iter(0..batch.jobs.len()))
    }

    /// The same, but runs only the selected jobs, which keep their addresses.
    ///
    /// # Errors
    /// The directory or the file cannot be written.
    pub fn selected(batch: &Batch, target: Target, select: &[usize]) -> anyhow::Result<Prepared> {
        let linked = link(batch, target.vlenb() as u64, select);
        let dir = tempfile::tempdir().context("no temporary directory; set TMPDIR")?;
        let path = dir.path().join(FILE);
        std::fs::write(&path, &linked.elf).with_context(|| format!("cannot write {path:?}"))?;
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, executable)?;
        let kind = |n: &usize| match batch.jobs[*n] {
            Job::Program(_) => Kind::Digest,
            Job::Case(_) => Kind::Whole,
        };
        Ok(Prepared { linked, kinds: select.iter().map(kind).collect(), target, dir })
    }

    /// The address ranges of the programs.
    pub fn places(&self) -> &[Place] {
        &self.linked.places
    }

    fn results(&self, bytes: Vec<u8>, who: &str) -> anyhow::Result<JobResults> {
        let length = bytes.len();
        JobResults::new(bytes, &self.kinds, self.target.vlenb())
            .with_context(|| format!("{who} wrote {length} bytes instead of all results"))
    }

    /// Runs it in capvec on this target.
    ///
    /// # Errors
    /// The machine cannot be made, or the program did not write all results.
    pub fn run_here(&self, target: Target, kind: EngineKind) -> anyhow::Result<JobResults> {
        let argv = vec![format!("/{FILE}").into_bytes()];
        let mut options = Options::new(self.dir.path(), argv, target.config());
        options.stdin = Input::Bytes(Vec::new());
        (options.stdout, options.stderr) = (Output::Capture, Output::Capture);
        options.timeout = Some(TIME_LIMIT);
        let exit = Machine::new(options, kind.engine()?)?.run();
        match exit.status {
            Status::Code(0) => self.results(exit.stdout, "capvec"),
            status => {
                let said = String::from_utf8_lossy(&exit.stderr).into_owned();
                bail!("the harness ended with {status:?} in capvec: {:?} {said}", exit.notices)
            }
        }
    }

    /// Runs it on both sides at the same time.
    ///
    /// # Errors
    /// One of the sides could not run, or did not write all results.
    pub fn run(&self, qemu: &Path, engine: EngineKind) -> anyhow::Result<Both> {
        let oracle = self.start_oracle(qemu)?;
        let here = self.run_here(self.target, engine)?;
        Ok(Both { here, oracle: oracle.finish(self)?, places: self.linked.places.clone() })
    }

    /// Starts it under QEMU.
    fn start_oracle(&self, qemu: &Path) -> anyhow::Result<OracleRun> {
        let mut child = Command::new(qemu)
            .args(["-cpu", &self.target.qemu_cpu()])
            .arg(self.dir.path().join(FILE))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", qemu.display()))?;
        let stdout = reader(child.stdout.take());
        let stderr = reader(child.stderr.take());
        Ok(OracleRun { child, stdout, stderr })
    }
}

/// Reads to the end in a new thread.
fn reader(from: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            // If reading fails, the length shows it.
            let _ = from.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// QEMU itself failed.
#[derive(Debug)]
pub struct OracleAborted(pub String);

impl std::fmt::Display for OracleAborted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "QEMU: {}", self.0)
    }
}

impl std::error::Error for OracleAborted {}

/// A run of QEMU in progress.
struct OracleRun {
    child: Child,
    stdout: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
}

impl OracleRun {
    /// Waits for it to end and takes its results.
    fn finish(mut self, of: &Prepared) -> anyhow::Result<JobResults> {
        let Ok(bytes) = self.stdout.recv_timeout(TIME_LIMIT) else {
            bail!("QEMU did not end in {} s", TIME_LIMIT.as_secs());
        };
        let status = self.child.wait()?;
        if !status.success() {
            let said = self.stderr.recv_timeout(TIME_LIMIT).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            let first = said.lines().find(|l| l.len() > 3).unwrap_or_default();
            return Err(OracleAborted(format!("{status}: {first}")).into());
        }
        of.results(bytes, "QEMU")
    }
}

impl Drop for OracleRun {
    fn drop(&mut self) {
        // It has ended, or its result is no longer needed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The results of both sides.
pub struct Both {
    /// capvec's results.
    pub here: JobResults,
    /// The oracle's results.
    pub oracle: JobResults,
    /// The address ranges of the programs.
    pub places: Vec<Place>,
}

/// The two sides of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// Path of the oracle.
    pub qemu: &'a Path,
    /// How capvec executes.
    pub engine: EngineKind,
}

/// Finds qemu-riscv64 in the sysroot of Debian packages for this machine, fetching it if necessary.
///
/// # Errors
/// Errors of the sysroot mechanism, each with its remedy; or this machine's architecture is not one for which Debian
/// has QEMU.
pub fn find_qemu(progress: &mut dyn FnMut(&capvec_sysroot::Progress)) -> anyhow::Result<PathBuf> {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "riscv64" => "riscv64",
        other => bail!("no Debian qemu-user is known for {other}; give --oracle"),
    };
    let root = capvec_sysroot::ensure(&format!("trixie-{arch}"), &["qemu-user"], progress)?;
    Ok(root.join("usr/bin/qemu-riscv64"))
}
